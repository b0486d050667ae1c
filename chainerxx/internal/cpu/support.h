// SPDX-License-Identifier: MIT
// What the loops of this folder share.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/parallel.h"

/// Compiles a loop for several instruction sets and picks one when the program starts. Not under
/// sanitizers, which cannot run that early.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Clang has no copies of templates.
#if defined(__clang__)
#define CHAINERXX_CLONES
#else
#define CHAINERXX_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define CHAINERXX_CLONES
#endif

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
    throw cupyxx::DtypeError("chainerxx: there is no loop for this dtype; " +
                             std::string(type.name()));
  }
}

template <class T>
using Element = std::remove_pointer_t<T>;

}  // namespace chainerxx::internal::cpu
