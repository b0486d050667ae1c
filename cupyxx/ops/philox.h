// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. The counter-based
// generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
// 1, 2, 3", 2011) and the integers and uniforms that its words make, equal bit for bit everywhere.
#pragma once

#include "cupyxx/half.h"

namespace cupyxx::random {

/// Four words of a counter, or of a result.
struct Words {
  unsigned w[4];
};

/// Where a stream stands: the seed is the key, the offset counts blocks of four words.
struct PhiloxState {
  unsigned long seed;
  unsigned long offset;
};

namespace philox {
inline constexpr unsigned kMultiplier0 = 0xD2511F53u;
inline constexpr unsigned kMultiplier1 = 0xCD9E8D57u;
inline constexpr unsigned kWeyl0 = 0x9E3779B9u;
inline constexpr unsigned kWeyl1 = 0xBB67AE85u;
inline constexpr int kRounds = 10;

CUPYXX_FN unsigned low(unsigned long x) { return static_cast<unsigned>(x); }
CUPYXX_FN unsigned high(unsigned long x) { return static_cast<unsigned>(x >> 32); }

/// One round on a counter.
CUPYXX_FN void round(unsigned& c0, unsigned& c1, unsigned& c2, unsigned& c3, unsigned k0,
                     unsigned k1) {
  const unsigned long p0 = static_cast<unsigned long>(kMultiplier0) * c0;
  const unsigned long p1 = static_cast<unsigned long>(kMultiplier1) * c2;
  c0 = high(p1) ^ c1 ^ k0;
  c2 = high(p0) ^ c3 ^ k1;
  c1 = low(p1);
  c3 = low(p0);
}
}  // namespace philox

/// The keys of all rounds: a kernel that has them in its parameters adds nothing per block.
struct PhiloxKeys {
  unsigned k0[philox::kRounds];
  unsigned k1[philox::kRounds];
};

CUPYXX_FN PhiloxKeys philox_keys(unsigned k0, unsigned k1) {
  PhiloxKeys keys;
#pragma GCC unroll 10
  for (int i = 0; i < philox::kRounds; ++i) {
    keys.k0[i] = k0 + static_cast<unsigned>(i) * philox::kWeyl0;
    keys.k1[i] = k1 + static_cast<unsigned>(i) * philox::kWeyl1;
  }
  return keys;
}

/// The block of four words at a counter.
CUPYXX_FN Words philox4x32_10(unsigned c0, unsigned c1, unsigned c2, unsigned c3,
                              const PhiloxKeys& keys) {
#pragma GCC unroll 10  // so that loops over blocks vectorise
  for (int i = 0; i < philox::kRounds; ++i) {
    philox::round(c0, c1, c2, c3, keys.k0[i], keys.k1[i]);
  }
  return {{c0, c1, c2, c3}};
}

/// The 2^32 blocks of a stream that differ in the lower word of their place only, which is word 1
/// of the counter: a first round merely adds it, so of the six multiplications of the first three
/// rounds four are the same for the whole row and made once.
struct PhiloxRow {
  PhiloxKeys keys;
  unsigned c0;    // what round 1 adds to the lower word
  unsigned c2;    // ... round 2 to the upper half of its product
  unsigned d0;    // ... round 3 likewise,
  unsigned d2;    // and to the lower half of round 2's
  unsigned last;  // what round 4 adds to the upper half of its first product

  CUPYXX_FN Words block(unsigned low_word) const {
    using namespace philox;
    unsigned long p0 = static_cast<unsigned long>(kMultiplier0) * (low_word ^ c0);
    unsigned long p1 = static_cast<unsigned long>(kMultiplier1) * (high(p0) ^ c2);
    const unsigned at_third = high(p1) ^ d0, after = low(p1);
    p1 = static_cast<unsigned long>(kMultiplier1) * (low(p0) ^ d2);
    p0 = static_cast<unsigned long>(kMultiplier0) * at_third;
    unsigned w0 = high(p1) ^ after ^ keys.k0[3], w1 = low(p1), w2 = high(p0) ^ last, w3 = low(p0);
#pragma GCC unroll 10
    for (int i = 4; i < kRounds; ++i) round(w0, w1, w2, w3, keys.k0[i], keys.k1[i]);
    return {{w0, w1, w2, w3}};
  }
};

/// A place in a stream, ready to make many blocks.
struct PhiloxStream {
  PhiloxKeys keys;
  unsigned long offset;

