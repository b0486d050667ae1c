// SPDX-License-Identifier: MIT
// Quicksort whose passes have no branch that depends on the elements: vectors are split at a pivot
// by compressing them, and what fits into registers goes through a network. Everything but the one
// function is in the unnamed namespace, and no template of the standard library is called: code for
// one instruction set must not be shared with another by the linker.
#include "cupyxx/internal/cpu/sorting/sort_loops.h"

#include <bit>
#include <cstring>

#include "cupyxx/internal/cpu/sorting/sort_network.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

// Few keys go through a network of their own: of 64 with AVX-512.
constexpr int kFewBytes = kSortBytes < 32 ? kSortBytes : 32;
template <class Key>
using Few = SortNetwork<Key, sizeof(Key) == 4 ? kFewBytes : kSortBytes, 8>;
template <class Key>
using Many = SortNetwork<Key, kSortBytes, 16>;

/// Up to this many keys each count those that go before them.
constexpr i64 kRanked = 16;

template <class Key>
void sort_by_rank(Key* keys, i64 n) {
  Key all[kRanked], rank[kRanked] = {};
  std::memset(all, 0xff, sizeof(all));
  std::memcpy(all, keys, static_cast<std::size_t>(n) * sizeof(Key));
  for (i64 k = 0; k < n; ++k) {
    const Key key = all[k];
#pragma omp simd
    for (int i = 0; i < kRanked; ++i) {
      rank[i] += static_cast<Key>((key < all[i]) | ((key == all[i]) & (k < i)));
    }
  }
  for (i64 i = 0; i < n; ++i) keys[rank[i]] = all[i];
}

template <class Key>
void sort_few(Key* keys, i64 n) {
  if (n <= kRanked) {
    sort_by_rank(keys, n);
  } else if (n <= Few<Key>::kSize) {
    Few<Key>::sort(keys, n);
  } else {
    Many<Key>::sort(keys, n);
  }
}

#if defined(__AVX512F__)

__m512i filled(std::uint32_t key) { return _mm512_set1_epi32(static_cast<int>(key)); }
__m512i filled(std::uint64_t key) { return _mm512_set1_epi64(static_cast<long long>(key)); }
__m512i load(const void* from) { return _mm512_loadu_si512(from); }

/// Instructions for vectors of one kind of keys.
template <class Key>
struct Lanes;
template <>
struct Lanes<std::uint32_t> {
  using Mask = __mmask16;
  static Mask less(__m512i x, __m512i y) { return _mm512_cmplt_epu32_mask(x, y); }
  static __m512i packed(Mask mask, __m512i x) { return _mm512_maskz_compress_epi32(mask, x); }
  static void store(void* to, Mask mask, __m512i x) { _mm512_mask_storeu_epi32(to, mask, x); }
};
template <>
struct Lanes<std::uint64_t> {
  using Mask = __mmask8;
  static Mask less(__m512i x, __m512i y) { return _mm512_cmplt_epu64_mask(x, y); }
  static __m512i packed(Mask mask, __m512i x) { return _mm512_maskz_compress_epi64(mask, x); }
  static void store(void* to, Mask mask, __m512i x) { _mm512_mask_storeu_epi64(to, mask, x); }
};

constexpr int kTogether = 4;  // vectors that are read at once

/// Splits keys in place: those below a bound are written from the left, the others from the right.
/// Some vectors of both ends are kept aside, so that there is always room for what has been read.
template <class Key>
class Splitter {
  using L = Lanes<Key>;
  using Mask = typename L::Mask;
  static constexpr int kLanes = 64 / sizeof(Key);
  static constexpr i64 kBlock = kTogether * kLanes;

 public:
  Splitter(Key* keys, i64 n, Key bound)
      : left_(keys), right_(keys + n), begin_(keys), end_(keys + n), bound_(filled(bound)) {}

  /// How many are below the bound, of at least two blocks of keys.
  i64 split() {
    const Key* const first = left_;
    const i64 rest = (end_ - begin_) % kBlock;
    Key aside[kBlock];
    std::memcpy(aside, begin_, static_cast<std::size_t>(rest) * sizeof(Key));
    begin_ += rest;
    __m512i low[kTogether], high[kTogether], some[kTogether];
    read_left(low);
    read_right(high);
    while (begin_ < end_) {
      if (begin_ - left_ <= right_ - end_) {
        read_left(some);
      } else {
        read_right(some);
      }
      for (const __m512i x : some) place(x);
    }
    constexpr auto kAll = static_cast<Mask>(~0u);
    for (const __m512i x : low) place_some(x, kAll);
    for (const __m512i x : high) place_some(x, kAll);
    for (i64 i = 0; i < rest; i += kLanes) {
      place_some(load(aside + i), rest - i < kLanes ? first_lanes(rest - i) : kAll);
    }
    return left_ - first;
  }

