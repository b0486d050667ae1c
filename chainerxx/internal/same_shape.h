// SPDX-License-Identifier: MIT
// Functions made of arithmetic, which broadcasts, where broadcasting would be a mistake.
#pragma once

#include <initializer_list>

#include "chainerxx/variable.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {

/// Throws TypeError, naming the operation, for None.
inline void refuse_none(const char* operation, std::initializer_list<const Variable*> inputs) {
  int number = 0;
  for (const Variable* input : inputs) {
    if (input->is_none()) {
      throw cupyxx::TypeError(cupyxx::message(operation, ": input ", number, " is None"));
    }
    ++number;
  }
}

/// Throws TypeError for None and ShapeError for inputs of several shapes.
inline void expect_same_shape(const char* operation,
                              std::initializer_list<const Variable*> inputs) {
  refuse_none(operation, inputs);
  const cupyxx::Shape shape = (*inputs.begin())->shape();
  for (const Variable* input : inputs) {
    if (input->shape() == shape) continue;
    throw cupyxx::ShapeError(
        cupyxx::message(operation, ": the shapes differ; ", shape, " and ", input->shape()));
  }
}

}  // namespace chainerxx::internal
