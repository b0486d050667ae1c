// SPDX-License-Identifier: MIT
// Truth values as bits, on the host.
#pragma once

#include <cstdint>

namespace cupyxx::internal::cpu {

/// Makes bits of the first values of n, by vectors, 64 at a time; returns of how many. With
/// `swapped` the first value of eight is the highest bit of a byte.
std::int64_t pack_bits(const std::uint8_t* from, std::int64_t n, bool swapped, std::uint8_t* to);

}  // namespace cupyxx::internal::cpu
