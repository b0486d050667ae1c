// SPDX-License-Identifier: MIT
#pragma once

namespace cupyxx::internal::gpu {

/// Whether what this thread launched last, a kernel of a library say, may let the next one begin
/// before it ends.
inline constinit thread_local bool t_next_may_begin = false;

}  // namespace cupyxx::internal::gpu
