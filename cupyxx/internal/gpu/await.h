// SPDX-License-Identifier: MIT
// What comes behind a call of one of CUDA's libraries, which launch kernels of their own.
#pragma once

#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/call_site.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/next_kernel.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {

/// Notes that a library has worked on a stream, and waits for that if launches are awaited
/// (CUPYXX_DEBUG=sync); what went wrong is thrown with the name of the
/// library's function, the thread's notes and the callers.
inline void await_library(const char* function, int device, void* stream) {
  t_next_may_begin = true;
  if (!launches_are_awaited() || stream_is_capturing(device, stream)) [[likely]] {
    return;
  }
  try {
    synchronize(device, stream);
  } catch (const CudaError& error) {
    const std::string notes = launch_notes();
    throw CudaError(message(function, ": ", error.what(),
                            notes.empty() ? "" : message(", in ", notes), "; called from:\n",
                            describe(CallSite::here())));
  }
}

}  // namespace cupyxx::internal::gpu