 private:
  static Mask first_lanes(i64 count) { return static_cast<Mask>((1u << count) - 1); }

  void read_left(__m512i* to) {
    for (int i = 0; i < kTogether; ++i) to[i] = load(begin_ + i * kLanes);
    begin_ += kBlock;
  }
  void read_right(__m512i* to) {
    end_ -= kBlock;
    for (int i = 0; i < kTogether; ++i) to[i] = load(end_ + i * kLanes);
  }

  /// Behind what goes to the left there is room for a whole vector.
  void place(__m512i x) {
    const Mask mask = L::less(x, bound_);
    const int below = __builtin_popcount(mask);
    _mm512_storeu_si512(left_, L::packed(mask, x));
    left_ += below;
    right_ -= kLanes - below;
    L::store(right_, first_lanes(kLanes - below), L::packed(static_cast<Mask>(~mask), x));
  }

  void place_some(__m512i x, Mask valid) {
    const Mask mask = static_cast<Mask>(L::less(x, bound_) & valid);
    const Mask others = static_cast<Mask>(~mask & valid);
    const int below = __builtin_popcount(mask), above = __builtin_popcount(others);
    L::store(left_, first_lanes(below), L::packed(mask, x));
    left_ += below;
    right_ -= above;
    L::store(right_, first_lanes(above), L::packed(others, x));
  }

  Key *left_, *right_;       // where the next ones are written
  const Key *begin_, *end_;  // what has not been read
  __m512i bound_;
};

/// A key with about as many of the others on either side: a median of medians.
template <class Key>
Key choose_pivot(const Key* keys, i64 n) {
  using Network = Many<Key>;
  using Vector = typename Network::Vector;
  const auto median = [](Vector x, Vector y, Vector z) {
    const Vector low = Network::least(x, y), high = Network::most(x, y);
    return Network::most(low, Network::least(high, z));
  };
  const auto at = [&](int eighth) {
    Vector x;
    std::memcpy(&x, keys + (n - Network::kLanes) / 8 * eighth, sizeof(x));
    return x;
  };
  Vector some = median(at(1), at(4), at(7));
  if (n > 16 * Network::kSize) {
    some = median(some, median(at(0), at(3), at(6)), median(at(2), at(5), at(8)));
  }
  Network::sort_lanes(some);
  return some[Network::kLanes / 2];
}

/// Keys none of which is below `least`; false where `rounds` of splitting do not suffice.
template <class Key>
bool sort_many(Key* keys, i64 n, Key least, int rounds) {
  while (n > Many<Key>::kSize) {
    if (rounds-- == 0) return false;
    const Key pivot = choose_pivot(keys, n);
    if (pivot == least) {  // those that equal it are done
      const Key next = static_cast<Key>(pivot + 1);
      if (next == 0) return true;
      const i64 equal = Splitter<Key>(keys, n, next).split();
      keys += equal;
      n -= equal;
      least = next;
      continue;
    }
    const i64 below = Splitter<Key>(keys, n, pivot).split();
    if (!sort_many(keys, below, least, rounds)) return false;
    keys += below;
    n -= below;
    least = pivot;
  }
  sort_few(keys, n);
  return true;
}

template <class Key>
bool sort_keys(Key* keys, i64 n) {
  return sort_many(keys, n, Key{0}, 24 + 2 * std::bit_width(static_cast<unsigned long>(n)));
}

#else

template <class Key>
bool sort_keys(Key* keys, i64 n) {
  if (n > Many<Key>::kSize) return false;
  sort_few(keys, n);
  return true;
}

#endif

enum class Kind : std::uint8_t { natural, integer, floating };

/// Keys that have the order of the elements with these bits, and the bits of keys: one for one, so
/// that negative zero comes before zero.
template <class Key, Kind kKind>
struct Order {
  static constexpr int kTop = 8 * sizeof(Key) - 1;
  static constexpr Key kSign = Key{1} << kTop;
  static constexpr Key kInfinity = sizeof(Key) == 4 ? Key{0x7f800000u} : Key{0x7ff} << (kTop - 11);

