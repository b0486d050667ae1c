// SPDX-License-Identifier: MIT
// Calls that must be refused, as tables: the kind of the error and its text.
#pragma once

#include <functional>
#include <vector>

#include "chainerxx/variable.h"
#include "cupyxx/shape.h"

namespace chainerxx::testing {

/// A call and the error it must throw. `kind` is the name of the class; of `text`, which is held
/// exactly, a failed type check leaves out the line that names the function.
struct Refusal {
  const char* name;
  std::function<void()> call;
  const char* kind;
  const char* text;
};

/// Fails for each call that does not throw what its row says.
void expect_refusals(const std::vector<Refusal>& table);

/// Ones of a dtype as variables on the current device.
Variable f16(const cupyxx::Shape& shape);
Variable f32(const cupyxx::Shape& shape);
Variable f64(const cupyxx::Shape& shape);
/// Zeros of int32.
Variable i32(const cupyxx::Shape& shape);

}  // namespace chainerxx::testing
