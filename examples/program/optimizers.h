// SPDX-License-Identifier: MIT
// Rules of the updates by name.
#pragma once

#include <memory>
#include <string>

#include "chainerxx/optimizer.h"
#include "examples/program/flags.h"

namespace examples {

/// The flag --optimizer, which takes the names of the rules below.
Flag optimizer_flag(std::string& target);

/// The rule "adam", "sgd" or "momentum_sgd" with its usual numbers. Throws UsageError for another
/// name.
std::unique_ptr<chainerxx::Optimizer> make_optimizer(const std::string& name);

}  // namespace examples
