// SPDX-License-Identifier: MIT
// Orders of examples.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/datasets/dataset.h"

namespace chainerxx::internal {

/// 0, 1, ..., n - 1 in a random order.
std::vector<std::int64_t> random_order(std::int64_t n, datasets::ExampleRandom& random);

/// A seed drawn from the default random stream.
std::uint64_t drawn_seed();

}  // namespace chainerxx::internal
