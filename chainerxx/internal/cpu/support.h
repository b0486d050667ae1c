// SPDX-License-Identifier: MIT
// What the loops of this folder share.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/clones.h"
#include "cupyxx/internal/cpu/parallel.h"

/// A loop compiled for several instruction sets.
#define CHAINERXX_CLONES CUPYXX_CLONES("avx512f")

namespace chainerxx::internal::cpu {

using cupyxx::internal::cpu::kGrain;
using cupyxx::internal::cpu::parallel_for;

/// Calls `body` with a null pointer of the element type.
template <class Body>
void visit_type(cupyxx::dtype type, Body&& body) {
  if (type == cupyxx::float32) {
    body(static_cast<float*>(nullptr));
  } else if (type == cupyxx::float64) {
    body(static_cast<double*>(nullptr));
  } else if (type == cupyxx::float16) {
    body(static_cast<cupyxx::half*>(nullptr));
  } else {
    throw cupyxx::DtypeError(
        cupyxx::message("chainerxx: there is no loop for this dtype; ", type.name()));
  }
}

template <class T>
using Element = std::remove_pointer_t<T>;

}  // namespace chainerxx::internal::cpu
