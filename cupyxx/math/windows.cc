// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/ops/special_math.h"
#include "cupyxx/special.h"

namespace cupyxx {

namespace {

constexpr double kPi = 3.14159265358979323846;

// The window of f, which takes some of the numbers 1 - m, 3 - m, ..., m - 1, and m - 1. Made on the
// host, in pieces whose intermediate arrays stay in the nearest caches; the second half is the
// first one reversed.
template <class F>
ndarray window(std::int64_t m, F f) {
  constexpr std::int64_t kPiece = 4096;
  if (m < 1) return zeros({0});
  if (m == 1) return ones({1});
  const Device device = current_device();
  const DeviceScope scope(Device::cpu());
  const ndarray result = empty({m});
  const std::int64_t half = m / 2, middle = m - half;
  for (std::int64_t begin = 0; begin < middle; begin += kPiece) {
    const std::int64_t end = std::min(middle, begin + kPiece), mirrored = std::min(half, end);
    const auto first = static_cast<double>(1 - m + 2 * begin);
    const ndarray piece =
        f(arange(first, static_cast<double>(2 * end - m), 2.0), static_cast<double>(m - 1));
    result(slice(begin, end)) = piece;
    result(slice(m - mirrored, m - begin)) = piece(slice(mirrored - begin))(slice(none, none, -1));
  }
  return result.to(device);
}

// The series of positive terms would be long from here on.
constexpr double kFar = 400;

// The modified Bessel function of order 0 at the root of 4 * quarter.
double bessel(double quarter) {
  double term = 1, sum = 1;
  for (double k = 1; term > sum * 1e-17; ++k) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

}  // namespace

ndarray bartlett(internal::Int64 m) {
  return window(m, [](const ndarray& n, double width) { return 1 - absolute(n / width); });
}

ndarray blackman(internal::Int64 m) {
  return window(m, [](const ndarray& n, double width) {
    return 0.42 + 0.5 * cos(kPi * n / width) + 0.08 * cos(2.0 * kPi * n / width);
  });
}

ndarray hamming(internal::Int64 m) {
  return window(m,
                [](const ndarray& n, double width) { return 0.54 + 0.46 * cos(kPi * n / width); });
}

ndarray hanning(internal::Int64 m) {
  return window(m, [](const ndarray& n, double width) { return 0.5 + 0.5 * cos(kPi * n / width); });
}

ndarray kaiser(internal::Int64 m, double beta) {
  return window(m, [beta](const ndarray& n, double width) {
    const ndarray weights = n / width;
    auto* values = static_cast<double*>(weights.elements());
    const double quarter = beta * beta / 4, size = std::abs(beta);
    const double whole = quarter > kFar ? ops::special::scaled_i0(size) : bessel(quarter);
    for (std::int64_t i = 0; i < weights.size(); ++i) {
      const double part = std::max(0.0, 1 - values[i] * values[i]);
      if (quarter > kFar) {  // both are too large, their ratio is not
        const double at = size * std::sqrt(part);
        values[i] = ops::special::scaled_i0(at) / whole * std::exp(at - size);
      } else {
        values[i] = bessel(quarter * part) / whole;
      }
    }
    return weights;
  });
}

}  // namespace cupyxx
