// SPDX-License-Identifier: MIT
// Device-safe. The error of a parameter outside of its range, beside those of error_word.h: the
// word's value has the bits of the parameter.
#pragma once

namespace cupyxx::internal::kernels {
inline constexpr unsigned kBadParameter = 16;
}
