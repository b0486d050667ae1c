// SPDX-License-Identifier: MIT
// What one instruction set offers.
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <type_traits>

#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::cpu {

namespace {

const ReduceLoops* loops(ReduceOp op, dtype in) {
  switch (op) {
    case ReduceOp::sum:
    case ReduceOp::prod:
    case ReduceOp::mean:
    case ReduceOp::norm:
      return CUPYXX_ARCH::sum_loops(op, in);
    case ReduceOp::var:
    case ReduceOp::std:
      return CUPYXX_ARCH::moment_loops(op, in);
    case ReduceOp::amax:
    case ReduceOp::amin:
      return CUPYXX_ARCH::extreme_loops(op, in);
    case ReduceOp::argmax:
    case ReduceOp::argmin:
      return CUPYXX_ARCH::arg_loops(op, in);
    case ReduceOp::all:
    case ReduceOp::any:
    case ReduceOp::count_nonzero:
      return CUPYXX_ARCH::truth_loops(op, in);
  }
  return nullptr;
}

template <class T>
void to_float(float* out, const T* in, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
}
#if defined(__F16C__)
void to_float(float* out, const half* in, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(bits));
  }
  for (; i < n; ++i) out[i] = in[i];
}
#endif

template <class T>
constexpr WidenFn widening() {
  if constexpr (std::is_same_v<T, Computed<T>>) return nullptr;
  return [](float* out, const void* in, std::int64_t n) {
    to_float(out, static_cast<const T*>(in), n);
  };
}
template <class... T>
constexpr ReduceIsa isa_of(TypeList<T...>) {
  return {loops, {widening<T>()...}};
}

}  // namespace

template <>
constinit const ReduceIsa ReduceIsaOf<Arch::CUPYXX_ARCH>::table = isa_of(RealTypes{});

}  // namespace cupyxx::internal::cpu
