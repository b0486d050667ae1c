// SPDX-License-Identifier: MIT
// Device-safe. Random numbers of a Philox stream: element i depends on the stream and on i only.
#pragma once

#include "cupyxx/ops/philox.h"

namespace cupyxx::internal::kernels {

struct RandomArgs {
  void* out;
  long size;
  random::PhiloxState state;
  double a;             // low, or mean
  double b;             // high - low, or standard deviation
  long low;             // of integers
  unsigned long range;  // of integers
};

/// Numbers from one block of words. Each distribution says how many elements a block makes.
struct UniformFloat {
  using type = float;
  static constexpr int kPerBlock = 4;
  static CUPYXX_FN void make(const random::Words& words, const RandomArgs& args, float (&out)[4]) {
    const float a = static_cast<float>(args.a), b = static_cast<float>(args.b);
    for (int i = 0; i < 4; ++i) out[i] = a + b * random::uniform_float(words.w[i]);
  }
};

struct UniformDouble {
  using type = double;
  static constexpr int kPerBlock = 2;
  static CUPYXX_FN void make(const random::Words& words, const RandomArgs& args, double (&out)[2]) {
    out[0] = args.a + args.b * random::uniform_double(words.w[0], words.w[1]);
    out[1] = args.a + args.b * random::uniform_double(words.w[2], words.w[3]);
  }
};

struct NormalFloat {
  using type = float;
  static constexpr int kPerBlock = 4;
  static CUPYXX_FN void make(const random::Words& words, const RandomArgs& args, float (&out)[4]) {
    const float a = static_cast<float>(args.a), b = static_cast<float>(args.b);
    random::normal_floats(words, out);
    for (int i = 0; i < 4; ++i) out[i] = a + b * out[i];
  }
};

struct NormalDouble {
  using type = double;
  static constexpr int kPerBlock = 2;
  static CUPYXX_FN void make(const random::Words& words, const RandomArgs& args, double (&out)[2]) {
    random::normal_doubles(words, out);
    for (int i = 0; i < 2; ++i) out[i] = args.a + args.b * out[i];
  }
};

struct Integers {
  using type = long;
  static constexpr int kPerBlock = 2;
  static CUPYXX_FN void make(const random::Words& words, const RandomArgs& args, long (&out)[2]) {
    for (int i = 0; i < 2; ++i) {
      const unsigned long at =
          random::uniform_below(args.range, words.w[2 * i], words.w[2 * i + 1]);
      out[i] = static_cast<long>(static_cast<unsigned long>(args.low) + at);
    }
  }
};

#if defined(__CUDACC__)
template <class Distribution>
CUPYXX_FN void random_fill(const RandomArgs& args) {
  constexpr int kPerBlock = Distribution::kPerBlock;
  auto* const out = static_cast<typename Distribution::type*>(args.out);
  const long threads = static_cast<long>(gridDim.x) * blockDim.x;
  for (long block = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
       block * kPerBlock < args.size; block += threads) {
    typename Distribution::type values[kPerBlock];
    Distribution::make(random::philox_block(args.state, static_cast<unsigned long>(block)), args,
                       values);
    for (int i = 0; i < kPerBlock; ++i) {
      if (block * kPerBlock + i < args.size) out[block * kPerBlock + i] = values[i];
    }
  }
}
#endif

}  // namespace cupyxx::internal::kernels
