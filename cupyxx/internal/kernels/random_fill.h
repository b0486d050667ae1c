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
  // On devices: a part of the blocks, all in one row of the stream.
  random::PhiloxRow row;
  unsigned long first;  // the first block of the part
  unsigned low_word;    // the lower word of its place
  unsigned count;       // blocks of the part ...
  unsigned whole;       // ... that are written whole, at an aligned address
  double a;             // low, or mean
  double b;             // high - low, or a standard deviation or scale
  double most;          // the highest uniform number
  unsigned long low;    // of integers
  random::Range range;  // of integers
};

/// How fills run on devices. Of numbers of 8 bytes, which are long programs, a thread makes one
/// block of words at a time; of narrower ones four, whose chains of operations overlap, with nearly
/// as many threads as a multiprocessor holds: an eighth fewer leaves registers for the constants.
struct FillShape {
  unsigned threads, unroll, blocks_per_multiprocessor;
};
constexpr FillShape fill_shape(unsigned long itemsize) {
  return itemsize == 8 ? FillShape{256, 1, 64} : FillShape{896, 4, 2};
}

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

/// `kUnit` says that the standard deviation is 1: the same bits with a multiplication less.
template <class T, bool kUnit = false>
struct Normal {
  using type = T;
  using W = typename Wide<T>::type;
  static constexpr int kPerBlock = kRandomPerBlock<T>;

  static CUPYXX_FN void make(const random::Words& words, unsigned long, const RandomArgs& args,
                             T (&out)[kPerBlock]) {
    const W a = static_cast<W>(args.a), b = kUnit ? W(1) : static_cast<W>(args.b);
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
CUPYXX_FN void store_streaming(uint4* place, const uint4& pack) { __stcs(place, pack); }
CUPYXX_FN void store_streaming(uint2* place, const uint2& pack) { __stcs(place, pack); }
CUPYXX_FN void store_streaming(unsigned* place, const unsigned& pack) { __stcs(place, pack); }

template <int kBytes>
struct Packs {
  using type = uint4;
};
template <>
struct Packs<8> {
  using type = uint2;
};
template <>
struct Packs<4> {
  using type = unsigned;
};

template <class Distribution, class T, int kPerBlock>
CUPYXX_FN void make_block(const RandomArgs& args, unsigned block, T (&out)[kPerBlock]) {
  const random::Words words = args.row.block(args.low_word + block);
  if constexpr (requires { Distribution::take(words, args, out); }) {
    if (Distribution::take(words, args, out)) return;
  }
  Distribution::make(words, args.first + block, args, out);
}

template <class Distribution>
CUPYXX_FN void random_fill(const RandomArgs& args) {
  using T = typename Distribution::type;
  constexpr int kPerBlock = Distribution::kPerBlock;
  constexpr int kBytes = kPerBlock * static_cast<int>(sizeof(T));
  using Pack = typename Packs<(kBytes > 16 ? 16 : kBytes)>::type;
  constexpr unsigned kPacks = kBytes / sizeof(Pack);
  constexpr unsigned kThreads = fill_shape(sizeof(T)).threads;
  constexpr unsigned kUnroll = fill_shape(sizeof(T)).unroll;

  Pack* const out = reinterpret_cast<Pack*>(args.out) + args.first * kPacks;
  const auto make_whole = [&](unsigned block, Pack* place) {
    struct alignas(Pack) {
      T elements[kPerBlock];
    } made;
    make_block<Distribution>(args, block, made.elements);
#pragma unroll
    for (unsigned i = 0; i < kPacks; ++i) {
      store_streaming(place + i, reinterpret_cast<const Pack*>(made.elements)[i]);
    }
  };

  // Rounds in which every thread makes kUnroll blocks, then what is left, one by one.
  const unsigned threads = gridDim.x * kThreads;
  const unsigned rounds = args.whole / (threads * kUnroll);
  const unsigned lane = blockIdx.x * (kThreads * kUnroll) + threadIdx.x;
  unsigned block = lane;
  Pack* place = out + static_cast<unsigned long>(lane) * kPacks;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (unsigned i = 0; i < kUnroll; ++i) {
      make_whole(block + i * kThreads, place + i * kThreads * kPacks);
    }
    block += threads * kUnroll;
    place += static_cast<unsigned long>(threads) * (kUnroll * kPacks);
  }
  const unsigned thread = blockIdx.x * kThreads + threadIdx.x;
  for (unsigned rest = rounds * threads * kUnroll + thread; rest < args.whole; rest += threads) {
    make_whole(rest, out + static_cast<unsigned long>(rest) * kPacks);
  }
  // The last block, or all blocks of an array that begins within 16 bytes.
  T* const elements = static_cast<T*>(args.out);
  for (unsigned rest = args.whole + thread; rest < args.count; rest += threads) {
    T made[kPerBlock];
    make_block<Distribution>(args, rest, made);
    for (int i = 0; i < kPerBlock; ++i) {
      const long at = static_cast<long>(args.first + rest) * kPerBlock + i;
      if (at < args.size) elements[at] = made[i];
    }
  }
}

/// Normal numbers, most often those of standard deviation 1.
template <class T>
CUPYXX_FN void random_fill_normal(const RandomArgs& args) {
  if (args.b == 1.0) {
    random_fill<Normal<T, true>>(args);
  } else {
    random_fill<Normal<T>>(args);
  }
}
#endif

}  // namespace cupyxx::internal::kernels
