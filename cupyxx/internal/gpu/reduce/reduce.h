// SPDX-License-Identifier: MIT
// Reductions on a device: one launch each, no synchronisation, the same bits every time.
#pragma once

#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::gpu {

/// Enqueues a planned reduction of at least one element per result on the device's current stream.
void reduce(const Reduction& reduction, int device);

/// The ticket counters of a stream, kReduceTickets of them; zero between launches, for kernels put
/// them back.
unsigned* reduce_tickets(int device, void* stream);

}  // namespace cupyxx::internal::gpu
