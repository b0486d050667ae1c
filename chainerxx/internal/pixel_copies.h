// SPDX-License-Identifier: MIT
// Channels of images that lie channels last, cut out of and put into others.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// Writes the elements of `from` to `to`, a view of some channels of images; both lie channels
/// last, on one device, with one dtype and shape.
void copy_channels(const ndarray& to, const ndarray& from);
/// The channels [begin, end) of images that lie channels last, without gaps.
ndarray cut_channels(const ndarray& images, std::int64_t begin, std::int64_t end);

}  // namespace chainerxx::internal
