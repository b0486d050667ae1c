// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/stream_registry.h"

#include <algorithm>

namespace cupyxx::internal::gpu {

StreamRegistry& StreamRegistry::instance() {
  static StreamRegistry& registry = *new StreamRegistry;
  return registry;
}

void StreamRegistry::add(int device, void* stream) {
  const auto guard = lock();
  std::erase(ended_, stream);
  live_.push_back({device, stream});
}

void StreamRegistry::remove(int device, void* stream) {
  const auto guard = lock();
  std::erase_if(live_, [=](const Entry& e) { return e.device == device && e.stream == stream; });
  ended_.push_back(stream);
}

bool StreamRegistry::alive(void* stream) const {
  return std::find(ended_.begin(), ended_.end(), stream) == ended_.end();
}

std::vector<void*> StreamRegistry::of_device(int device) const {
  std::vector<void*> streams = {nullptr};
  for (const Entry& entry : live_) {
    if (entry.device == device) streams.push_back(entry.stream);
  }
  return streams;
}

}  // namespace cupyxx::internal::gpu
