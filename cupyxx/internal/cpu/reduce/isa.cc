// SPDX-License-Identifier: MIT
// What one instruction set offers.
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "cupyxx/half.h"
#include "cupyxx/internal/cpu/reduce/families.h"

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

void half_to_float(float* out, const unsigned short* in, std::int64_t n) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(bits));
  }
#endif
  for (; i < n; ++i) out[i] = half_bits_to_float(in[i]);
}

void bfloat16_to_float(float* out, const unsigned short* in, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = bits_float(static_cast<unsigned>(in[i]) << 16);
}

}  // namespace

template <>
constinit const ReduceIsa ReduceIsaOf<Arch::CUPYXX_ARCH>::table{loops, half_to_float,
                                                                bfloat16_to_float};

}  // namespace cupyxx::internal::cpu
