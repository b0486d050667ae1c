// SPDX-License-Identifier: MIT
#include "cupyxx/windows.h"

#include <algorithm>
#include <cmath>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

constexpr double kPi = 3.14159265358979323846;

// The window of f, which takes the array 1 - m, 3 - m, ..., m - 1 and m - 1. Made on the host.
template <class F>
ndarray window(std::int64_t m, F f) {
  if (m < 1) return zeros({0});
  if (m == 1) return ones({1});
  const Device device = current_device();
  const DeviceScope scope(Device::cpu());
  const auto end = static_cast<double>(m);
  return f(arange(1 - end, end, 2.0), end - 1).to(device);
}

// The modified Bessel function of order 0 at the root of 4 * quarter. The series has positive terms
// only, so that nothing cancels; far out it would take too many of them.
double bessel(double quarter) {
  constexpr double kFar = 400;
  if (quarter > kFar) return std::cyl_bessel_i(0.0, 2 * std::sqrt(quarter));
  double term = 1, sum = 1;
  for (double k = 1; term > sum * 1e-17; ++k) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

}  // namespace

ndarray bartlett(std::int64_t m) {
  return window(m, [](const ndarray& n, double width) { return 1 - absolute(n / width); });
}

ndarray blackman(std::int64_t m) {
  return window(m, [](const ndarray& n, double width) {
    return 0.42 + 0.5 * cos(kPi * n / width) + 0.08 * cos(2.0 * kPi * n / width);
  });
}

ndarray hamming(std::int64_t m) {
  return window(m,
                [](const ndarray& n, double width) { return 0.54 + 0.46 * cos(kPi * n / width); });
}

ndarray hanning(std::int64_t m) {
  return window(m, [](const ndarray& n, double width) { return 0.5 + 0.5 * cos(kPi * n / width); });
}

ndarray kaiser(std::int64_t m, double beta) {
  return window(m, [beta](const ndarray& n, double width) {
    const double quarter = beta * beta / 4, whole = bessel(quarter);
    const ndarray weights = n / width;
    auto* values = static_cast<double*>(weights.elements());
    for (std::int64_t i = 0; i < weights.size(); ++i) {
      values[i] = bessel(quarter * std::max(0.0, 1 - values[i] * values[i])) / whole;
    }
    return weights;
  });
}

}  // namespace cupyxx
