// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/loops.h"

#include <immintrin.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/half.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/blas/product_loops.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr std::int64_t kRows = kProductRows, kColumns = kProductColumns;
constexpr std::int64_t kChunk = 4096;  // elements of a dot product summed by one thread
constexpr std::int64_t kParallelWork = std::int64_t{1} << 18;

using Sums = ProductSums;
using Truth = ProductTruth;

template <class Rule, class A>
A dot_kernel(const A* x, const A* y, std::int64_t k) {
  return with_arch(arch(),
                   [&]<Arch kArch>() { return ProductLoops<kArch, Rule, A>::dot(x, y, k); });
}

template <class Rule, class A>
void rows_kernel(A* sums, const A* x, std::int64_t x_stride, const A* b, std::int64_t ldb,
                 std::int64_t k, std::int64_t columns) {
  with_arch(arch(), [&]<Arch kArch>() {
    ProductLoops<kArch, Rule, A>::add_rows(sums, x, x_stride, b, ldb, k, columns);
  });
}

// Narrow integers and 16-bit floats are widened before the kernels see them.
template <class A, class S>
const A* widened(const S* from, std::int64_t stride, std::int64_t count, A* buffer) {
  if (stride == 1) {
    if constexpr (std::is_same_v<A, S>) {
      return from;
    } else if constexpr (std::is_same_v<S, half> || std::is_same_v<S, bfloat16>) {
      widen(dtype_of<S>(), from, count, 1, count, buffer);
      return buffer;
    }
  }
  if constexpr (std::is_same_v<A, S>) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(S));
    char* const pair[] = {reinterpret_cast<char*>(buffer),
                          const_cast<char*>(reinterpret_cast<const char*>(from))};
    const std::int64_t strides[] = {kSize, stride * kSize};
    if (count >= 32) {
      cast_loop(dtype_of<S>(), dtype_of<S>())(pair, strides, count);
      return buffer;
    }
  }
  for (std::int64_t i = 0; i < count; ++i) buffer[i] = static_cast<A>(from[i * stride]);
  return buffer;
}

template <class Rule, class S, class A>
A dot(const S* x, std::int64_t stride_x, const S* y, std::int64_t stride_y, std::int64_t k) {
  const auto part = [&](std::int64_t begin) {
    A x_buffer[kChunk], y_buffer[kChunk];
    const std::int64_t count = std::min(kChunk, k - begin);
    return dot_kernel<Rule, A>(widened(x + begin * stride_x, stride_x, count, x_buffer),
                               widened(y + begin * stride_y, stride_y, count, y_buffer), count);
  };
  if (k <= kChunk) return k > 0 ? part(0) : A(0);
  const std::int64_t chunks = (k + kChunk - 1) / kChunk;
  std::vector<A> parts(static_cast<std::size_t>(chunks));
  run_tasks(k < kParallelWork ? 1 : thread_count(), chunks,
            [&](std::int64_t i) { parts[static_cast<std::size_t>(i)] = part(i * kChunk); });
  for (std::size_t count = parts.size(); count > 1; count = (count + 1) / 2) {
    for (std::size_t i = 0; i < count / 2; ++i) {
      parts[i] = Rule::join(parts[2 * i], parts[2 * i + 1]);
    }
    if (count % 2 != 0) parts[count / 2] = parts[count - 1];
  }
  return parts[0];
}

template <class Rule, class S, class A>
void store(const GemmCall& call, std::int64_t i, std::int64_t j, const A* sums,
           std::int64_t columns) {
  S* c = static_cast<S*>(call.c) + i * call.ldc + j;
  const S* bias = call.bias == nullptr ? nullptr : static_cast<const S*>(call.bias) + j;
  for (std::int64_t l = 0; l < columns; ++l) {
    A sum = sums[l];
    if (bias != nullptr) sum = Rule::join(sum, static_cast<A>(bias[l]));
    if (call.accumulate) sum = Rule::join(sum, static_cast<A>(c[l]));
    c[l] = static_cast<S>(sum);
  }
}

