// SPDX-License-Identifier: MIT
// Small data sets for tests.
#pragma once

#include <cstdint>
#include <string>

namespace examples {

/// Writes the images and labels of a part, "train" or "t10k", into a folder: 28 x 28 pixels whose
/// label is the number of the bright pair of rows, in noise.
void write_made_up_images(const std::string& folder, const std::string& part, std::uint32_t count);

}  // namespace examples
