// SPDX-License-Identifier: MIT
#pragma once

namespace typecheck {

/// The version of typecheck, as in typecheck/VERSION.
inline constexpr const char* version = "0.1.0";

}  // namespace typecheck
