// SPDX-License-Identifier: MIT
// How many devices there can be: for tables with a row for each.
#pragma once

namespace cupyxx::extension {

/// A machine's further CUDA devices are not used.
inline constexpr int kMaxDevices = 64;
/// The host, in row 0, and the CUDA devices.
inline constexpr int kMaxPlaces = 1 + kMaxDevices;

}  // namespace cupyxx::extension
