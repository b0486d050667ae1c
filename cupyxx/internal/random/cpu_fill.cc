// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/random/fill.h"

// Compiled for several instruction sets, one of which is chosen when the program starts; sanitizers
// cannot run that early.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CUPYXX_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CUPYXX_CLONES
#endif

namespace cupyxx::internal::cpu {
namespace {

using kernels::RandomArgs;

constexpr int kLanes = 16;  // blocks at a time, lane by lane, so that compilers vectorise

template <class Distribution>
CUPYXX_CLONES void fill_blocks(const RandomArgs& args, std::int64_t begin, std::int64_t end) {
  namespace philox = random::philox;
  using T = typename Distribution::type;
  constexpr int kPerBlock = Distribution::kPerBlock;
  T* const out = static_cast<T*>(args.out);
  for (std::int64_t first = begin; first < end; first += kLanes) {
    unsigned c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const unsigned long at = args.state.offset + static_cast<unsigned long>(first + l);
      c0[l] = philox::low(at);
      c1[l] = philox::high(at);
      c2[l] = 0;
      c3[l] = 0;
    }
    unsigned k0 = philox::low(args.state.seed), k1 = philox::high(args.state.seed);
    for (int round = 0; round < philox::kRounds; ++round) {
      for (int l = 0; l < kLanes; ++l) philox::round(c0[l], c1[l], c2[l], c3[l], k0, k1);
      k0 += philox::kWeyl0;
      k1 += philox::kWeyl1;
    }
    T values[kPerBlock][kLanes];
    for (int l = 0; l < kLanes; ++l) {
      T made[kPerBlock];
      Distribution::make({{c0[l], c1[l], c2[l], c3[l]}}, args, made);
      for (int k = 0; k < kPerBlock; ++k) values[k][l] = made[k];
    }
    const std::int64_t n = std::min<std::int64_t>(kLanes * kPerBlock, args.size - first * kPerBlock);
    for (std::int64_t i = 0; i < n; ++i) {
      out[first * kPerBlock + i] = values[i % kPerBlock][i / kPerBlock];
    }
  }
}

template <class Distribution>
void fill(const RandomArgs& args) {
  const std::int64_t blocks = (args.size + Distribution::kPerBlock - 1) / Distribution::kPerBlock;
  parallel_for(blocks, kGrain / 8, [&](std::int64_t begin, std::int64_t end) {
    fill_blocks<Distribution>(args, begin, end);
  });
}

}  // namespace

void fill_random(Distribution distribution, dtype type, const RandomArgs& args) {
  const bool is_double = type == float64;
  switch (distribution) {
    case Distribution::uniform:
      return is_double ? fill<kernels::UniformDouble>(args) : fill<kernels::UniformFloat>(args);
    case Distribution::normal:
      return is_double ? fill<kernels::NormalDouble>(args) : fill<kernels::NormalFloat>(args);
    case Distribution::integers:
      return fill<kernels::Integers>(args);
  }
}

}  // namespace cupyxx::internal::cpu
