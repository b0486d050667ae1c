// SPDX-License-Identifier: MIT
// Loops over blocks of elements for operations whose usual operands allow a way without branches:
// a block in which one element does not is computed one by one. Compiled once per instruction set,
// as loops.h says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cupyxx::internal {
namespace {

/// `count` elements into a block; the rest of it is 1.
template <class T, int kLanes>
void load_block(T (&block)[kLanes], const char* from, std::int64_t stride, std::int64_t count) {
  if (stride == sizeof(T) && count == kLanes) {
    std::memcpy(block, from, sizeof(block));
    return;
  }
  for (int l = 0; l < kLanes; ++l) {
    block[l] = l < count ? *reinterpret_cast<const T*>(from + l * stride) : T(1);
  }
}

template <class T, int kLanes>
void store_block(const T (&block)[kLanes], char* to, std::int64_t stride, std::int64_t count) {
  if (stride == sizeof(T) && count == kLanes) {
    std::memcpy(to, block, sizeof(block));
    return;
  }
  for (std::int64_t l = 0; l < count; ++l) *reinterpret_cast<T*>(to + l * stride) = block[l];
}

/// `Blocks::run(x, y, out)` makes a block and says whether it could; `Blocks::one(x, y)` makes any
/// element. With `kInPlace` it reads and writes where the elements lie, if they allow that; the
/// second operand may be one number.
template <class Blocks, class T, int kBytes = 128, bool kInPlace = false>
struct BlockLoop {
  static constexpr int kLanes = kBytes / sizeof(T);

  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    std::int64_t i = 0;
    if (kInPlace && is_apart(data, strides, n)) {
      using Block = T[kLanes];
      const bool is_number = strides[2] == 0;
      alignas(64) Block number;
      if (is_number) load_block(number, data[2], 0, kLanes);
      const auto at = [&](int k) { return reinterpret_cast<T*>(data[k]) + i; };
      for (; i + kLanes <= n; i += kLanes) {
        const auto& x = reinterpret_cast<const Block&>(*at(1));
        const auto& y = is_number ? number : reinterpret_cast<const Block&>(*at(2));
        auto& out = reinterpret_cast<Block&>(*at(0));
        if (Blocks::run(x, y, out)) continue;
        for (int l = 0; l < kLanes; ++l) out[l] = Blocks::one(x[l], y[l]);
      }
    }
    for (; i < n; i += kLanes) {
      const auto count = std::min<std::int64_t>(kLanes, n - i);
      alignas(64) T x[kLanes], y[kLanes], out[kLanes];
      load_block(x, data[1] + i * strides[1], strides[1], count);
      load_block(y, data[2] + i * strides[2], strides[2], count);
      if (!Blocks::run(x, y, out)) {
        for (int l = 0; l < count; ++l) out[l] = Blocks::one(x[l], y[l]);
      }
      store_block(out, data[0] + i * strides[0], strides[0], count);
    }
  }

 private:
  /// Whether all lie side by side, and the results not where operands are.
  static bool is_apart(char* const* data, const std::int64_t* strides, std::int64_t n) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto clear = [&](int k) {
      return data[0] + n * kSize <= data[k] || data[k] + n * kSize <= data[0];
    };
    return strides[0] == kSize && strides[1] == kSize && clear(1) &&
           (strides[2] == 0 || (strides[2] == kSize && clear(2)));
  }
};

}  // namespace
}  // namespace cupyxx::internal
