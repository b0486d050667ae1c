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
/// Of this thread.
CUPYXX_API void set_skips_initialization(bool skips);

/// Throws DtypeError for parameters that are not floating.
inline void check_floating(const char* function, cupyxx::dtype dtype) {
  if (dtype.kind() == 'f' || dtype == cupyxx::bfloat16_) return;
  throw cupyxx::DtypeError(cupyxx::message(function, ": parameters are floating; ", dtype.name()));
}

/// Throws ValueError when a size of a parameter is negative.
inline void check_sizes(const char* function, const cupyxx::Shape& sizes) {
  for (const std::int64_t size : sizes) {
    if (size >= 0) continue;
    throw cupyxx::ValueError(cupyxx::message(function, ": a size is negative; ", sizes));
  }
}

/// Normal numbers of mean 0 on the current device, in any floating dtype.
inline cupyxx::ndarray normal(const cupyxx::Shape& shape, double deviation, cupyxx::dtype dtype) {
  check_floating("normal", dtype);
  const bool is_direct = dtype == cupyxx::float32 || dtype == cupyxx::float64;
  const auto drawn = cupyxx::random::normal(
      shape, {.scale = deviation, .dtype = is_direct ? dtype : cupyxx::float32});
  return is_direct ? drawn : drawn.astype(dtype);
}

/// The user's initial value, when its shape is as it must be and it is floating.
inline const cupyxx::ndarray& checked_initial(const char* function, const char* name,
                                              const cupyxx::ndarray& value,
                                              const cupyxx::Shape& shape) {
  check_floating((std::string(function) + ": " + name).c_str(), value.dtype());
  if (value.shape() == shape) return value;
  throw cupyxx::ShapeError(cupyxx::message(function, ": ", name, " has the wrong shape; ",
                                           value.shape(), " instead of ", shape));
}

/// The same for a bias, which has the dtype of the weights.
inline const cupyxx::ndarray& checked_bias(const char* function, const char* name,
                                           const cupyxx::ndarray& value, const cupyxx::Shape& shape,
                                           cupyxx::dtype weights) {
  if (value.dtype() == weights) return checked_initial(function, name, value, shape);
  throw cupyxx::DtypeError(cupyxx::message(function, ": ", name, " has another dtype than W; ",
                                           value.dtype().name(), " and ", weights.name()));
}

/// Noise that the user gives must be like the input.
inline void check_noise(const char* function, const char* name, const cupyxx::ndarray& noise,
                        const cupyxx::ndarray& x) {
  if (noise.shape() == x.shape() && noise.dtype() == x.dtype()) return;
  const std::string text =
      cupyxx::message(function, ": ", name, " is not like the input; ", noise.shape(), " ",
                      noise.dtype().name(), " and ", x.shape(), " ", x.dtype().name());
  if (noise.shape() != x.shape()) throw cupyxx::ShapeError(text);
  throw cupyxx::DtypeError(text);
}

}  // namespace chainerxx::internal
