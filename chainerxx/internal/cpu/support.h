// SPDX-License-Identifier: MIT
// What the loops of this folder share.
#pragma once

#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/instruction_set.h"
#include "cupyxx/extension/parallel.h"

namespace chainerxx::internal::cpu {

using cupyxx::extension::Arch;
using cupyxx::extension::kGrain;
using cupyxx::extension::parallel_for;
using cupyxx::extension::with_arch;

/// Calls `body` with a null pointer of the element type.
template <class Body>
void visit_type(cupyxx::dtype type, Body&& body) {
  if (type == cupyxx::float32) {
    body(static_cast<float*>(nullptr));
  } else if (type == cupyxx::float64) {
    body(static_cast<double*>(nullptr));
  } else if (type == cupyxx::float16) {
    body(static_cast<cupyxx::half*>(nullptr));
  } else if (type == cupyxx::bfloat16_) {
    body(static_cast<cupyxx::bfloat16*>(nullptr));
  } else {
    throw cupyxx::DtypeError(
        cupyxx::message("chainerxx: there is no loop for this dtype; ", type.name()));
  }
}

template <class T>
using Element = std::remove_pointer_t<T>;

}  // namespace chainerxx::internal::cpu
