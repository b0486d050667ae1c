// SPDX-License-Identifier: MIT
// Device-safe. What samplers of one element draw from: a subsequence of Philox for each element, as
// long as it takes. So a rejection changes no other element, and the sequence does not depend on
// threads, grids or devices.
#pragma once

#include "cupyxx/ops/philox.h"
#include "cupyxx/ops/random_math.h"

// A function that kernels call instead of repeating it: samplers stay small and compile fast.
#if defined(__CUDACC__)
#define CUPYXX_CALLED __device__ __noinline__
#else
#define CUPYXX_CALLED inline
#endif

namespace cupyxx::random {

namespace m {
CUPYXX_CALLED double ln(double x) { return log<false>(x); }
CUPYXX_CALLED double e_to(double x) { return exp<false>(x); }
/// x^y for x >= 0.
inline double power(double x, double y) { return x > 0 ? e_to(y * ln(x)) : (y == 0 ? 1.0 : 0.0); }
/// ln(1 + x), e^x - 1: the rounding of the inner sum or exponential cancels (Kahan).
inline double log1p(double x) {
  const double u = 1.0 + x;
  return u == 1.0 ? x : ln(u) * x / (u - 1.0);
}
inline double expm1(double x) {
  if (x > 40.0) return e_to(x);
  const double u = e_to(x);
  if (u == 1.0) return x;
  return u == 0.0 || u - 1.0 == -1.0 ? -1.0 : (u - 1.0) * x / ln(u);
}
inline double magnitude(double x) { return x < 0 ? -x : x; }
/// The largest integer that is not above x.
inline double floor(double x) {
  if (!(magnitude(x) < 4503599627370496.0)) return x;
  const double whole = static_cast<double>(static_cast<long>(x));
  return whole > x ? whole - 1.0 : whole;
}
/// Saturates at the ends of the range.
inline long to_long(double x) {
  if (x >= 9223372036854775807.0) return 0x7fffffffffffffffl;
  return x > -9223372036854775808.0 ? static_cast<long>(x) : -0x7fffffffffffffffl - 1;
}
}  // namespace m

/// The numbers of one element.
class Draws {
 public:
  CUPYXX_FN Draws(const PhiloxStream& stream, unsigned long element)
      : stream_(stream), element_(element) {}

  inline unsigned long bits() {
    has_more_ = !has_more_;
    if (!has_more_) return join(words_.w[2], words_.w[3]);
    words_ = stream_.block(element_, step_++);
    return join(words_.w[0], words_.w[1]);
  }
  /// Uniform in [0, 1): a multiple of 2^-53.
  inline double uniform() { return static_cast<double>(static_cast<long>(bits() >> 11)) * 0x1p-53; }
  /// Uniform in (0, 1): an odd multiple of 2^-53.
  inline double open() {
    return static_cast<double>(static_cast<long>(bits() >> 12) * 2 + 1) * 0x1p-53;
  }
  /// Standard exponential, above 0: inversion.
  inline double exponential() { return -m::ln(open()); }
  /// Standard normal: Box and Muller, 1958.
  inline double normal() {
    const double radius = m::square_root(2.0 * exponential());
    double cosine, sine;
    m::cos_sin_pi<false>(uniform() - 0.5, cosine, sine);
    return (bits() >> 63 != 0 ? -radius : radius) * cosine;
  }
  /// An integer below a range.
  inline unsigned long below(const Range& range) {
    unsigned long value;
    while (!range.take(bits(), value)) {
    }
    return value;
  }

 private:
  const PhiloxStream& stream_;
  unsigned long element_;
  Words words_{};
  unsigned step_ = 0;
  bool has_more_ = false;
};

/// What a parameter has to be; the texts of the errors are in internal/random/checks.cc.
enum class Check : unsigned char {
  any,
  number,  ///< anything but NaN
  not_negative,
  positive,
  mean_of_counts,  ///< >= 0, such that the counts are within 64 bits
  above_one,
  probability,           ///< [0, 1]
  positive_probability,  ///< (0, 1]
  below_one,             ///< [0, 1)
};

CUPYXX_FN bool satisfies(Check check, double x) {
  switch (check) {
    case Check::not_negative:
      return x >= 0;
    case Check::positive:
      return x > 0;
    case Check::mean_of_counts:
      return x >= 0 && x <= 9.223372006484771e18;
    case Check::above_one:
      return x > 1;
    case Check::probability:
      return x >= 0 && x <= 1;
    case Check::positive_probability:
      return x > 0 && x <= 1;
    case Check::below_one:
      return x >= 0 && x < 1;
    case Check::number:
      return x == x;
    default:
      return true;
  }
}

/// Distributions by type.
template <class... D>
struct DistributionList {};

}  // namespace cupyxx::random
