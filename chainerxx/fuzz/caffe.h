// SPDX-License-Identifier: MIT
// A network of Caffe's, binary or as text, read and run.
#pragma once

#include <string_view>

namespace chainerxx::fuzz {

/// Writes `bytes` to a file of this name, reads it as a network, runs it. A network may ask for any
/// amount of memory: more than a little is an error here.
void read_network(const char* name, std::string_view bytes);

}  // namespace chainerxx::fuzz
