// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/scope.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal {

/// Whether a layer with parameters of one dtype takes an input of another: of the same, and in a
/// PrecisionScope of a narrower type of that one beside float32.
inline bool takes_beside(cupyxx::dtype parameter, cupyxx::dtype input) {
  if (input == parameter) return true;
  const Precision precision = current_precision();
  return parameter == cupyxx::float32 &&
         ((precision == Precision::bfloat16 && input == cupyxx::bfloat16_) ||
          (precision == Precision::float16 && input == cupyxx::float16));
}

}  // namespace chainerxx::internal
