// SPDX-License-Identifier: MIT
// Names of drawings.
#pragma once

#include <string>

namespace chainerxx::training::internal {

/// Throws ValueError for the name of another kind of picture than an SVG, which it would hold.
void check_picture_name(const char* operation, const std::string& name);

}  // namespace chainerxx::training::internal
