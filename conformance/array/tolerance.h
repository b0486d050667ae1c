// SPDX-License-Identifier: MIT
// How far a floating result may lie from NumPy's: a number of units in the last place of a scale.
#pragma once

#include <string>
#include <vector>

#include "cupyxx/ndarray.h"

namespace conformance {

struct Tolerance {
  double ulps = 0;   // 0: the same number
  double scale = 0;  // units are those of max(|expected|, scale)
  // A complex number with NaN in it stands for any other: which one an extreme gives depends on the
  // order in which elements meet.
  bool any_nan = false;
};

/// The bound of a routine for results of a dtype. `inputs` are the arrays it was given.
Tolerance tolerance_of(const std::string& routine, const std::vector<cupyxx::ndarray>& inputs,
                       const cupyxx::ndarray& expected);

/// The distance between neighbours of `type` at a magnitude.
double unit_in_last_place(cupyxx::dtype type, double magnitude);

}  // namespace conformance
