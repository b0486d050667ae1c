// SPDX-License-Identifier: MIT
#include "chainerxx/utils/walker_alias.h"

#include <cmath>
#include <cstdint>
#include <numeric>

#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::utils {

using cupyxx::ndarray;

WalkerAlias::WalkerAlias(const std::vector<double>& probs) {
  const std::size_t n = probs.size();
  if (n == 0) throw cupyxx::ValueError("WalkerAlias: there are no probabilities");
  for (const double p : probs) {
    if (p >= 0 && std::isfinite(p)) continue;
    throw cupyxx::ValueError(
        cupyxx::message("WalkerAlias: this is no probability; ", cupyxx::Scalar(p)));
  }
  const double sum = std::accumulate(probs.begin(), probs.end(), 0.0);
  if (!(sum > 0)) throw cupyxx::ValueError("WalkerAlias: all probabilities are 0");

  // Slots of height 1: a small probability shares its slot with a part of a large one.
  std::vector<double> height(n), threshold(n, 1.0);
  std::vector<std::int32_t> values(2 * n), small, large;
  for (std::size_t i = 0; i < n; ++i) {
    height[i] = probs[i] / sum * static_cast<double>(n);
    values[2 * i] = values[2 * i + 1] = static_cast<std::int32_t>(i);
    (height[i] < 1 ? small : large).push_back(static_cast<std::int32_t>(i));
  }
  while (!small.empty() && !large.empty()) {
    const auto low = static_cast<std::size_t>(small.back());
    const auto high = static_cast<std::size_t>(large.back());
    small.pop_back();
    threshold[low] = height[low];
    values[2 * low + 1] = static_cast<std::int32_t>(high);
    height[high] -= 1 - height[low];
    if (height[high] >= 1) continue;
    large.pop_back();
    small.push_back(static_cast<std::int32_t>(high));
  }
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  threshold_ = cupyxx::array(threshold);
  values_ = cupyxx::array(values);
}

ndarray WalkerAlias::sample(const cupyxx::Shape& shape) const {
  const cupyxx::DeviceScope scope(threshold_.device());
  const ndarray place = cupyxx::random::uniform(
      shape, {.high = static_cast<double>(threshold_.size()), .dtype = cupyxx::float64});
  const ndarray slot = place.astype(cupyxx::int64);
  const ndarray second = cupyxx::greater_equal(place - slot, cupyxx::take(threshold_, slot));
  return cupyxx::take(values_, slot * 2 + second);
}

WalkerAlias& WalkerAlias::to_cpu() {
  threshold_ = threshold_.to_cpu();
  values_ = values_.to_cpu();
  return *this;
}

WalkerAlias& WalkerAlias::to_gpu() { return to_gpu(cupyxx::internal::current_cuda()); }
WalkerAlias& WalkerAlias::to_gpu(int device) { return to_gpu(cupyxx::Device::cuda(device)); }
WalkerAlias& WalkerAlias::to_gpu(cupyxx::Device device) {
  cupyxx::internal::check_cuda("to_gpu", device);
  threshold_ = threshold_.to(device);
  values_ = values_.to(device);
  return *this;
}

}  // namespace chainerxx::utils
