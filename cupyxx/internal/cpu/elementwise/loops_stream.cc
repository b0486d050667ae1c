// SPDX-License-Identifier: MIT
#include <immintrin.h>

#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/stream_loops.h"
#include "cupyxx/internal/cpu/elementwise/truth_loops.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/comparison.h"
#include "cupyxx/ops/exp_log.h"

namespace cupyxx::internal::cpu {

// Code for one instruction set must not be shared with another by the linker.
namespace {

constexpr std::int64_t kLine = 64;

// Writes one line of the caches, `from` being in registers as a rule.
template <class T>
[[gnu::always_inline]] inline void store_line(T* to, const T* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
#elif defined(__AVX2__)
  const auto* source = reinterpret_cast<const __m256i*>(from);
  auto* target = reinterpret_cast<__m256i*>(to);
  for (int i = 0; i < 2; ++i) _mm256_stream_si256(target + i, _mm256_load_si256(source + i));
#else
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  for (int i = 0; i < 4; ++i) _mm_stream_si128(target + i, _mm_load_si128(source + i));
#endif
}

// r[i] = f(i), a line at a time.
template <class T, class F>
[[gnu::always_inline]] inline void stream(T* r, std::int64_t n, const F& f) {
  constexpr std::int64_t kPerLine = kLine / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = 0;
  while (i < n && (reinterpret_cast<std::uintptr_t>(r + i) & (kLine - 1)) != 0) {
    r[i] = f(i);
    ++i;
  }
  for (; i + kPerLine <= n; i += kPerLine) {
    alignas(kLine) T line[kPerLine];
#pragma omp simd
    for (std::int64_t j = 0; j < kPerLine; ++j) line[j] = f(i + j);
    store_line(r + i, line);
  }
  for (; i < n; ++i) r[i] = f(i);
  _mm_sfence();
}

template <class Op, class T>
void stream1(char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (n == 0) return;
  auto* r = reinterpret_cast<T*>(data[0]);
  const auto* a = reinterpret_cast<const T*>(data[1]);
  if (strides[1] == 0) {
    const T a0 = Op::apply(*a);
    stream(r, n, [=](std::int64_t) { return a0; });
  } else {
    stream(r, n, [=](std::int64_t i) { return Op::apply(a[i]); });
  }
}

template <class Op, class R, class T>
void stream2(char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (n == 0) return;
  auto* r = reinterpret_cast<R*>(data[0]);
  const auto* a = reinterpret_cast<const T*>(data[1]);
  const auto* b = reinterpret_cast<const T*>(data[2]);
  const T a0 = *a;
  const T b0 = *b;
  if (strides[1] != 0 && strides[2] != 0) {
    stream(r, n, [=](std::int64_t i) { return Op::apply(a[i], b[i]); });
  } else if (strides[1] != 0) {
    stream(r, n, [=](std::int64_t i) { return Op::apply(a[i], b0); });
  } else {
    stream(r, n, [=](std::int64_t i) { return Op::apply(a0, b[strides[2] != 0 ? i : 0]); });
  }
}

template <class Op, class T>
constexpr LoopEntry unary() {
  return {Op::name, dtype_of<T>(), &stream1<Op, T>};
}
template <class Op, class T>
constexpr LoopEntry binary() {
  return {Op::name, dtype_of<T>(), &stream2<Op, T, T>};
}
#if defined(CUPYXX_TRUTH_LOOPS)
template <class Mask, class T>
constexpr LoopEntry truth() {
  return {Mask::Op::name, dtype_of<T>(), &truth_loop2<Mask, T, true>};
}
#else
using GreaterMask = ops::Greater;
using GreaterEqualMask = ops::GreaterEqual;
using LessMask = ops::Less;
using LessEqualMask = ops::LessEqual;
using EqualMask = ops::Equal;
using NotEqualMask = ops::NotEqual;
using AndMask = ops::LogicalAnd;
using OrMask = ops::LogicalOr;
template <class Op, class T>
constexpr LoopEntry truth() {
  return {Op::name, dtype_of<T>(), &stream2<Op, bool, T>};
}
#endif

constexpr LoopEntry kEntries[] = {
    binary<ops::Add, float>(),
    binary<ops::Add, double>(),
    binary<ops::Add, ops::i32>(),
    binary<ops::Add, ops::i64>(),
    binary<ops::Subtract, float>(),
    binary<ops::Subtract, double>(),
    binary<ops::Subtract, ops::i32>(),
    binary<ops::Subtract, ops::i64>(),
    binary<ops::Multiply, float>(),
    binary<ops::Multiply, double>(),
    binary<ops::Multiply, ops::i32>(),
    binary<ops::TrueDivide, float>(),
    binary<ops::TrueDivide, double>(),
    binary<ops::Maximum, float>(),
    binary<ops::Maximum, double>(),
    binary<ops::Minimum, float>(),
    binary<ops::Minimum, double>(),
    unary<ops::Negative, float>(),
    unary<ops::Negative, double>(),
    unary<ops::Absolute, float>(),
    unary<ops::Absolute, double>(),
    unary<ops::Square, float>(),
    unary<ops::Square, double>(),
    truth<LessMask, float>(),
    truth<LessMask, double>(),
    truth<LessMask, ops::i32>(),
    truth<LessMask, ops::i64>(),
    truth<LessEqualMask, float>(),
    truth<LessEqualMask, double>(),
    truth<LessEqualMask, ops::i32>(),
    truth<LessEqualMask, ops::i64>(),
    truth<GreaterMask, float>(),
    truth<GreaterMask, double>(),
    truth<GreaterMask, ops::i32>(),
    truth<GreaterMask, ops::i64>(),
    truth<GreaterEqualMask, float>(),
    truth<GreaterEqualMask, double>(),
    truth<GreaterEqualMask, ops::i32>(),
    truth<GreaterEqualMask, ops::i64>(),
    truth<EqualMask, float>(),
    truth<EqualMask, double>(),
    truth<EqualMask, ops::i32>(),
    truth<EqualMask, ops::i64>(),
    truth<NotEqualMask, float>(),
    truth<NotEqualMask, double>(),
    truth<NotEqualMask, ops::i32>(),
    truth<NotEqualMask, ops::i64>(),
    truth<AndMask, ops::i64>(),
    truth<OrMask, ops::i64>(),
#if defined(__FMA__)  // inlined: ops/vector_math.h
    unary<ops::Exp, float>(),
    unary<ops::Exp, double>(),
    unary<ops::Exp2, float>(),
    unary<ops::Exp2, double>(),
#endif
};

}  // namespace

template <>
LoopFn StreamLoops<Arch::CUPYXX_ARCH>::find(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
