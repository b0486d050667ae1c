// SPDX-License-Identifier: MIT
// Starting values of parameters.
#pragma once

#include <string>

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/random.h"

namespace chainerxx::internal {

/// True while deep_copy makes a set whose functions will be replaced by clones: a parameterised
/// function then leaves its arrays null and draws no random number.
CUPYXX_API bool skips_initialization();

/// Normal numbers of mean 0 on the current device, in any floating dtype.
inline cupyxx::ndarray normal(const cupyxx::Shape& shape, double deviation, cupyxx::dtype dtype) {
  const bool is_direct = dtype == cupyxx::float32 || dtype == cupyxx::float64;
  const auto drawn = cupyxx::random::normal(
      shape, {.scale = deviation, .dtype = is_direct ? dtype : cupyxx::float32});
  return is_direct ? drawn : drawn.astype(dtype);
}

/// The user's initial value, when its shape is as it must be.
inline const cupyxx::ndarray& checked_initial(const char* function, const char* name,
                                              const cupyxx::ndarray& value,
                                              const cupyxx::Shape& shape) {
  if (value.shape() == shape) return value;
  throw cupyxx::ShapeError(std::string(function) + ": " + name + " has the wrong shape; " +
                           value.shape().str() + " instead of " + shape.str());
}

}  // namespace chainerxx::internal
