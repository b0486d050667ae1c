// SPDX-License-Identifier: MIT
#include "cupyxx/extension/random_place.h"

#include "cupyxx/internal/random/default_stream.h"

namespace cupyxx::extension {

random::RandomState& default_random_state(Device device) {
  return internal::default_random_state(device);
}

random::PhiloxState reserve_random(Device device, std::uint64_t blocks) {
  return internal::reserve_random(device, blocks);
}

}  // namespace cupyxx::extension
