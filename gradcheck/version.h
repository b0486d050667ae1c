// SPDX-License-Identifier: MIT
#pragma once

namespace gradcheck {

/// The version of gradcheck, as in gradcheck/VERSION.
inline constexpr const char* version = "0.1.0";

}  // namespace gradcheck
