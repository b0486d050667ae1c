// SPDX-License-Identifier: MIT
// How a kernel says that its data is wrong: the first error of a stream is kept in pinned memory
// and thrown at the next synchronising call. Device-safe; the host's view is in
// internal/gpu/runtime.h.
#pragma once

namespace cupyxx::internal::kernels {

struct ErrorWord {
  unsigned int code;
  unsigned int operation;
  long long value;
  long long bound;
};

enum ErrorCode : unsigned int {
  kNoError,
  kIndexOutOfRange,
  kNegativePower,
  kNotFinite,
};

#ifdef __CUDACC__
/// Notes an error unless there already is one. `operation` comes from operation_number(); the
/// caller then skips the offending element.
__device__ inline void report(ErrorWord* word, ErrorCode code, unsigned int operation,
                              long long value, long long bound) {
  if (*static_cast<volatile unsigned int*>(&word->code) != 0) return;
  // Of the threads of this device one wins; the host reads only after it has waited.
  if (atomicCAS(&word->code, 0u, static_cast<unsigned int>(code)) != 0) return;
  word->operation = operation;
  word->value = value;
  word->bound = bound;
  __threadfence_system();
}
#endif

}  // namespace cupyxx::internal::kernels
