// SPDX-License-Identifier: MIT
// The host's loops of fills. Compiled once per instruction set (CUPYXX_ARCH); all code is in the
// unnamed namespace or always inlined, so that the linker mixes none.
#include "cupyxx/internal/random/fill.h"

namespace cupyxx::internal::cpu {
namespace {

using kernels::RandomArgs;

constexpr int kLanes = 16;  // blocks at a time, lane by lane, so that compilers vectorise

template <class Distribution, class T, int kPerBlock>
inline __attribute__((always_inline)) void make_lanes(const unsigned (&words)[4][kLanes],
                                                      std::int64_t first, const RandomArgs& args,
                                                      T (&values)[kPerBlock][kLanes]) {
  const auto block = [&](int l) {
    return random::Words{{words[0][l], words[1][l], words[2][l], words[3][l]}};
  };
  if constexpr (requires(T(&made)[kPerBlock]) { Distribution::take(block(0), args, made); }) {
    int refused = 0;
    for (int l = 0; l < kLanes; ++l) {
      T made[kPerBlock];
      refused |= !Distribution::take(block(l), args, made);
      for (int k = 0; k < kPerBlock; ++k) values[k][l] = made[k];
    }
    if (refused == 0) return;
  }
  for (int l = 0; l < kLanes; ++l) {
    T made[kPerBlock];
    Distribution::make(block(l), static_cast<unsigned long>(first + l), args, made);
    for (int k = 0; k < kPerBlock; ++k) values[k][l] = made[k];
  }
}

template <class Distribution>
void fill_blocks(const RandomArgs& args, std::int64_t begin, std::int64_t end) {
  using T = typename Distribution::type;
  constexpr int kPerBlock = Distribution::kPerBlock;
  const RandomArgs local = args;  // what the loops write is not what they read
  T* const out = static_cast<T*>(args.out);
  const auto place_of = [&](std::int64_t block) {
    return local.stream.offset + static_cast<unsigned long>(block);
  };
  unsigned high = random::philox::high(place_of(begin));
  random::PhiloxRow row = local.stream.row(high);
  for (std::int64_t first = begin; first < end; first += kLanes) {
    unsigned words[4][kLanes];
    const unsigned long at = place_of(first);
    const unsigned last_high = random::philox::high(at + kLanes - 1);
    if (last_high == random::philox::high(at)) {
      if (last_high != high) row = local.stream.row(high = last_high);
      for (int l = 0; l < kLanes; ++l) {
        const random::Words block = row.block(random::philox::low(at) + static_cast<unsigned>(l));
        for (int k = 0; k < 4; ++k) words[k][l] = block.w[k];
      }
    } else {  // across the end of a row
      for (int l = 0; l < kLanes; ++l) {
        const random::Words block = local.stream.block(static_cast<unsigned long>(first + l));
        for (int k = 0; k < 4; ++k) words[k][l] = block.w[k];
      }
    }
    T values[kPerBlock][kLanes];
    make_lanes<Distribution>(words, first, local, values);
    T* const place = out + first * kPerBlock;
    const std::int64_t n = local.size - first * kPerBlock;
    if (n >= kLanes * kPerBlock) {
      for (int l = 0; l < kLanes; ++l) {
        for (int k = 0; k < kPerBlock; ++k) place[l * kPerBlock + k] = values[k][l];
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) place[i] = values[i % kPerBlock][i / kPerBlock];
    }
  }
}

// kernels::LongIntegers in the range of all words, which refuses none: no product is needed.
struct Words64 {
  using type = unsigned long;
  static constexpr int kPerBlock = 2;

  static CUPYXX_FN void make(const random::Words& words, unsigned long, const RandomArgs& args,
                             unsigned long (&out)[kPerBlock]) {
    out[0] = args.low + random::join(words.w[0], words.w[1]);
    out[1] = args.low + random::join(words.w[2], words.w[3]);
  }
};

void fill_long_integers(const RandomArgs& args, std::int64_t begin, std::int64_t end) {
  args.range.range == 0 ? fill_blocks<Words64>(args, begin, end)
                        : fill_blocks<kernels::LongIntegers<unsigned long>>(args, begin, end);
}

// With the one parameter that of_floating wants.
template <class T>
using Normal = kernels::Normal<T>;

template <template <class> class Distribution>
FillFn of_floating(dtype type) {
  switch (type.code()) {
    case dtype::Code::float16:
      return &fill_blocks<Distribution<half>>;
    case dtype::Code::bfloat16:
      return &fill_blocks<Distribution<bfloat16>>;
    case dtype::Code::float32:
      return &fill_blocks<Distribution<float>>;
    default:
      return &fill_blocks<Distribution<double>>;
  }
}

// Signed numbers wrap as the unsigned ones do.
FillFn of_integer(dtype type) {
  switch (type.itemsize()) {
    case 1:
      return &fill_blocks<kernels::ShortIntegers<unsigned char>>;
    case 2:
      return &fill_blocks<kernels::ShortIntegers<unsigned short>>;
    case 4:
      return &fill_blocks<kernels::ShortIntegers<unsigned>>;
    default:
      return &fill_blocks<kernels::ShortIntegers<unsigned long>>;
  }
}

}  // namespace

template <>
FillFn FillLoops<Arch::CUPYXX_ARCH>::find(Fill fill, dtype type) {
  switch (fill) {
    case Fill::uniform:
      return of_floating<kernels::Uniform>(type);
    case Fill::normal:
      return of_floating<Normal>(type);
    case Fill::exponential:
      return of_floating<kernels::Exponential>(type);
    case Fill::short_integers:
      return of_integer(type);
    default:
      return &fill_long_integers;
  }
}

}  // namespace cupyxx::internal::cpu
