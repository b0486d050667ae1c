// SPDX-License-Identifier: MIT
// Device-safe. Whole arrays of random numbers: each block of words makes the same number of
// elements, so element i depends on the stream and on i only.
#pragma once

#include "cupyxx/ops/random_normal.h"

namespace cupyxx::internal::kernels {

struct RandomArgs {
  void* out;
  long size;
  random::PhiloxStream stream;
  double a;             // low, or mean
  double b;             // high - low, or a standard deviation or scale
  double most;          // the highest uniform number
  unsigned long low;    // of integers
  random::Range range;  // of integers
};

/// What a fill computes in: float for the 16-bit types.
template <class T>
struct Wide {
  using type = float;
};
template <>
struct Wide<double> {
  using type = double;
};
template <class T>
inline constexpr int kRandomPerBlock = sizeof(T) == 8 ? 2 : 4;

/// Uniform in [0, 1) with the bits of a type.
CUPYXX_FN float unit_of_word(unsigned word, const float*) { return random::uniform_float(word); }
CUPYXX_FN float unit_of_word(unsigned word, const half*) {
  return static_cast<float>(random::uniform_half(word));
}
CUPYXX_FN float unit_of_word(unsigned word, const bfloat16*) {
  return static_cast<float>(random::uniform_bfloat16(word));
}

/// Makes the elements of one block. All have `make(words, block, args, out)`.
template <class T>
struct Uniform {
  using type = T;
  using W = typename Wide<T>::type;
  static constexpr int kPerBlock = kRandomPerBlock<T>;

  static CUPYXX_FN W unit(const random::Words& words, int i) {
    if constexpr (sizeof(T) == 8) {
      return random::uniform_double(words.w[2 * i], words.w[2 * i + 1]);
    } else {
      return unit_of_word(words.w[i], static_cast<const T*>(nullptr));
    }
  }
  static CUPYXX_FN void make(const random::Words& words, unsigned long, const RandomArgs& args,
                             T (&out)[kPerBlock]) {
    const W a = static_cast<W>(args.a), b = static_cast<W>(args.b),
            most = static_cast<W>(args.most);
    for (int i = 0; i < kPerBlock; ++i) {
      const W x = random::m::fused(b, unit(words, i), a);
      out[i] = static_cast<T>(x < most ? x : most);  // rounding may have reached `high`
    }
  }
};

template <class T>
struct Normal {
  using type = T;
  using W = typename Wide<T>::type;
  static constexpr int kPerBlock = kRandomPerBlock<T>;

  static CUPYXX_FN void make(const random::Words& words, unsigned long, const RandomArgs& args,
                             T (&out)[kPerBlock]) {
    const W a = static_cast<W>(args.a), b = static_cast<W>(args.b);
    W z[kPerBlock];
    if constexpr (kPerBlock == 2) {
      random::normal_doubles(words, a, b, z);
    } else {
      random::normal_floats(words, a, b, z);
    }
    for (int i = 0; i < kPerBlock; ++i) out[i] = static_cast<T>(z[i]);
  }
};

template <class T>
struct Exponential {
  using type = T;
  using W = typename Wide<T>::type;
  static constexpr int kPerBlock = kRandomPerBlock<T>;

  static CUPYXX_FN void make(const random::Words& words, unsigned long, const RandomArgs& args,
                             T (&out)[kPerBlock]) {
    const W b = static_cast<W>(args.b);
    for (int i = 0; i < kPerBlock; ++i) {
      if constexpr (kPerBlock == 2) {
        out[i] = b * random::exponential_double(words.w[2 * i], words.w[2 * i + 1]);
      } else {
        out[i] = static_cast<T>(b * random::exponential_float(words.w[i]));
      }
    }
  }
};

/// Integers of a range of at most 2^32 ...
template <class T>
struct ShortIntegers {
  using type = T;
  static constexpr int kPerBlock = 4;

  /// Takes words as they come; whether the range refused none.
  static CUPYXX_FN bool take(const random::Words& words, const RandomArgs& args,
                             T (&out)[kPerBlock]) {
    bool all = true;
    for (unsigned i = 0; i < kPerBlock; ++i) {
      unsigned long value;
      all &= args.range.take(words.w[i], value);
      out[i] = static_cast<T>(args.low + value);
    }
    return all;
  }
  static CUPYXX_FN void make(const random::Words& words, unsigned long block,
                             const RandomArgs& args, T (&out)[kPerBlock]) {
    for (unsigned i = 0; i < kPerBlock; ++i) {
      out[i] = static_cast<T>(args.low +
                              random::short_integer(args.range, args.stream, block, i, words.w[i]));
    }
  }
};

/// ... and of any.
template <class T>
struct LongIntegers {
  using type = T;
  static constexpr int kPerBlock = 2;

  static CUPYXX_FN void make(const random::Words& words, unsigned long block,
                             const RandomArgs& args, T (&out)[kPerBlock]) {
    for (unsigned i = 0; i < kPerBlock; ++i) {
      const unsigned long word = random::join(words.w[2 * i], words.w[2 * i + 1]);
      out[i] =
          static_cast<T>(args.low + random::long_integer(args.range, args.stream, block, i, word));
    }
  }
};

#if defined(__CUDACC__)
template <class Distribution>
CUPYXX_FN void random_fill(const RandomArgs& args) {
  using T = typename Distribution::type;
  constexpr int kPerBlock = Distribution::kPerBlock;
  constexpr int kBytes = kPerBlock * static_cast<int>(sizeof(T));
  struct alignas(kBytes < 16 ? kBytes : 16) Pack {
    T elements[kPerBlock];
  };
  T* const out = static_cast<T*>(args.out);
  const unsigned long threads = static_cast<unsigned long>(gridDim.x) * blockDim.x;
  const unsigned long first = static_cast<unsigned long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool aligned = reinterpret_cast<unsigned long>(out) % alignof(Pack) == 0;
  const unsigned long whole = aligned ? static_cast<unsigned long>(args.size) / kPerBlock : 0;
  for (unsigned long block = first; block < whole; block += threads) {
    Pack pack;
    Distribution::make(args.stream.block(block), block, args, pack.elements);
    reinterpret_cast<Pack*>(out)[block] = pack;
  }
  // The last block, or all blocks of an array that begins within 16 bytes.
  for (unsigned long block = whole + first; block * kPerBlock < args.size; block += threads) {
    T elements[kPerBlock];
    Distribution::make(args.stream.block(block), block, args, elements);
    for (int i = 0; i < kPerBlock; ++i) {
      const long at = static_cast<long>(block) * kPerBlock + i;
      if (at < args.size) out[at] = elements[i];
    }
  }
}
#endif

}  // namespace cupyxx::internal::kernels
