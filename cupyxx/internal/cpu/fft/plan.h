// SPDX-License-Identifier: MIT
// The forward transform of one length: passes over factors 4, 2, 3, 5 and other small primes, each
// of which leaves its results in order (Stockham's form); lengths with a large prime factor as a
// convolution (L. I. Bluestein, 1970).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cupyxx/complex.h"

namespace cupyxx::internal::cpu {

/// exp(-2 pi i k / n) for 0 <= k < n, with all digits right.
complex<double> root_of_unity(std::int64_t k, std::int64_t n);

/// A plan for n numbers of type complex<P>, P being float or double. Threads may share it.
template <class P>
class FftPlan {
 public:
  explicit FftPlan(std::int64_t n);

  /// How many numbers run() needs as scratch.
  std::int64_t scratch_size() const { return scratch_; }
  /// The forward transform of n numbers in place.
  void run(complex<P>* x, complex<P>* scratch) const;

 private:
  struct Pass {
    std::int64_t radix;
    std::int64_t length;              // n of the shorter transforms that this pass makes
    std::int64_t stride;              // how many of them lie side by side
    std::vector<complex<P>> factors;  // (length, radix - 1): what the results are turned by
    std::vector<complex<P>> roots;    // of the radix, for primes without code of their own
  };

  void add_passes(std::vector<std::int64_t> radices);
  void make_convolution();
  void convolve(complex<P>* x, complex<P>* scratch) const;

  std::int64_t n_;
  std::int64_t scratch_ = 0;
  std::vector<Pass> passes_;
  std::unique_ptr<const FftPlan> inner_;  // of the convolution
  std::vector<complex<P>> chirp_, kernel_;
};

extern template class FftPlan<float>;
extern template class FftPlan<double>;

}  // namespace cupyxx::internal::cpu
