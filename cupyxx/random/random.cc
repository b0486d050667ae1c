// SPDX-License-Identifier: MIT
#include "cupyxx/random.h"

#include <mutex>

#include "cupyxx/creation.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/internal/random/default_stream.h"

namespace cupyxx::random {
namespace {

struct DefaultStream {
  std::mutex mutex;  // of is_seeded
  bool is_seeded = false;
  RandomState state{0};
};

DefaultStream* default_streams() {
  static auto* const streams = new DefaultStream[extension::kMaxPlaces];  // lives for ever
  return streams;
}

RandomState& default_state(Device device) {
  DefaultStream& stream = default_streams()[device.is_cpu() ? 0 : 1 + device.index];
  const std::lock_guard lock(stream.mutex);
  if (!stream.is_seeded) {
    stream.state.seed(none);
    stream.is_seeded = true;
  }
  return stream.state;
}

// The stream, which is given a state before anybody draws from it.
template <class Set>
void set_default(Set&& set) {
  const Device device = current_device();
  DefaultStream& stream = default_streams()[device.is_cpu() ? 0 : 1 + device.index];
  const std::lock_guard lock(stream.mutex);
  set(stream.state);
  stream.is_seeded = true;
}

}  // namespace

RandomState& get_random_state() { return default_state(current_device()); }
void set_random_state(const RandomState& state) {
  set_default([&](RandomState& own) { own = state; });
}
RandomState get_state() { return get_random_state(); }
void set_state(const RandomState& state) { set_random_state(state); }

void seed(internal::UInt64 seed) {
  set_default([&](RandomState& state) { state.seed(seed); });
}
void seed(None) {
  set_default([](RandomState& state) { state.seed(none); });
}

void reset_states() {
  for (int i = 0; i < extension::kMaxPlaces; ++i) {
    DefaultStream& stream = default_streams()[i];
    const std::lock_guard lock(stream.mutex);
    stream.is_seeded = false;
  }
}

}  // namespace cupyxx::random

namespace cupyxx::internal {

random::RandomState& default_random_state(Device device) { return random::default_state(device); }

random::PhiloxState reserve_random(Device device, std::uint64_t blocks) {
  return random::default_state(device).reserve(blocks);
}

}  // namespace cupyxx::internal
