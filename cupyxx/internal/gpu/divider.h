// SPDX-License-Identifier: MIT
// The host's part of kernels::Divider.
#pragma once

#include <bit>
#include <cstdint>

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::gpu {

/// The divider for 0 < divisor < 2^31.
inline kernels::Divider make_divider(std::int64_t divisor) {
  const auto d = static_cast<std::uint32_t>(divisor);
  const auto shift = static_cast<std::uint32_t>(d <= 1 ? 0 : 32 - std::countl_zero(d - 1));
  const std::uint64_t one = 1;
  const auto magic = static_cast<std::uint32_t>((one << 32) * ((one << shift) - d) / d + 1);
  return {d, magic, shift};
}

}  // namespace cupyxx::internal::gpu
