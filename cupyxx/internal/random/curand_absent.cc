// SPDX-License-Identifier: MIT
#include "cupyxx/error.h"
#include "cupyxx/internal/random/curand.h"

namespace cupyxx::internal {

struct Curand::Impl {
  [[noreturn]] static void absent() {
    throw Error("random: the generators of cuRAND cannot be used; this build has no CUDA");
  }
};

Curand::Curand(int, std::uint64_t) {}
Curand::~Curand() = default;
void Curand::uniform(const ndarray&) { Impl::absent(); }
void Curand::normal(const ndarray&, double, double) { Impl::absent(); }
void Curand::words(const ndarray&) { Impl::absent(); }

}  // namespace cupyxx::internal
