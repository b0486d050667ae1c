// SPDX-License-Identifier: MIT
// What messages say of an array that does not fit.
#pragma once

#include <string>

#include "cupyxx/error.h"

namespace chainerxx::internal {

/// Shape, dtype and device of an array or a variable: "(2, 3) float32 on cpu".
template <class Array>
std::string form_text(const Array& a) {
  return cupyxx::message(a.shape(), " ", a.dtype().name(), " on ", a.device().name());
}

}  // namespace chainerxx::internal
