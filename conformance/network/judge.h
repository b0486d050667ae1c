// SPDX-License-Identifier: MIT
// Compares results of network functions with reference arrays.
#pragma once

#include <string>

#include "conformance/network/case.h"

namespace conformance {

/// What differs between a result and member `key` of a case; empty when nothing does. A result may
/// be `slack` times as far from float64's as a single function's: 4 times the oracle's own distance
/// but at least 8 ulp of the largest element; without float64's results within 1e-5 (float64) or
/// 2e-4 (others) of each element.
std::string judge(const NetworkCase& c, const std::string& key, const ndarray& found,
                  double slack = 1);

}  // namespace conformance
