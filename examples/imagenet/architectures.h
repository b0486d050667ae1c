// SPDX-License-Identifier: MIT
// The networks of this folder by name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "examples/imagenet/network.h"

namespace imagenet {

struct Architecture {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<Network> (*make)(std::int64_t classes);
};

/// All of them.
std::span<const Architecture> architectures();
/// The names, joined by '|'.
std::string architecture_names();
/// Makes a network on the current device. Throws cupyxx::ValueError for an unknown name.
std::unique_ptr<Network> make_network(std::string_view name, std::int64_t classes = 1000);

}  // namespace imagenet
