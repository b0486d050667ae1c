// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace chainerxx {

/// Parameters of an optimizer that learn at a rate of their own. Assignments to the factors take
/// effect with the next update.
struct ParameterGroup {
  std::string name;
  double rate = 1;   ///< times the learning rate of the algorithm; 0: updates pass over them
  double decay = 1;  ///< times the decay of weights, whichever way it is asked for
  std::vector<std::string> parameters{};  ///< names, as "l1/W"
};

/// The factors that a new group begins with.
struct GroupOptions {
  double rate = 1;
  double decay = 1;
};

}  // namespace chainerxx
