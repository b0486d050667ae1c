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

/// Three and more inputs: loops of their own where the leading ones are contiguous and each of the
/// others is one number.
template <class Op, class R, class... A>
struct Loop<Op, R(A...)> {
  static constexpr std::size_t kInputs = sizeof...(A);

  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    run_leading<kInputs>(data, strides, n, std::index_sequence_for<A...>{});
  }

 private:
  /// The element of an input, or its number.
  template <bool kIsArray, class T>
  [[gnu::always_inline]] static T at(const T* input, T number, std::int64_t i) {
    return kIsArray ? input[i] : number;
  }

  template <std::size_t kArrays, std::size_t... I>
  static void run_leading(char* const* data, const std::int64_t* strides, std::int64_t n,
                          std::index_sequence<I...> inputs) {
    const bool fits =
        n != 0 && strides[0] == sizeof(R) &&
        ((strides[I + 1] == (I < kArrays ? static_cast<std::int64_t>(sizeof(A)) : 0)) && ...);
    if (fits) {
      run_fast<kArrays>(reinterpret_cast<R*>(data[0]), n, inputs,
                        reinterpret_cast<const A*>(data[I + 1])...);
    } else if constexpr (kArrays > 1) {
      run_leading<kArrays - 1>(data, strides, n, inputs);
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<R*>(data[0] + i * strides[0]) =
            Op::apply(*reinterpret_cast<const A*>(data[I + 1] + i * strides[I + 1])...);
      }
    }
  }

  template <std::size_t kArrays, std::size_t... I>
  static void run_fast(R* r, std::int64_t n, std::index_sequence<I...> /*inputs*/,
                       const A*... input) {
    run_numbers<kArrays, I...>(r, n, input..., *input...);
  }

  template <std::size_t kArrays, std::size_t... I>
  static void run_numbers(R* r, std::int64_t n, const A*... input, A... number) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) r[i] = Op::apply(at<(I < kArrays)>(input, number, i)...);
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

template <class Op, Arch kArch>
const LoopFn* const ComplexOpLoops<Op, kArch>::table =
    LoopsOf<Op, typename Op::complex_loops>::table;

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
template <class Op, Arch kArch>
constexpr const LoopFn* const* complex_table_of() {
  if constexpr (ops::is_same<typename Op::complex_loops, ops::Loops<>>) {
    return nullptr;
  } else {
    return &ComplexOpLoops<Op, kArch>::table;
  }
}

template <class List, Arch kArch>
struct EmitComplexLoops;
template <class... Op, Arch kArch>
struct EmitComplexLoops<ops::OpList<Op...>, kArch> {
  static const LoopFn* const* const tables[];
};
template <class... Op, Arch kArch>
[[gnu::used]] const LoopFn* const* const EmitComplexLoops<ops::OpList<Op...>, kArch>::tables[] = {
    complex_table_of<Op, kArch>()...};

}  // namespace cupyxx::internal

/// Compiles the complex loops of a family for this file's instruction set.
#define CUPYXX_DEFINE_COMPLEX_LOOPS(List)                         \
  namespace cupyxx::internal {                                    \
  template struct EmitComplexLoops<ops::List, Arch::CUPYXX_ARCH>; \
  }

/// Compiles the loops of a family for this file's instruction set.
#define CUPYXX_DEFINE_LOOPS(List)                          \
  namespace cupyxx::internal {                             \
  template struct EmitLoops<ops::List, Arch::CUPYXX_ARCH>; \
  }

/// The same for a list outside of cupyxx, by its full name.
#define CUPYXX_DEFINE_EXTENSION_LOOPS(List)             \
  namespace cupyxx::internal {                          \
  template struct EmitLoops<::List, Arch::CUPYXX_ARCH>; \
  }
