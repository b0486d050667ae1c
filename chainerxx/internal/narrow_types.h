// SPDX-License-Identifier: MIT
// The 16-bit types of a PrecisionScope beside float32.
#pragma once

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/scope.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal {

inline bool is_narrow(cupyxx::dtype type) {
  return type == cupyxx::float16 || type == cupyxx::bfloat16_;
}

/// Whether a parameter beside x keeps more digits than x has: float32 beside float16 or bfloat16.
/// Functions ask for equal dtypes where they take no such pair, or when it is another one.
inline bool is_wide_parameter(cupyxx::dtype x, cupyxx::dtype parameter) {
  return is_narrow(x) && parameter == cupyxx::float32;
}

/// What the thread's precision makes of a float32 array that a product reads; other dtypes stay.
inline cupyxx::dtype narrowed(cupyxx::dtype type) {
  if (type != cupyxx::float32) return type;
  const Precision precision = current_precision();
  return precision == Precision::bfloat16  ? cupyxx::bfloat16_
         : precision == Precision::float16 ? cupyxx::float16
                                           : type;
}

/// Whether functions of this thread multiply in a 16-bit type.
inline bool multiplies_narrow() { return narrowed(cupyxx::float32) != cupyxx::float32; }

/// What functions of the rule PrecisionRule::wide make of an input, for those that are made of
/// other functions.
inline Variable widened(const Variable& x) {
  if (x.is_none() || !is_narrow(x.dtype()) || !multiplies_narrow()) return x;
  return functions::cast(x, cupyxx::float32);
}

/// float32 for what has 16 bits: squares and sums leave their range where the mean does not.
inline Variable in_float32(const Variable& x) {
  if (x.is_none() || !is_narrow(x.dtype())) return x;
  return functions::cast(x, cupyxx::float32);
}
inline cupyxx::ndarray in_float32(const cupyxx::ndarray& x) {
  return is_narrow(x.dtype()) ? x.astype(cupyxx::float32) : x;
}
/// What was made of in_float32(x) has the type of x again, unless the thread's precision keeps
/// float32 for the rule PrecisionRule::wide.
inline Variable typed_as(const Variable& x, const Variable& made) {
  if (!is_narrow(x.dtype()) || multiplies_narrow()) return made;
  return functions::cast(made, x.dtype());
}

}  // namespace chainerxx::internal
