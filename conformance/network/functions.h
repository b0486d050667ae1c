// SPDX-License-Identifier: MIT
// The functions of chainerxx by the names of the reference cases.
#pragma once

#include <string>

#include "conformance/network/case.h"

namespace conformance {

using NetworkCall = NetworkResult (*)(const NetworkCase& c);

/// A function without parameters, or null.
NetworkCall find_function(const std::string& name);
/// A function with parameters, or null.
NetworkCall find_link(const std::string& name);
/// The form of a function with parameters that takes them as variables, or null.
NetworkCall find_functional(const std::string& name);

/// An optimizer's steps, a training, a numerical gradient: what differs, or nothing.
std::string run_optimizer(const NetworkCase& c);
std::string run_training(const NetworkCase& c);
std::string run_numerical_grad(const NetworkCase& c);

}  // namespace conformance
