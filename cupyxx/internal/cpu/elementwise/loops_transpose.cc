// SPDX-License-Identifier: MIT
// Squares of numbers that are turned in registers: as many lines as a register has elements are
// read and written. Compiled once per instruction set.
#include <cstring>
#include <utility>

#include "cupyxx/internal/cpu/elementwise/turn_loops.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__AVX512F__)
constexpr int kRegister = 64;
#elif defined(__AVX2__)
constexpr int kRegister = 32;
#else
constexpr int kRegister = 16;
#endif
// More lines than this are too many at once.
template <class T>
constexpr int kEdge = kRegister / sizeof(T) < 8 ? kRegister / sizeof(T) : 8;

template <class T>
struct Square {
  static constexpr int kSize = kEdge<T>;
  // GCC takes no dependent size behind `using`. NOLINTNEXTLINE(modernize-use-using)
  typedef T Line __attribute__((vector_size(kSize * sizeof(T))));
  using Lanes = std::make_integer_sequence<int, kSize>;

  // Blocks of kStep elements: of two lines the upper right block and the lower left one change
  // places.
  template <int kStep, int... kLane>
  static void exchange(Line& upper, Line& lower, std::integer_sequence<int, kLane...>) {
    const Line first =
        __builtin_shufflevector(upper, lower, (kLane & kStep ? kSize + (kLane ^ kStep) : kLane)...);
    lower =
        __builtin_shufflevector(upper, lower, (kLane & kStep ? kSize + kLane : kLane + kStep)...);
    upper = first;
  }

  template <int kStep>
  static void exchange_all(Line (&lines)[kSize]) {
    if constexpr (kStep < kSize) {
#pragma GCC unroll 8
      for (int i = 0; i < kSize; ++i) {
        if ((i & kStep) == 0) exchange<kStep>(lines[i], lines[i + kStep], Lanes{});
      }
      exchange_all<2 * kStep>(lines);
    }
  }

  static void turn(char* out, std::int64_t out_step, const char* in, std::int64_t in_step) {
    Line lines[kSize];
#pragma GCC unroll 8
    for (int i = 0; i < kSize; ++i) std::memcpy(&lines[i], in + i * in_step, sizeof(Line));
    exchange_all<1>(lines);
#pragma GCC unroll 8
    for (int i = 0; i < kSize; ++i) std::memcpy(out + i * out_step, &lines[i], sizeof(Line));
  }
};

template <class T>
void turn_lines(char* out, std::int64_t out_step, const char* in, std::int64_t in_step,
                std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kSize = sizeof(T), kSide = Square<T>::kSize;
  const std::int64_t whole_rows = rows / kSide * kSide, whole = columns / kSide * kSide;
  for (std::int64_t j = 0; j < whole; j += kSide) {
    for (std::int64_t i = 0; i < whole_rows; i += kSide) {
      Square<T>::turn(out + j * out_step + i * kSize, out_step, in + i * in_step + j * kSize,
                      in_step);
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = j < whole ? whole_rows : 0; i < rows; ++i) {
      std::memcpy(out + j * out_step + i * kSize, in + i * in_step + j * kSize, kSize);
    }
  }
}

}  // namespace

template <>
TurnFn TurnLoops<Arch::CUPYXX_ARCH>::find(std::int64_t size) {
  return size == 4 ? &turn_lines<std::uint32_t> : size == 8 ? &turn_lines<std::uint64_t> : nullptr;
}

}  // namespace cupyxx::internal::cpu
