// SPDX-License-Identifier: MIT
// The order of our work on memory that is shared with other libraries, and of theirs. In a build
// without CUDA nothing is on a device, and these do nothing.
#pragma once

#include "cupyxx/core/body.h"

namespace cupyxx::internal::gpu {

/// Makes `stream`, of the memory's device, wait for all work that has been enqueued on the memory
/// and for all work on this thread's current stream. Waits on the host where CUDA refuses.
void order_after_uses(const Storage* storage, void* stream) noexcept;
/// Waits for the same on the host.
void wait_for_uses(const Storage* storage) noexcept;
/// Makes work that will be enqueued on the stream `later` wait for the work that the stream
/// `earlier` has been given by now.
void order_streams(int device, void* earlier, void* later);

}  // namespace cupyxx::internal::gpu
