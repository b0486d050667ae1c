// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace chainerxx::functions {

/// What becomes of the losses of single samples or places: their mean, their sum, or nothing.
enum class Reduce : std::uint8_t { mean, sum, no };

}  // namespace chainerxx::functions
