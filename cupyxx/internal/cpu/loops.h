// SPDX-License-Identifier: MIT
// The 1-D loops around the operations' bodies. Compiled once per instruction set (CUPYXX_ARCH is
// baseline, avx2 or avx512). Everything that is compiled here is in the unnamed namespace or always
// inlined: code for one instruction set must not be shared with another by the linker.
#pragma once

#include <utility>

#include "cupyxx/internal/op_info.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal {
namespace {

template <class Op, class Signature>
struct Loop;

template <class Op, class R, class A>
struct Loop<Op, R(A)> {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    char* out = data[0];
    const char* x = data[1];
    if (strides[0] == sizeof(R) && strides[1] == sizeof(A)) {
      auto* r = reinterpret_cast<R*>(out);
      const auto* a = reinterpret_cast<const A*>(x);
#pragma omp simd
      for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a[i]);
      return;
    }
    for (std::int64_t i = 0; i < n; ++i, out += strides[0], x += strides[1]) {
      *reinterpret_cast<R*>(out) = Op::apply(*reinterpret_cast<const A*>(x));
    }
  }
};

template <class Op, class R, class A, class B>
struct Loop<Op, R(A, B)> {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    char* out = data[0];
    const char* x = data[1];
    const char* y = data[2];
    if (strides[0] == sizeof(R)) {
      auto* r = reinterpret_cast<R*>(out);
      const auto* a = reinterpret_cast<const A*>(x);
      const auto* b = reinterpret_cast<const B*>(y);
      if (strides[1] == sizeof(A) && strides[2] == sizeof(B)) {
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a[i], b[i]);
        return;
      }
      if (strides[1] == sizeof(A) && strides[2] == 0 && n != 0) {
        const B b0 = *b;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a[i], b0);
        return;
      }
      if (strides[1] == 0 && strides[2] == sizeof(B) && n != 0) {
        const A a0 = *a;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a0, b[i]);
        return;
      }
    }
    for (std::int64_t i = 0; i < n; ++i, out += strides[0], x += strides[1], y += strides[2]) {
      *reinterpret_cast<R*>(out) =
          Op::apply(*reinterpret_cast<const A*>(x), *reinterpret_cast<const B*>(y));
    }
  }
};

template <class Op, class R, class A, class B, class C>
struct Loop<Op, R(A, B, C)> {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    char* out = data[0];
    const char* x = data[1];
    const char* y = data[2];
    const char* z = data[3];
    if (strides[0] == sizeof(R) && strides[1] == sizeof(A)) {
      auto* r = reinterpret_cast<R*>(out);
      const auto* a = reinterpret_cast<const A*>(x);
      const auto* b = reinterpret_cast<const B*>(y);
      const auto* c = reinterpret_cast<const C*>(z);
      if (strides[2] == sizeof(B) && strides[3] == sizeof(C)) {
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a[i], b[i], c[i]);
        return;
      }
      if (strides[2] == 0 && strides[3] == 0 && n != 0) {
        const B b0 = *b;
        const C c0 = *c;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(a[i], b0, c0);
        return;
      }
    }
    for (std::int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<R*>(out) =
          Op::apply(*reinterpret_cast<const A*>(x), *reinterpret_cast<const B*>(y),
                    *reinterpret_cast<const C*>(z));
      out += strides[0];
      x += strides[1];
      y += strides[2];
      z += strides[3];
    }
  }
};

template <class Op, class R, class S, class... A>
struct PairLoop {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = [&](int operand) { return data[operand] + i * strides[operand]; };
      const ops::Pair<R, S> result = call(std::index_sequence_for<A...>{}, at);
      *reinterpret_cast<R*>(at(0)) = result.first;
      *reinterpret_cast<S*>(at(1)) = result.second;
    }
  }

 private:
  template <std::size_t... I, class At>
  static auto call(std::index_sequence<I...>, const At& at) {
    return Op::apply(*reinterpret_cast<const A*>(at(static_cast<int>(I) + 2))...);
  }
};

/// The loop of a signature, with float in the place of float16 unless the body takes half itself.
template <class Op, class Signature>
struct ComputeLoop;
template <class Op, class R, class... A>
struct ComputeLoop<Op, R(A...)> : Loop<Op, ops::ComputeType<Op, R>(ops::ComputeType<Op, A>...)> {};
template <class Op, class R, class S, class... A>
struct ComputeLoop<Op, ops::Pair<R, S>(A...)>
    : PairLoop<Op, ops::ComputeType<Op, R>, ops::ComputeType<Op, S>, ops::ComputeType<Op, A>...> {};

template <class Op, class List>
struct LoopsOf;
template <class Op, class... Signature>
struct LoopsOf<Op, ops::Loops<Signature...>> {
  static constexpr LoopFn table[] = {&ComputeLoop<Op, Signature>::run...};
};

}  // namespace

template <class Op, Arch kArch>
const LoopFn* const OpLoops<Op, kArch>::table = LoopsOf<Op, typename Op::loops>::table;

template <class Op>
const LoopFn* const ComplexOpLoops<Op>::table = LoopsOf<Op, typename Op::complex_loops>::table;

template <class List, Arch kArch>
struct EmitLoops;
template <class... Op, Arch kArch>
struct EmitLoops<ops::OpList<Op...>, kArch> {
  static const LoopFn* const* const tables[];  // naming the tables makes the compiler emit them
};
template <class... Op, Arch kArch>
[[gnu::used]] const LoopFn* const* const EmitLoops<ops::OpList<Op...>, kArch>::tables[] = {
    &OpLoops<Op, kArch>::table...};

/// The complex table of an operation that has one.
template <class Op>
constexpr const LoopFn* const* complex_table_of() {
  if constexpr (ops::is_same<typename Op::complex_loops, ops::Loops<>>) {
    return nullptr;
  } else {
    return &ComplexOpLoops<Op>::table;
  }
}

template <class List>
struct EmitComplexLoops;
template <class... Op>
struct EmitComplexLoops<ops::OpList<Op...>> {
  static const LoopFn* const* const tables[];
};
template <class... Op>
[[gnu::used]] const LoopFn* const* const EmitComplexLoops<ops::OpList<Op...>>::tables[] = {
    complex_table_of<Op>()...};

}  // namespace cupyxx::internal

/// Compiles the complex loops of a family.
#define CUPYXX_DEFINE_COMPLEX_LOOPS(List)      \
  namespace cupyxx::internal {                 \
  template struct EmitComplexLoops<ops::List>; \
  }

/// Compiles the loops of a family for this file's instruction set.
#define CUPYXX_DEFINE_LOOPS(List)                          \
  namespace cupyxx::internal {                             \
  template struct EmitLoops<ops::List, Arch::CUPYXX_ARCH>; \
  }
