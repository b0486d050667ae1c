// SPDX-License-Identifier: MIT
// What a RandomState holds.
#pragma once

#include <memory>
#include <mutex>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/random/curand.h"
#include "cupyxx/ops/philox.h"
#include "cupyxx/random/random_state.h"

namespace cupyxx::random {

struct RandomState::Impl : std::enable_shared_from_this<RandomState::Impl> {
  mutable std::mutex mutex;  // of all that follows
  Method method = Method::counter;
  State state;
  std::shared_ptr<internal::Curand> curand;  // null for Method::counter
  std::shared_ptr<const cuda::Stream> stream;

  PhiloxState take(std::uint64_t blocks) {
    const PhiloxState here{state.seed, state.offset};
    state.offset += blocks;
    return here;
  }
  void restart(const State& from) {
    state = from;
    if (method != Method::counter) {
      curand = std::make_shared<internal::Curand>(static_cast<int>(method), from.seed);
    }
  }
  void copy(const Impl& other) {
    method = other.method;
    state = other.state;
    curand = other.curand;
    stream = other.stream;
  }
};

/// The seed of the environment or of the system's entropy. Throws ValueError.
std::uint64_t first_seed();

}  // namespace cupyxx::random
