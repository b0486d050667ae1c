// SPDX-License-Identifier: MIT
// Device-safe. The errors of a parameter outside of its range, and of two of which the wrong one is
// the larger, beside those of error_word.h: the word's value has the bits of the parameter, its
// bound those of the second.
#pragma once

namespace cupyxx::internal::kernels {
inline constexpr unsigned kBadParameter = 16;
inline constexpr unsigned kBadOrder = 17;
}  // namespace cupyxx::internal::kernels
