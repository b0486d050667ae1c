// SPDX-License-Identifier: MIT
// Caffe's files.
#pragma once

#include <string>

#include "chainerxx/functions/caffe/caffe.pb.h"

namespace chainerxx::internal {

/// Reads a network: text when the name ends in ".prototxt", else the binary form. Layers of the
/// older encoding are given in the newer one. Throws ValueError, naming the file, for one that
/// cannot be read or holds no layers.
caffe_files::Network read_network(const std::string& path);

}  // namespace chainerxx::internal
