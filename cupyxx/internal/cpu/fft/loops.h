// SPDX-License-Identifier: MIT
// The inner loops of Fourier transforms, compiled once per instruction set.
#pragma once

#include <cstdint>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// Complex numbers as two arrays, of real and of imaginary parts, so that a vector register holds
/// parts of one kind.
template <class P>
struct Split {
  P* re;
  P* im;

  Split operator+(std::int64_t n) const { return {re + n, im + n}; }
  /// The inverse transform is the forward one of these.
  Split exchanged() const { return {im, re}; }
  operator Split<const P>() const { return {re, im}; }  // NOLINT: as a pointer to const
};

/// The complex factors, of absolute value 1, of some rows of `length` numbers each. For short rows
/// they are a table. For long rows a table would cost more time than the transform: then only the
/// factors of each row's first block are kept, and one factor for each further block, by which
/// those of the first are multiplied.
template <class P>
struct FftTurns {
  std::int64_t length = 0;
  std::int64_t block = 0;           // `length` of short rows
  std::vector<P> re, im;            // (rows, block)
  std::vector<P> base_re, base_im;  // (rows, blocks)

  std::int64_t blocks() const { return (length + block - 1) / block; }
};
inline constexpr std::int64_t kTurnBlock = 64;

/// One pass over radix * length * stride numbers.
template <class P>
struct FftPass {
  std::int64_t radix;
  std::int64_t length;            // n of the shorter transforms that this pass makes
  std::int64_t stride;            // how many of them lie side by side
  FftTurns<P> turns;              // radix - 1 rows: of the results but the first
  std::vector<P> cosines, sines;  // of the radix, for primes without code of their own
};

inline constexpr std::int64_t kLargestRadix = 113;

/// Several transforms may lie side by side, as `lanes`: number k of lane i at k * lanes + i. Passes
/// then work on whole vectors, however short the transforms are.
template <class P>
struct FftLoops {
  /// To and from one of the lanes.
  void (*split)(const complex<P>* x, Split<P> to, std::int64_t n, std::int64_t lanes);
  void (*join)(Split<P> x, P scale, complex<P>* to, std::int64_t n, std::int64_t lanes);
  void (*spread)(Split<const P> x, Split<P> to, std::int64_t n, std::int64_t lanes);
  void (*gather)(Split<const P> x, Split<P> to, std::int64_t n, std::int64_t lanes);
  /// x *= y, each lane of x.
  void (*multiply)(Split<P> x, Split<const P> y, std::int64_t n, std::int64_t lanes);
  void (*pass)(const FftPass<P>& step, Split<P> from, Split<P> to, std::int64_t lanes);
  /// Takes the transform z of n complex numbers that were made of 2 n real ones, in pairs, and
  /// writes the first n + 1 numbers of the transform of the real ones, times `scale`. `turns` is
  /// one row, of exp(-pi i k / n).
  void (*unpair)(Split<P> z, const FftTurns<P>& turns, P scale, complex<P>* to, std::int64_t n);
  /// The reverse, without the division by two.
  void (*pair)(const complex<P>* x, const FftTurns<P>& turns, Split<P> to, std::int64_t n);
};

template <class P, Arch kArch>
struct FftLoopsOf {
  static const FftLoops<P> loops;
};

}  // namespace cupyxx::internal::cpu
