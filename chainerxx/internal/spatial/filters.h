// SPDX-License-Identifier: MIT
// Filters of convolutions and images in the forms that libraries read on devices.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// W, of shape (o, c, kh, kw), in a dtype and layout: itself, or a copy, which is kept with W where
/// W is a parameter of another form, with the channels last on a multiple of 16 bytes. `channels`,
/// if more than W's, have zeros behind W's own.
ndarray filters_in_form(const ndarray& W, cupyxx::dtype dtype, bool channels_last,
                        std::int64_t channels);
/// gW += its first channels, in place, on devices; gW is C-contiguous, of dW's dtype or float32.
void add_filters(const ndarray& dW, const ndarray& gW);

/// The channels that images which lie channels last are given: a pack where they have fewer, which
/// libraries read an element at a time.
std::int64_t padded_channels(std::int64_t channels, cupyxx::dtype dtype);
/// x channels last with so many channels, those behind its own zeros, on a multiple of 16 bytes.
ndarray padded_pixels(const ndarray& x, std::int64_t channels);

}  // namespace chainerxx::internal
