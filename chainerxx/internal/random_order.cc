// SPDX-License-Identifier: MIT
#include "chainerxx/internal/random_order.h"

#include <cstring>
#include <string>
#include <utility>

#include "cupyxx/random.h"

namespace chainerxx::internal {

std::vector<std::int64_t> random_order(std::int64_t n, datasets::ExampleRandom& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) order[i] = i;
  for (std::int64_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

std::uint64_t drawn_seed() {
  const std::string bytes = cupyxx::random::bytes(8);
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return seed;
}

}  // namespace chainerxx::internal
