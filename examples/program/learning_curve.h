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

/// Writes that picture to a file; throws UserError, naming it, when that fails.
void save_learning_curve(const std::string& path, std::span<const EpochResult> epochs);

/// Positions of about `count` round numbers (1, 2 or 5 times a power of ten apart) that cover
/// [low, high].
struct Ticks {
  double first = 0;
  double step = 1;
  int count = 2;
  double at(int i) const { return first + i * step; }
  double last() const { return at(count - 1); }
};
Ticks round_ticks(double low, double high, int count);

}  // namespace examples