// All of B as the kernels want it: widened, rows without gaps.
template <class S, class A>
std::unique_ptr<A[]> packed(const GemmCall& call) {
  auto buffer = std::make_unique_for_overwrite<A[]>(static_cast<std::size_t>(call.k * call.n));
  const S* b = static_cast<const S*>(call.b);
  constexpr std::int64_t kTile = 32;  // square tiles: a transposed B is read in runs
  for (std::int64_t l = 0; l < call.k; l += kTile) {
    for (std::int64_t j = 0; j < call.n; j += kTile) {
      for (std::int64_t row = l; row < std::min(l + kTile, call.k); ++row) {
        for (std::int64_t col = j; col < std::min(j + kTile, call.n); ++col) {
          buffer[static_cast<std::size_t>(row * call.n + col)] =
              static_cast<A>(b[row * call.row_b() + col * call.col_b()]);
        }
      }
    }
  }
  return buffer;
}

// Up to kRows rows of C. `wide` is B as the kernels want it, or null.
template <class Rule, class S, class A>
void some_rows(const GemmCall& call, std::int64_t first, A* a_rows, const A* wide,
               std::int64_t ld_wide) {
  const std::int64_t rows = std::min(kRows, call.m - first);
  const S* a = static_cast<const S*>(call.a);
  const S* b = static_cast<const S*>(call.b);
  for (std::int64_t i = 0; i < kRows; ++i) {
    // Missing rows repeat the last one; their sums are dropped.
    const S* from = a + (first + std::min(i, rows - 1)) * call.row_a();
    for (std::int64_t l = 0; l < call.k; ++l) {
      a_rows[i * call.k + l] = static_cast<A>(from[l * call.col_a()]);
    }
  }
  A sums[kRows * kColumns];
  for (std::int64_t j = 0; j < call.n; j += kColumns) {
    const std::int64_t columns = std::min(kColumns, call.n - j);
    for (std::int64_t i = 0; i < kRows; ++i) std::fill_n(sums + i * kColumns, columns, A(0));
    if (wide != nullptr) {
      rows_kernel<Rule, A>(sums, a_rows, call.k, wide + j, ld_wide, call.k, columns);
    } else {
      A b_buffer[kColumns];
      for (std::int64_t l = 0; l < call.k; ++l) {
        const S* from = b + l * call.row_b() + j * call.col_b();
        const A* row = widened(from, call.col_b(), columns, b_buffer);
        rows_kernel<Rule, A>(sums, a_rows + l, call.k, row, 0, 1, columns);
      }
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      store<Rule, S>(call, first + i, j, sums + i * kColumns, columns);
    }
  }
}

template <class Rule, class S, class A>
void product(const GemmCall& call) {
  if (call.m == 1 && call.n == 1) {
    const A sum = dot<Rule, S, A>(static_cast<const S*>(call.a), call.col_a(),
                                  static_cast<const S*>(call.b), call.row_b(), call.k);
    store<Rule, S>(call, 0, 0, &sum, 1);
    return;
  }
  if (call.m * call.n * call.k <= 64) {  // 2 x 2, 4 x 4: nothing is worth setting up
    const S* a = static_cast<const S*>(call.a);
    const S* b = static_cast<const S*>(call.b);
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        A sum = 0;
        for (std::int64_t l = 0; l < call.k; ++l) {
          sum = Rule::step(sum, static_cast<A>(a[i * call.row_a() + l * call.col_a()]),
                           static_cast<A>(b[l * call.row_b() + j * call.col_b()]));
        }
        store<Rule, S>(call, i, j, &sum, 1);
      }
    }
    return;
  }
  const std::int64_t groups = (call.m + kRows - 1) / kRows;
  const bool alone = call.m * call.n * call.k < kParallelWork;
  const int threads = alone ? 1 : static_cast<int>(std::min<std::int64_t>(thread_count(), groups));
  const A* wide = nullptr;
  std::int64_t ld_wide = call.ldb;
  if constexpr (std::is_same_v<A, S>) {
    if (!call.trans_b) wide = static_cast<const A*>(call.b);
  }
  std::unique_ptr<A[]> buffer;
  if (wide == nullptr && groups > 1) {
    buffer = packed<S, A>(call);
    wide = buffer.get();
    ld_wide = call.n;
  }
  constexpr std::int64_t kOnStack = 1024;
  run_team(threads, [&](int member, int size) {
    A on_stack[kOnStack];
    std::vector<A> on_heap;
    if (call.k * kRows > kOnStack) on_heap.resize(static_cast<std::size_t>(call.k * kRows));
    A* a_rows = on_heap.empty() ? on_stack : on_heap.data();
    const std::int64_t share = (groups + size - 1) / size;
    const std::int64_t begin = std::min(groups, member * share);
    const std::int64_t end = std::min(groups, begin + share);
    for (std::int64_t i = begin; i < end; ++i) {
      some_rows<Rule, S, A>(call, i * kRows, a_rows, wide, ld_wide);
    }
  });
}

