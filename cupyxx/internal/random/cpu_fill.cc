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
  using T = typename Distribution::type;
  constexpr int kPerBlock = Distribution::kPerBlock;
  T* const out = static_cast<T*>(args.out);
  for (std::int64_t first = begin; first < end; first += kLanes) {
    unsigned words[4][kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const random::Words block =
          random::philox_block(args.state, static_cast<unsigned long>(first + l));
      for (int k = 0; k < 4; ++k) words[k][l] = block.w[k];
    }
    T values[kPerBlock][kLanes];
    for (int l = 0; l < kLanes; ++l) {
      T made[kPerBlock];
      Distribution::make({{words[0][l], words[1][l], words[2][l], words[3][l]}}, args, made);
      for (int k = 0; k < kPerBlock; ++k) values[k][l] = made[k];
    }
    T* const place = out + first * kPerBlock;
    const std::int64_t n = args.size - first * kPerBlock;
    if (n >= kLanes * kPerBlock) {
      for (int l = 0; l < kLanes; ++l) {
        for (int k = 0; k < kPerBlock; ++k) place[l * kPerBlock + k] = values[k][l];
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) place[i] = values[i % kPerBlock][i / kPerBlock];
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
