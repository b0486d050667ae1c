// SPDX-License-Identifier: MIT
// Labelled images for training: files of arrays, or made up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/ndarray.h"
#include "cupyxx/random/random_state.h"

namespace imagenet {

/// Pictures and labels on the host; those of files are read when they are needed.
struct Images {
  cupyxx::ndarray pixels;  // (n, 3, h, w) uint8
  cupyxx::ndarray labels;  // (n,) int32

  std::int64_t size() const { return pixels.shape()[0]; }
};

/// npy files, of which that of the pixels stays where it is. Throws UserError when they do not fit
/// together, or are smaller than `insize`.
Images open_images(const std::string& pixels, const std::string& labels, std::int64_t insize,
                   std::int64_t classes);

/// Noise in front of a colour for each class: something to learn where there are no files.
Images made_up_images(std::int64_t count, std::int64_t insize, std::int64_t classes);

/// Images of one size and labels of a batch, on the current device.
struct Batch {
  cupyxx::ndarray x;  // (n, 3, insize, insize) float32, about -1 to 1
  cupyxx::ndarray t;  // (n,) int32
};

/// Where an image is cut out, and whether it becomes its mirror image.
struct Cut {
  std::int64_t top = 0, left = 0;
  bool is_mirrored = false;
};

/// For training: so many places, drawn on the host.
std::vector<Cut> random_cuts(const Images& images, std::int64_t count, std::int64_t insize,
                             cupyxx::random::RandomState& random);

/// The images with these numbers, an int64 array on the host, each cut out at its place; without
/// places the middle is taken.
Batch cut_out(const Images& images, const cupyxx::ndarray& numbers, std::int64_t insize,
              std::span<const Cut> cuts = {});

}  // namespace imagenet
