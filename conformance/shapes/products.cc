// SPDX-License-Identifier: MIT
// Products of matrices and of stacks of them, in every floating type and int32.
#include <algorithm>
#include <cmath>

#include "conformance/shapes/beside.h"
#include "cupyxx/cupyxx.h"

namespace conformance {
namespace {

namespace cp = cupyxx;
using cp::ndarray;

constexpr std::int64_t kMostOnDevice = std::int64_t{1} << 28, kMostOnHost = std::int64_t{1} << 22;

/// Twice the rounding of one product and its sum.
double bound_of(cp::dtype type) {
  if (type == cp::float16) return 0x1p-9;
  if (type == cp::bfloat16_) return 0x1p-6;
  if (type == cp::float64) return 2e-14;
  return type == cp::int32 ? 0 : 6e-6;
}

}  // namespace

void compare_products(Beside& beside) {
  constexpr cp::dtype::Code kTypes[] = {cp::dtype::Code::float32,  cp::dtype::Code::float32,
                                        cp::dtype::Code::float32,  cp::dtype::Code::float16,
                                        cp::dtype::Code::bfloat16, cp::dtype::Code::float64,
                                        cp::dtype::Code::int32};
  const cp::dtype type = kTypes[beside.number(std::ssize(kTypes) - 1)];
  std::int64_t m = beside.extent(1, 4096), n = beside.extent(1, 4096), k = beside.extent(1, 4096);
  std::int64_t batch = beside.chance(3) ? beside.extent(1, 64) : 0;
  // Those of integers are not the library's.
  const std::int64_t most = beside.device().is_cpu() ? kMostOnHost
                            : type == cp::int32      ? kMostOnDevice >> 4
                                                     : kMostOnDevice;
  while (m * n * k * std::max<std::int64_t>(batch, 1) > most) {
    m = (m + 1) / 2;
    n = (n + 1) / 2;
    k = (k + 1) / 2;
    if (batch > 4) batch /= 2;
  }
  const auto shape = [&](std::int64_t rows, std::int64_t columns) {
    return batch == 0 ? cp::Shape{rows, columns} : cp::Shape{batch, rows, columns};
  };
  const bool flips_a = beside.chance(2), flips_b = beside.chance(2);
  const ndarray a = beside.normal(flips_a ? shape(k, m) : shape(m, k), type);
  const ndarray b = beside.normal(flips_b ? shape(n, k) : shape(k, n), type);
  const auto turned = [](const ndarray& x, bool flips) {
    return flips ? cp::swapaxes(x, -1, -2) : x;
  };
  const cp::dtype wide = type == cp::int32 ? cp::int64 : cp::float64;
  const ndarray expected =
      cp::matmul(turned(a.astype(wide), flips_a), turned(b.astype(wide), flips_b));
  const ndarray found =
      cp::matmul(turned(a.to(beside.device()), flips_a), turned(b.to(beside.device()), flips_b));
  beside.compare(cp::message("matmul ", m, " x ", n, " x ", k, ", batch ", batch, ", transposed ",
                             int{flips_a}, int{flips_b}, ", ", type.name()),
                 found, expected, bound_of(type), std::sqrt(static_cast<double>(k)));
}

}  // namespace conformance
