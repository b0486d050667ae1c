// SPDX-License-Identifier: MIT
#include "conformance/shapes/beside.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "cupyxx/cupyxx.h"

namespace conformance {

namespace cp = cupyxx;
using cp::ndarray;

Beside::Beside(cp::Device device, std::uint64_t seed, std::ostream& out)
    : device_(device), bits_(seed), out_(out) {
  cp::random::seed(seed);
}

std::int64_t Beside::number(std::int64_t last) {
  return static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(last + 1));
}

std::int64_t Beside::extent(std::int64_t first, std::int64_t last) {
  const double share = static_cast<double>(number(1'000'000)) / 1e6;
  const double low = std::log(static_cast<double>(first));
  const double high = std::log(static_cast<double>(last));
  std::int64_t drawn = std::llround(std::exp(low + share * (high - low)));
  if (chance(3)) drawn = (drawn + 31) / 32 * 32;
  return std::clamp(drawn, first, last);
}

ndarray Beside::normal(const cp::Shape& shape, cp::dtype type) {
  const cp::DeviceScope on_host(cp::Device::cpu());
  const ndarray drawn = cp::random::normal(0, 1, {.size = shape, .dtype = cp::float32});
  if (type == cp::bool_) return drawn > 0;
  if (type == cp::uint8) return cp::abs(drawn * 10).astype(type);
  return type.is_integer() ? (drawn * 10).astype(type) : drawn.astype(type);
}

void Beside::compare(const std::string& what, const ndarray& found, const ndarray& expected,
                     double bound, double usual) {
  ++compared_;
  const cp::DeviceScope on_host(cp::Device::cpu());
  std::string fault;
  if (!(found.shape() == expected.shape())) {
    fault = cp::message("shape ", found.shape(), " in place of ", expected.shape());
  } else if (expected.size() != 0) {
    const ndarray a = found.to_cpu().astype(cp::float64), b = expected.to_cpu().astype(cp::float64);
    const double largest = std::max(cp::max(cp::abs(b)).item<double>(), usual);
    const double off = cp::max(cp::abs(a - b)).item<double>() / (largest > 0 ? largest : 1);
    if (!(off <= bound))
      fault = cp::message("differs by ", cp::Scalar(off), ", more than ", cp::Scalar(bound));
  }
  if (fault.empty()) return;
  ++differing_;
  out_ << what << ": " << fault << std::endl;
}

std::int64_t compare_shapes(Beside& beside, std::int64_t turns) {
  const cp::DeviceScope draw_on_host(cp::Device::cpu());
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    compare_products(beside);
    compare_routines(beside);
    compare_layers(beside);
  }
  return beside.differing();
}

}  // namespace conformance
