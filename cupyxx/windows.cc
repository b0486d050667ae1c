// SPDX-License-Identifier: MIT
#include "cupyxx/windows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace cupyxx {

namespace {

constexpr double kPi = 3.14159265358979323846;

// The window of f at 1 - m, 3 - m, ..., m - 1, divided by m - 1.
template <class F>
ndarray window(std::int64_t m, F f) {
  if (m < 1) return zeros({0});
  if (m == 1) return ones({1});
  std::vector<double> weights(static_cast<std::size_t>(m));
  for (std::int64_t i = 0; i < m; ++i) {
    weights[static_cast<std::size_t>(i)] =
        f(static_cast<double>(1 - m + 2 * i), static_cast<double>(m - 1));
  }
  return array(weights);
}

}  // namespace

ndarray bartlett(std::int64_t m) {
  return window(m, [](double n, double width) { return n <= 0 ? 1 + n / width : 1 - n / width; });
}

ndarray blackman(std::int64_t m) {
  return window(m, [](double n, double width) {
    return 0.42 + 0.5 * std::cos(kPi * n / width) + 0.08 * std::cos(2.0 * kPi * n / width);
  });
}

ndarray hamming(std::int64_t m) {
  return window(m, [](double n, double width) { return 0.54 + 0.46 * std::cos(kPi * n / width); });
}

ndarray hanning(std::int64_t m) {
  return window(m, [](double n, double width) { return 0.5 + 0.5 * std::cos(kPi * n / width); });
}

ndarray kaiser(std::int64_t m, double beta) {
  return window(m, [beta](double n, double width) {
    const double at = n / width;
    return std::cyl_bessel_i(0.0, beta * std::sqrt(std::max(0.0, 1 - at * at))) /
           std::cyl_bessel_i(0.0, beta);
  });
}

}  // namespace cupyxx
