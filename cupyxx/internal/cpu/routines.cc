// SPDX-License-Identifier: MIT
// Convolution, bits of truth values, and membership in a set: by comparison with each where they
// are few, by a table of bits where integers lie near each other, else by a hash table.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "cupyxx/internal/convolve.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/routine_loops.h"
#include "cupyxx/internal/membership.h"
#include "cupyxx/internal/packing.h"

namespace cupyxx::internal::cpu {

namespace {

LoopType loop_type(dtype type) {
  if (type.is_bool()) return LoopType::b8;
  if (type == float64) return LoopType::f64;
  if (type == float32) return LoopType::f32;
  switch (type.itemsize()) {
    case 1:
      return LoopType::i8;
    case 2:
      return LoopType::i16;
    case 4:
      return LoopType::i32;
    default:
      return LoopType::i64;
  }
}

void convolve_range(const ConvolveLoop& loop, std::int64_t begin, std::int64_t end) {
  with_arch(arch(), [&]<Arch kArch>() { RoutineLoops<kArch>::convolve_range(loop, begin, end); });
}

void equal_any(const EqualLoop& loop) {
  with_arch(arch(), [&]<Arch kArch>() { RoutineLoops<kArch>::equal_any(loop); });
}

/// As many values are compared one by one.
constexpr std::int64_t kFew = 12;

/// A set of numbers by their bits, in a table of twice to thrice their number.
class HashSet {
 public:
  explicit HashSet(std::int64_t count) {
    const auto wanted = static_cast<std::uint64_t>(count + count / 2 + 16);
    const int bits = std::bit_width(wanted);
    shift_ = 64 - bits;
    mask_ = (std::uint64_t{1} << bits) - 1;
    slots_.assign(mask_ + 1, 0);
  }
  void insert(std::uint64_t key) {
    if (key == 0) {
      has_zero_ = true;
      return;
    }
    slots_[place(key)] = key;
  }
  bool contains(std::uint64_t key) const { return key == 0 ? has_zero_ : slots_[place(key)] != 0; }

 private:
  /// Where a key is, or would be.
  std::uint64_t place(std::uint64_t key) const {
    std::uint64_t at = (key ^ key >> 32) * 0x9e3779b97f4a7c15u >> shift_;
    while (slots_[at] != 0 && slots_[at] != key) at = (at + 1) & mask_;
    return at;
  }

  std::vector<std::uint64_t> slots_;  // 0: empty
  std::uint64_t mask_ = 0;
  int shift_ = 0;
  bool has_zero_ = false;
};

/// Equal numbers have equal bits.
template <class T>
std::uint64_t bits_of(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return x == 0 ? 0 : std::bit_cast<std::uint64_t>(x);
  } else if constexpr (std::is_same_v<T, float>) {
    return x == 0 ? 0 : std::bit_cast<std::uint32_t>(x);
  } else {
    return static_cast<std::uint64_t>(x);
  }
}

template <class T>
void find_by_hash(const T* x, std::int64_t n, const T* known, std::int64_t count, bool* out) {
  HashSet set(count);
  for (std::int64_t i = 0; i < count; ++i) {
    if (known[i] == known[i]) set.insert(bits_of(known[i]));
  }
  parallel_for(n, kGrain / 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = set.contains(bits_of(x[i]));
  });
}

/// Integers by a bit for each number between the least and the greatest; false where these are too
/// many for the numbers that there are.
template <class T>
bool find_by_table(const T* x, std::int64_t n, const T* known, std::int64_t count, bool* out) {
  if constexpr (std::is_integral_v<T>) {
    const auto [least, greatest] = std::minmax_element(known, known + count);
    const auto low = static_cast<std::uint64_t>(*least);
    const std::uint64_t span = static_cast<std::uint64_t>(*greatest) - low;
    const auto worth = static_cast<std::uint64_t>(std::max<std::int64_t>(8 * (n + count), 1 << 16));
    if (span >= worth) return false;
    std::vector<std::uint64_t> table(span / 64 + 1, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t at = static_cast<std::uint64_t>(known[i]) - low;
      table[at / 64] |= std::uint64_t{1} << (at & 63);
    }
    parallel_for(n, kGrain / 2, [&](std::int64_t begin, std::int64_t end) {
      const std::uint64_t* const words = table.data();
      for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t at = static_cast<std::uint64_t>(x[i]) - low;
        const std::uint64_t place = at <= span ? at : 0;  // a place that exists
        out[i] = (words[place / 64] >> (place & 63) & 1u & (at <= span ? 1u : 0u)) != 0;
      }
    });
    return true;
  } else {
    return false;
  }
}

template <class T>
void find_typed(const MembershipCall& call) {
  const auto* x = static_cast<const T*>(call.x->data());
  const auto* known = static_cast<const T*>(call.known->data());
  auto* out = static_cast<bool*>(call.out->data());
  const std::int64_t n = call.x->size(), count = call.known->size();
  if (!find_by_table(x, n, known, count, out)) find_by_hash(x, n, known, count, out);
}

void find(const MembershipCall& call) {
  using C = dtype::Code;
  switch (call.x->dtype().code()) {
    case C::bool_:
    case C::uint8:
      return find_typed<std::uint8_t>(call);
    case C::int8:
      return find_typed<std::int8_t>(call);
    case C::int16:
      return find_typed<std::int16_t>(call);
    case C::int32:
      return find_typed<std::int32_t>(call);
    case C::int64:
      return find_typed<std::int64_t>(call);
    case C::uint16:
      return find_typed<std::uint16_t>(call);
    case C::uint32:
      return find_typed<std::uint32_t>(call);
    case C::uint64:
      return find_typed<std::uint64_t>(call);
    case C::float32:
      return find_typed<float>(call);
    default:
      return find_typed<double>(call);
  }
}

void compare_with_each(const MembershipCall& call) {
  const LoopType type = loop_type(call.x->dtype());
  const auto* x = static_cast<const char*>(call.x->data());
  auto* out = static_cast<std::uint8_t*>(call.out->data());
  const std::int64_t size = call.x->itemsize(), count = call.known->size();
  parallel_for(call.x->size(), kGrain / 2, [&](std::int64_t begin, std::int64_t end) {
    equal_any({type, x + begin * size, call.known->data(), out + begin, end - begin, count});
  });
}

}  // namespace

void convolve(const ConvolveCall& call) {
  const ConvolveLoop loop{loop_type(call.a->dtype()),
                          call.a->data(),
                          call.taps->data(),
                          call.out->data(),
                          call.a->size(),
                          call.taps->size(),
                          call.before};
  const auto grain = std::max<std::int64_t>(256, 2 * kGrain / loop.m);
  parallel_for(call.out->size(), grain,
               [&](std::int64_t begin, std::int64_t end) { convolve_range(loop, begin, end); });
}

std::int64_t pack_bits(const std::uint8_t* from, std::int64_t n, bool swapped, std::uint8_t* to) {
  return with_arch(
      arch(), [&]<Arch kArch>() { return RoutineLoops<kArch>::pack_bits(from, n, swapped, to); });
}

void find_members(const MembershipCall& call) {
  if (call.x->size() == 0) return;
  auto* out = static_cast<std::uint8_t*>(call.out->data());
  const auto n = static_cast<std::size_t>(call.x->size());
  if (call.known->size() == 0) {
    std::memset(out, 0, n);
  } else if (call.known->size() <= kFew) {
    compare_with_each(call);
  } else {
    find(call);
  }
  if (!call.invert) return;
  for (std::size_t i = 0; i < n; ++i) out[i] ^= 1u;
}

}  // namespace cupyxx::internal::cpu
