// SPDX-License-Identifier: MIT
// What a thread remembers, so that no hot path asks CUDA or takes a lock.
#pragma once

#include "cupyxx/extension/device_limit.h"

namespace cupyxx::internal::gpu {

class Magazine;
struct ErrorWord;

using extension::kMaxDevices;

struct ThreadDevice {
  void* stream = nullptr;        // the current stream
  Magazine* magazine = nullptr;  // of the current stream's arena, once it was needed
  ErrorWord* word = nullptr;     // of the current stream, once it was needed
};

struct ThreadState {
  ThreadDevice devices[kMaxDevices];
};

extern constinit thread_local ThreadState t_state;

}  // namespace cupyxx::internal::gpu
