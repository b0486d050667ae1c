// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/product_loops.h"

namespace cupyxx::internal::cpu {

template <Arch kArch, class Rule, class A>
A ProductLoops<kArch, Rule, A>::dot(const A* x, const A* y, std::int64_t k) {
  constexpr int kLanes = 32;  // enough independent sums to hide the adder's latency
  A sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      sums[lane] = Rule::step(sums[lane], x[i + lane], y[i + lane]);
    }
  }
  A sum = 0;
  for (; i < k; ++i) sum = Rule::step(sum, x[i], y[i]);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) {
      sums[lane] = Rule::join(sums[lane], sums[lane + half]);
    }
  }
  return Rule::join(sums[0], sum);
}

template <Arch kArch, class Rule, class A>
void ProductLoops<kArch, Rule, A>::add_rows(A* sums, const A* x, std::int64_t x_stride, const A* b,
                                            std::int64_t ldb, std::int64_t k,
                                            std::int64_t columns) {
  constexpr std::int64_t kColumns = kProductColumns;
  for (std::int64_t i = 0; i < k; ++i, ++x, b += ldb) {
    const A x0 = x[0], x1 = x[x_stride], x2 = x[2 * x_stride], x3 = x[3 * x_stride];
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) {
      const A y = b[j];
      sums[j] = Rule::step(sums[j], x0, y);
      sums[j + kColumns] = Rule::step(sums[j + kColumns], x1, y);
      sums[j + 2 * kColumns] = Rule::step(sums[j + 2 * kColumns], x2, y);
      sums[j + 3 * kColumns] = Rule::step(sums[j + 3 * kColumns], x3, y);
    }
  }
}

template struct ProductLoops<Arch::CUPYXX_ARCH, ProductTruth, std::uint8_t>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, std::uint32_t>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, std::uint64_t>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, float>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, double>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, complex<float>>;
template struct ProductLoops<Arch::CUPYXX_ARCH, ProductSums, complex<double>>;

}  // namespace cupyxx::internal::cpu