  static Key key(Key bits) {
    if constexpr (kKind == Kind::natural) return bits;
    if constexpr (kKind == Kind::integer) return bits ^ kSign;
    return bits ^ ((Key{0} - (bits >> kTop)) | kSign);
  }
  static Key bits(Key key) {
    if constexpr (kKind == Kind::natural) return key;
    if constexpr (kKind == Kind::integer) return key ^ kSign;
    return key ^ (((key >> kTop) - 1) | kSign);
  }
  static bool is_nan(Key bits) { return kKind == Kind::floating && (bits & ~kSign) > kInfinity; }
};

/// Rows of up to kPoints elements: neighbours that are in the wrong order change places, without
/// branches.
constexpr i64 kPoints = 4;

template <class Key, Kind kKind, int kCount>
void sort_points(const Key* from, Key* to) {
  using O = Order<Key, kKind>;
  constexpr bool kFloats = kKind == Kind::floating;
  Key bits[kCount], keys[kCount];
  for (int i = 0; i < kCount; ++i) {
    bits[i] = from[i];
    // NaNs are one key above all others, and both zeros are one: equal ones stay in their order.
    const Key usual = kFloats && bits[i] == O::kSign ? O::kSign : O::key(bits[i]);
    keys[i] = O::is_nan(bits[i]) ? ~Key{0} : usual;
  }
#pragma GCC unroll 4
  for (int end = kCount - 1; end > 0; --end) {
#pragma GCC unroll 4
    for (int i = 0; i < end; ++i) {
      const bool turned = keys[i + 1] < keys[i];
      const Key key = keys[i], other = bits[i];
      keys[i] = turned ? keys[i + 1] : key;
      keys[i + 1] = turned ? key : keys[i + 1];
      bits[i] = turned ? bits[i + 1] : other;
      bits[i + 1] = turned ? other : bits[i + 1];
    }
  }
  for (int i = 0; i < kCount; ++i) to[i] = bits[i];
}

template <class Key, Kind kKind>
bool sort_typed(const SortLoop& loop) {
  using O = Order<Key, kKind>;
  const auto* from = static_cast<const Key*>(loop.from);
  auto* to = static_cast<Key*>(loop.to);
  const i64 n = loop.n;
  if (n <= kPoints) {
    switch (n) {
      case 2:
        sort_points<Key, kKind, 2>(from, to);
        return true;
      case 3:
        sort_points<Key, kKind, 3>(from, to);
        return true;
      case 4:
        sort_points<Key, kKind, 4>(from, to);
        return true;
      default:
        if (n == 1) to[0] = from[0];
        return true;
    }
  }
#if !defined(__AVX512F__)
  if (n > Many<Key>::kSize) return false;
#endif
  Key nan = 0, minus_zero = 0;  // whether there are some
#pragma omp simd reduction(| : nan, minus_zero)
  for (i64 i = 0; i < n; ++i) {
    nan |= static_cast<Key>(O::is_nan(from[i]));
    minus_zero |= static_cast<Key>(kKind == Kind::floating && from[i] == O::kSign);
    to[i] = O::key(from[i]);
  }
  i64 count = n;
  if (nan != 0) {
    count = 0;
    for (i64 i = 0; i < n; ++i) {
      to[count] = O::key(from[i]);
      count += O::is_nan(from[i]) ? 0 : 1;
    }
    for (i64 i = 0, end = count; i < n; ++i) {
      if (O::is_nan(from[i])) to[end++] = from[i];
    }
  }
  if (!sort_keys(to, count)) return false;
#pragma omp simd
  for (i64 i = 0; i < count; ++i) to[i] = O::bits(to[i]);
  if (minus_zero == 0) return true;
  i64 low = 0, high = count;  // the zeros begin where no number below them is
  while (low < high) {
    const i64 middle = low + (high - low) / 2;
    if (O::key(to[middle]) < O::key(O::kSign)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (i64 i = 0; i < n; ++i) {
    if ((from[i] & ~O::kSign) == 0) to[low++] = from[i];
  }
  return true;
}

}  // namespace

template <>
bool SortLoops<Arch::CUPYXX_ARCH>::sort_values(const SortLoop& loop) {
  switch (loop.type) {
    case SortType::u32:
      return sort_typed<std::uint32_t, Kind::natural>(loop);
    case SortType::i32:
      return sort_typed<std::uint32_t, Kind::integer>(loop);
    case SortType::f32:
      return sort_typed<std::uint32_t, Kind::floating>(loop);
    case SortType::u64:
      return sort_typed<std::uint64_t, Kind::natural>(loop);
    case SortType::i64:
      return sort_typed<std::uint64_t, Kind::integer>(loop);
    default:
      return sort_typed<std::uint64_t, Kind::floating>(loop);
  }
}

}  // namespace cupyxx::internal::cpu
