// SPDX-License-Identifier: MIT
// The order of our work on memory that is shared with other libraries, and of theirs. In a build
// without CUDA nothing is on a device, and these do nothing.
#pragma once

#include "cupyxx/core/body.h"

namespace cupyxx::internal::gpu {

/// What comes later on `stream`, of the memory's device, waits for all that has been enqueued with
/// the memory and for the current stream of this thread. Waits on the host where CUDA refuses.
void order_after_uses(const Storage* storage, void* stream) noexcept;
/// Waits for the same on the host.
void wait_for_uses(const Storage* storage) noexcept;
/// What comes later on `later` waits for what `earlier` has now.
void order_streams(int device, void* earlier, void* later);

}  // namespace cupyxx::internal::gpu
