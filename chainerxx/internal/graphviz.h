// SPDX-License-Identifier: MIT
// Drawings by graphviz, a program that may be installed or not.
#pragma once

#include <string>

namespace chainerxx::internal {

/// What the program `dot` makes of a text in its language: "svg", "png", "pdf". Throws IOError when
/// it is not installed, and with its own words when it fails.
std::string draw(const std::string& text, const std::string& format);

}  // namespace chainerxx::internal
