// SPDX-License-Identifier: MIT
// What is looked at before a function computes.
#pragma once

#include <span>

#include "chainerxx/function.h"

namespace chainerxx::internal {

/// Throws InvalidType, which names the function, for inputs that it does not take.
void check_types(const Function& f, ArraySpan arrays);
/// What a function cannot work without, and somebody has taken away or replaced: kernels read what
/// they are given. Parameters have one dtype. Throws TypeError and DtypeError.
void check_parameters(const Function& f, std::span<const Field> fields);
/// Throws ShapeError or DtypeError where the gradient of a parameter is not such as it is, before
/// backward adds to it.
void check_gradient_of(const Function& f, const Field& field);
/// Throws ValueError where backward cannot add to a gradient: a read-only one, or the parameter.
void check_gradient_is_written(const Function& f, const Field& field);
/// Arrays of two devices do not meet in one function: kernels read what they are given.
void check_devices(const Function& f, ArraySpan arrays, std::span<const Field> fields);

}  // namespace chainerxx::internal