  /// Block number `block` after the place. Each block heads a tree of 2^64 more, `branch` and
  /// `step`, for elements that need more words than it has.
  CUPYXX_FN Words block(unsigned long block, unsigned step = 0, unsigned branch = 0) const {
    const unsigned long at = offset + block;
    return philox4x32_10(philox::high(at), philox::low(at), step, branch, keys);
  }
  /// The row of the blocks whose places have this upper word: `block(n)` is `row(high).block(low)`
  /// of the two words of offset + n.
  CUPYXX_FN PhiloxRow row(unsigned high_word) const {
    using namespace philox;
    unsigned w0 = high_word, w1 = 0, w2 = 0, w3 = 0;
    PhiloxRow row{keys, 0, 0, 0, 0, 0};
    round(w0, w1, w2, w3, keys.k0[0], keys.k1[0]);
    row.c0 = w0;
    row.c2 = w3 ^ keys.k1[1];
    round(w0, w1, w2, w3, keys.k0[1], keys.k1[1]);  // right in w0 and w1 only
    row.d0 = w1 ^ keys.k0[2];
    row.d2 = high(static_cast<unsigned long>(kMultiplier0) * w0) ^ keys.k1[2];
    row.last = low(static_cast<unsigned long>(kMultiplier0) * w0) ^ keys.k1[3];
    return row;
  }
};

CUPYXX_FN PhiloxStream philox_stream(const PhiloxState& state) {
  return {philox_keys(philox::low(state.seed), philox::high(state.seed)), state.offset};
}

/// Block number `block` after a stream's place.
CUPYXX_FN Words philox_block(const PhiloxState& state, unsigned long block) {
  return philox_stream(state).block(block);
}

/// Two words as one number.
CUPYXX_FN unsigned long join(unsigned low, unsigned high) {
  return static_cast<unsigned long>(high) << 32 | low;
}

/// Uniform in [0, 1): a multiple of 2^-24.
CUPYXX_FN float uniform_float(unsigned word) {
  return static_cast<float>(static_cast<int>(word >> 8)) * 5.9604644775390625e-8f;
}
/// The same with the bits of a narrower mantissa, so that a conversion does not round up to 1.
CUPYXX_FN half uniform_half(unsigned word) {
  return half(static_cast<float>(static_cast<int>(word >> 21)) * 4.8828125e-4f);  // 2^-11
}
CUPYXX_FN bfloat16 uniform_bfloat16(unsigned word) {
  return bfloat16(static_cast<float>(static_cast<int>(word >> 24)) * 3.90625e-3f);  // 2^-8
}

/// A word as a double: beside the bits of 2^52, so that loops vectorise and devices need no
/// conversion between words of 64 bits.
CUPYXX_FN double word_to_double(unsigned word) {
  const unsigned long bits = 0x4330000000000000ul | word;
#if defined(__CUDACC__)
  return __longlong_as_double(static_cast<long long>(bits)) - 4503599627370496.0;
#else
  return __builtin_bit_cast(double, bits) - 4503599627370496.0;
#endif
}

/// Uniform in [0, 1): a multiple of 2^-53; the sum of both parts is exact.
CUPYXX_FN double uniform_double(unsigned word0, unsigned word1) {
  return word_to_double(word1) * 0x1p-32 + word_to_double(word0 >> 11) * 0x1p-53;
}

/// The upper half of a product of 128 bits; `below` receives the lower one.
CUPYXX_FN unsigned long multiply_high(unsigned long x, unsigned long y, unsigned long& below) {
  below = x * y;
#if defined(__CUDACC__)
  return __umul64hi(x, y);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long>(static_cast<Wide>(x) * y >> 64);
#endif
}

/// Integers of [0, range) without bias (Lemire: "Fast random integer generation in an interval",
/// 2019): the upper half of word * range, unless the lower half is below `threshold`.
struct Range {
  unsigned long range;      // 0 stands for 2^64
  unsigned long threshold;  // 2^32 or 2^64, modulo the range

  /// Whether a word of 32 bits is enough.
  CUPYXX_FN bool is_short() const { return range != 0 && range <= 1ul << 32; }

  CUPYXX_FN bool take(unsigned word, unsigned long& value) const {
    const unsigned long product = range * word;
    value = product >> 32;
    return philox::low(product) >= threshold;
  }
  CUPYXX_FN bool take(unsigned long word, unsigned long& value) const {
    unsigned long below = word;
    value = range == 0 ? word : multiply_high(word, range, below);
    return below >= threshold;
  }
};

CUPYXX_FN Range range_of(unsigned long range) {
  if (range == 0) return {0, 0};
  return {range, range <= 1ul << 32 ? (1ul << 32) % range : (0 - range) % range};
}

/// Number `lane` of a block in a range; words that the range refuses are replaced from the block's
/// own branch.
CUPYXX_FN unsigned long short_integer(const Range& range, const PhiloxStream& stream,
                                      unsigned long block, unsigned lane, unsigned word) {
  unsigned long value;
  for (unsigned step = 1; !range.take(word, value); ++step) {
    word = stream.block(block, step, lane + 1).w[0];
  }
  return value;
}
CUPYXX_FN unsigned long long_integer(const Range& range, const PhiloxStream& stream,
                                     unsigned long block, unsigned lane, unsigned long word) {
  unsigned long value;
  for (unsigned step = 1; !range.take(word, value); ++step) {
    const Words more = stream.block(block, step, lane + 1);
    word = join(more.w[0], more.w[1]);
  }
  return value;
}

}  // namespace cupyxx::random
