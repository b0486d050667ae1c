// SPDX-License-Identifier: MIT
#pragma once

namespace chainerxx {

/// The version of chainerxx, as in chainerxx/VERSION.
inline constexpr const char* version = "0.1.0";

}  // namespace chainerxx
