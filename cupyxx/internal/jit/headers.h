// SPDX-License-Identifier: MIT
// The device-safe headers of this repository, embedded as text: what programs include by name.
#pragma once

#include <string_view>
#include <vector>

#include "cupyxx/extension/device_text.h"
#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {

using extension::DeviceText;

/// The embedded headers that a text includes, directly or not.
struct IncludedHeaders {
  std::vector<const DeviceText*> headers;
  Hash128 hash;  // of their names and texts
};
IncludedHeaders included_headers(std::string_view text);

}  // namespace cupyxx::internal::jit
