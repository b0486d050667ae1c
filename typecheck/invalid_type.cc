// SPDX-License-Identifier: MIT
#include "typecheck/invalid_type.h"

namespace typecheck {

InvalidType::InvalidType(const std::string& expect, const std::string& actual,
                         const std::string& operation)
    : Error((operation.empty() ? "" : operation + ": invalid types of the inputs\n") +
            "Expect: " + expect + "\nActual: " + actual),
      expect_(expect),
      actual_(actual) {}

InvalidType::~InvalidType() = default;

}  // namespace typecheck
