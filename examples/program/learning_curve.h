// SPDX-License-Identifier: MIT
// The course of a training as a picture.
#pragma once

#include <span>
#include <string>

#include "examples/program/results.h"

namespace examples {

/// An SVG with loss and accuracy of each epoch, on training and on test images. Values that are
/// not finite leave gaps.
std::string learning_curve_svg(std::span<const EpochResult> epochs);

/// Writes that picture to a file, which appears as a whole or not at all. Throws cupyxx::IOError,
/// naming it, when that fails.
void save_learning_curve(const std::string& path, std::span<const EpochResult> epochs);

}  // namespace examples