template <class Visit>
void over_c(const GemmCall& call, Visit visit) {
  for (std::int64_t i = 0; i < call.m; ++i) visit(i * call.ldc);
}

template <class T>
void prefill_rows(const GemmCall& call) {
  T* c = static_cast<T*>(call.c);
  const T* bias = static_cast<const T*>(call.bias);
  over_c(call, [&](std::int64_t row) {
    if (bias == nullptr) {
      if (!call.accumulate) std::fill_n(c + row, call.n, T(0));
    } else if (call.accumulate) {
      for (std::int64_t j = 0; j < call.n; ++j) c[row + j] = static_cast<T>(c[row + j] + bias[j]);
    } else {
      std::copy_n(bias, call.n, c + row);
    }
  });
}

template <class T>
void relu_rows(const GemmCall& call) {
  T* c = static_cast<T*>(call.c);
  over_c(call, [&](std::int64_t row) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      if (c[row + j] < T(0)) c[row + j] = T(0);
    }
  });
}

bool has_f16c() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

__attribute__((target("avx,f16c"))) std::int64_t widen_by_eight(const half* from,
                                                                std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(bits));
  }
  return i;
}

__attribute__((target("avx,f16c"))) std::int64_t narrow_by_eight(const float* from,
                                                                 std::int64_t count, half* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
  }
  return i;
}

}  // namespace

void gemm_loops(const GemmCall& call) {
  with_element_type(call.dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, bool>) {
      product<Truth, std::uint8_t, std::uint8_t>(call);
    } else if constexpr (std::is_integral_v<T>) {
      // The low bits of sums and products do not depend on signs or on higher bits.
      product<Sums, std::make_unsigned_t<T>, ops::Wrap<T>>(call);
    } else {
      product<Sums, T, Computed<T>>(call);
    }
  });
  if (call.relu) apply_relu(call);
}

void prefill(const GemmCall& call) {
  switch (call.dtype.code()) {
    case dtype::Code::float32:
      return prefill_rows<float>(call);
    case dtype::Code::complex64:
      return prefill_rows<complex<float>>(call);
    case dtype::Code::complex128:
      return prefill_rows<complex<double>>(call);
    default:
      return prefill_rows<double>(call);
  }
}

void apply_relu(const GemmCall& call) {
  with_element_type(call.dtype, [&]<class T>() {
    if constexpr (std::is_signed_v<Computed<T>>) relu_rows<T>(call);
  });
}

void widen(cupyxx::dtype type, const void* from, std::int64_t ld, std::int64_t rows,
           std::int64_t cols, float* to) {
  for (std::int64_t i = 0; i < rows; ++i, to += cols) {
    if (type == bfloat16_) {
      const bfloat16* row = static_cast<const bfloat16*>(from) + i * ld;
      for (std::int64_t j = 0; j < cols; ++j) to[j] = row[j];
    } else {
      const half* row = static_cast<const half*>(from) + i * ld;
      std::int64_t j = has_f16c() ? widen_by_eight(row, cols, to) : 0;
      for (; j < cols; ++j) to[j] = row[j];
    }
  }
}

void narrow(cupyxx::dtype type, const float* from, std::int64_t rows, std::int64_t cols, void* to,
            std::int64_t ld) {
  for (std::int64_t i = 0; i < rows; ++i, from += cols) {
    if (type == bfloat16_) {
      bfloat16* row = static_cast<bfloat16*>(to) + i * ld;
      for (std::int64_t j = 0; j < cols; ++j) row[j] = from[j];
    } else {
      half* row = static_cast<half*>(to) + i * ld;
      std::int64_t j = has_f16c() ? narrow_by_eight(from, cols, row) : 0;
      for (; j < cols; ++j) row[j] = from[j];
    }
  }
}

}  // namespace cupyxx::internal::cpu
