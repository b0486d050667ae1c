// SPDX-License-Identifier: MIT
// The forward transform of one length: passes over factors 8, 4, 2, 3, 5 and other small primes,
// each of which leaves its results in order (Stockham's form); lengths with a large prime factor as
// a convolution (L. I. Bluestein, 1970). Real numbers of an even count are taken in pairs, as
// complex ones. Several short transforms run side by side, as lanes (FftLoops).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/internal/cpu/fft/loops.h"

namespace cupyxx::internal::cpu {

/// exp(-2 pi i k / n) for 0 <= k < n, with all digits right.
complex<double> root_of_unity(std::int64_t k, std::int64_t n);

/// The same for many k of one n, from tables of about the root of n numbers: a root is one of
/// `steps_`, given to more digits than a double has, turned by a small angle.
class RootsOfUnity {
 public:
  explicit RootsOfUnity(std::int64_t n);
  complex<double> operator()(std::int64_t k) const;

 private:
  struct Step {
    complex<double> value, rest;
  };

  std::int64_t n_;
  int shift_ = 0;                         // 2^shift_ angles from one step to the next
  std::vector<Step> steps_;               // (cos, sin)
  std::vector<complex<double>> between_;  // (cos - 1, sin) of the angles behind a step
};

/// The loops of this machine's instruction set.
template <class P>
const FftLoops<P>& fft_loops();

/// Between the parts of split numbers: two lines, so that parts of a power of two do not compete
/// for one place of the caches.
template <class P>
inline constexpr std::int64_t kSplitGap = 128 / sizeof(P);

/// How many P n split numbers take, and where they lie in that memory.
template <class P>
std::int64_t split_size(std::int64_t n) {
  return 2 * (n + kSplitGap<P>);
}
template <class P>
Split<P> split_in(P* memory, std::int64_t n) {
  return {memory, memory + n + kSplitGap<P>};
}

/// n split numbers of their own.
template <class P>
class SplitVector {
 public:
  SplitVector() = default;
  explicit SplitVector(std::int64_t n)
      : n_(n), numbers_(static_cast<std::size_t>(split_size<P>(n))) {}

  Split<P> data() { return split_in(numbers_.data(), n_); }
  Split<const P> data() const { return split_in(numbers_.data(), n_); }
  void set(std::int64_t k, const complex<double>& z) {
    data().re[k] = static_cast<P>(z.re);
    data().im[k] = static_cast<P>(z.im);
  }

 private:
  std::int64_t n_ = 0;
  std::vector<P> numbers_;
};

/// A plan for n complex numbers, P being float or double. Threads may share it.
template <class P>
class FftPlan {
 public:
  explicit FftPlan(std::int64_t n);

  std::int64_t size() const { return n_; }
  /// How many numbers run() needs as scratch, for each lane.
  std::int64_t scratch_size() const { return scratch_; }
  /// How many of `rows` transforms run best side by side: 1 for few and for long ones.
  std::int64_t lanes_for(std::int64_t rows) const;
  /// The forward transforms of the lanes of x (FftLoops), which is overwritten; gives where they
  /// lie, in x or in scratch. Long transforms have one lane.
  Split<P> run(Split<P> x, Split<P> scratch, std::int64_t lanes = 1) const;

 private:
  void add_passes(const std::vector<std::int64_t>& radices);
  void make_convolution();
  Split<P> convolve(Split<P> x, Split<P> scratch, std::int64_t lanes) const;

  std::int64_t n_;
  std::int64_t scratch_ = 0;
  std::vector<FftPass<P>> passes_;
  std::unique_ptr<const FftPlan> inner_;  // of the convolution; beside passes, for a lane alone
  SplitVector<P> chirp_, kernel_;
};

/// A plan for n real numbers and their n / 2 + 1 complex frequencies.
template <class P>
class RealFftPlan {
 public:
  explicit RealFftPlan(std::int64_t n);

  /// How many numbers the transforms need as work space, and as scratch, for each lane.
  std::int64_t size() const { return plan_.size(); }
  std::int64_t scratch_size() const { return plan_.scratch_size(); }
  std::int64_t lanes_for(std::int64_t rows) const { return plan_.lanes_for(rows); }
  /// The forward transforms of so many rows as there are lanes, scaled.
  void run(const P* x, P scale, complex<P>* frequencies, Split<P> work, Split<P> scratch,
           std::int64_t lanes = 1) const;
  /// The inverse ones, times n and scaled.
  void run_inverse(const complex<P>* frequencies, P scale, P* x, Split<P> work, Split<P> scratch,
                   std::int64_t lanes = 1) const;

 private:
  bool paired() const { return n_ % 2 == 0; }

  std::int64_t n_;
  FftPlan<P> plan_;    // of the pairs, or of all numbers
  FftTurns<P> turns_;  // FftLoops::unpair
};

extern template class FftPlan<float>;
extern template class FftPlan<double>;
extern template class RealFftPlan<float>;
extern template class RealFftPlan<double>;

}  // namespace cupyxx::internal::cpu
