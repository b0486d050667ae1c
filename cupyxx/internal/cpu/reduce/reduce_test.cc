// SPDX-License-Identifier: MIT
// Every operation, element type and layout on each instruction set of this machine, against sums
// written down naively in long double.
#include "cupyxx/internal/cpu/reduce/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/half.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/reduce/loops.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr dtype kDtypes[] = {bool_,  int8,   int16,  int32,   int64,   uint8,
                             uint16, uint32, uint64, float16, float32, float64};

std::vector<const ReduceIsa*> instruction_sets() {
#ifdef CUPYXX_ONLY_ARCH
  return {&ReduceIsaOf<Arch::CUPYXX_ONLY_ARCH>::table};
#else
  std::vector<const ReduceIsa*> sets = {&ReduceIsaOf<Arch::baseline>::table};
  if (__builtin_cpu_supports("avx2")) sets.push_back(&ReduceIsaOf<Arch::avx2>::table);
  if (__builtin_cpu_supports("avx512bw")) sets.push_back(&ReduceIsaOf<Arch::avx512>::table);
  return sets;
#endif
}

void store(dtype type, char* p, long double v) {
  const auto put = [p](auto x) { std::memcpy(p, &x, sizeof(x)); };
  switch (type.code()) {
    case dtype::Code::bool_:
      return put(static_cast<bool>(v != 0));
    case dtype::Code::int8:
      return put(static_cast<std::int8_t>(v));
    case dtype::Code::int16:
      return put(static_cast<std::int16_t>(v));
    case dtype::Code::int32:
      return put(static_cast<std::int32_t>(v));
    case dtype::Code::int64:
      return put(static_cast<std::int64_t>(v));
    case dtype::Code::uint8:
      return put(static_cast<std::uint8_t>(v));
    case dtype::Code::uint16:
      return put(static_cast<std::uint16_t>(v));
    case dtype::Code::uint32:
      return put(static_cast<std::uint32_t>(v));
    case dtype::Code::uint64:
      return put(static_cast<std::uint64_t>(v));
    case dtype::Code::float16:
      return put(half(static_cast<double>(v)));
    case dtype::Code::float32:
      return put(static_cast<float>(v));
    default:
      return put(static_cast<double>(v));
  }
}

long double load(dtype type, const char* p) {
  const auto get = [p](auto x) {
    std::memcpy(&x, p, sizeof(x));
    return static_cast<long double>(x);
  };
  switch (type.code()) {
    case dtype::Code::bool_:
      return get(false);
    case dtype::Code::int8:
      return get(std::int8_t{});
    case dtype::Code::int16:
      return get(std::int16_t{});
    case dtype::Code::int32:
      return get(std::int32_t{});
    case dtype::Code::int64:
      return get(std::int64_t{});
    case dtype::Code::uint8:
      return get(std::uint8_t{});
    case dtype::Code::uint16:
      return get(std::uint16_t{});
    case dtype::Code::uint32:
      return get(std::uint32_t{});
    case dtype::Code::uint64:
      return get(std::uint64_t{});
    case dtype::Code::float16: {
      half h;
      std::memcpy(&h, p, sizeof(h));
      return static_cast<float>(h);
    }
    case dtype::Code::float32:
      return get(0.0f);
    default:
      return get(0.0);
  }
}

/// What an operation gives for the elements `x`.
long double expected(ReduceOp op, const std::vector<long double>& x, double ddof) {
  long double sum = 0, product = 1, low = x[0], high = x[0];
  std::size_t first_low = 0, first_high = 0, nonzero = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i];
    product *= x[i];
    if (x[i] != 0) ++nonzero;
    const bool nan = std::isnan(x[i]);
    if (x[i] < low || (nan && !std::isnan(low))) low = x[i], first_low = i;
    if (x[i] > high || (nan && !std::isnan(high))) high = x[i], first_high = i;
  }
  const long double n = static_cast<long double>(x.size()), mean = sum / n;
  long double squares = 0;
  for (const long double v : x) squares += (v - mean) * (v - mean);
  switch (op) {
    case ReduceOp::sum:
      return sum;
    case ReduceOp::prod:
      return product;
    case ReduceOp::mean:
      return mean;
    case ReduceOp::var:
      return squares / (n - ddof);
    case ReduceOp::std:
      return std::sqrt(squares / (n - ddof));
    case ReduceOp::amax:
      return high;
    case ReduceOp::amin:
      return low;
    case ReduceOp::all:
      return nonzero == x.size();
    case ReduceOp::any:
      return nonzero != 0;
    case ReduceOp::argmax:
      return static_cast<long double>(first_high);
    case ReduceOp::argmin:
      return static_cast<long double>(first_low);
    case ReduceOp::count_nonzero:
      return static_cast<long double>(nonzero);
    case ReduceOp::norm:
      return std::sqrt(squares + n * mean * mean);
  }
  return 0;
}

/// A strided array in memory of its own.
struct Case {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  std::uint32_t mask;                 // reduced axes
};

const Case kCases[] = {
    {"0-d", {}, {}, 0},
    {"one element of three", {3}, {1}, 0},
    {"short", {7}, {1}, 1},
    {"full", {70001}, {1}, 1},
    {"full, two chunks", {3, 100003}, {100003, 1}, 3},
    {"long rows", {2, 140001}, {140001, 1}, 2},
    {"rows", {37, 301}, {301, 1}, 2},
    {"short rows", {300, 5}, {5, 1}, 2},
    {"columns", {301, 37}, {37, 1}, 1},
    {"long columns", {60011, 3}, {3, 1}, 1},
    {"wide columns", {19, 2100}, {2100, 1}, 1},
    {"many rows of wide columns", {530, 1030}, {1030, 1}, 1},
    {"transposed rows", {41, 67}, {1, 41}, 2},
    {"transposed columns", {41, 67}, {1, 41}, 1},
    {"middle", {5, 33, 21}, {693, 21, 1}, 2},
    {"outer and inner", {6, 9, 290}, {2610, 290, 1}, 5},
    {"outer and short inner", {6, 9, 5}, {45, 5, 1}, 5},
    {"every second", {40, 50}, {200, 2}, 2},
    {"every second, columns", {40, 50}, {200, 2}, 1},
    {"reversed", {11, 13}, {-13, -1}, 2},
    {"reversed, all", {11, 13}, {-13, -1}, 3},
    {"broadcast kept", {9, 300}, {0, 1}, 2},
    {"broadcast reduced", {300, 9}, {0, 1}, 1},
    {"no axis", {4, 5, 6}, {30, 6, 1}, 0},
    {"four axes", {3, 4, 5, 6}, {120, 1, 24, 4}, 10},
};

class Reduce : public ::testing::TestWithParam<ReduceOp> {};

TEST_P(Reduce, AgreesWithTheNaiveReference) {
  const ReduceOp op = GetParam();
  for (const Case& c : kCases) {
    for (const dtype in : kDtypes) {
      const int ndim = static_cast<int>(c.shape.size());
      std::int64_t low = 0, high = 0, kept = 1, reduced = 1, strides[kMaxNdim];
      for (int d = 0; d < ndim; ++d) {
        strides[d] = c.strides[d] * in.itemsize();
        (strides[d] < 0 ? low : high) += (c.shape[d] - 1) * strides[d];
        (c.mask >> d & 1 ? reduced : kept) *= c.shape[d];
      }
      std::vector<char> memory(static_cast<std::size_t>(high - low + in.itemsize()));
      const char* data = memory.data() - low;
      // Products of few factors beside 1; sums of small numbers, exact in float16's range.
      std::uint32_t state = 1, twos = 0;
      for (std::size_t i = 0; i < memory.size(); i += static_cast<std::size_t>(in.itemsize())) {
        state = state * 1664525u + 1013904223u;
        const int digit = static_cast<int>(state >> 24);
        long double v = digit % 7;
        if (op == ReduceOp::prod) v = digit % 61 == 0 && ++twos < 30 ? 2 : 1;
        if (op == ReduceOp::all) v = digit != 7 || state % 5 != 0;
        if (op == ReduceOp::any) v = digit == 7 && state % 5 == 0;
        if (in.is_floating() && op != ReduceOp::prod) v -= digit % 3 == 0 ? 3.5L : 0.25L;
        if (in.is_floating() && is_arg(op) && digit == 9) v = std::nanl("");
        store(in, &memory[i], v);
      }
      const dtype out = reduction_result(op, in);
      const double ddof = reduced > 1 ? 1 : 0;
      std::vector<std::vector<char>> results;
      for (const ReduceIsa* isa : instruction_sets()) {
        for (const bool alone : {false, true}) {
          results.emplace_back(static_cast<std::size_t>(kept * out.itemsize()));
          const Reduction plan = plan_reduction(op, in, data, ndim, c.shape.data(), strides, c.mask,
                                                results.back().data(), nullptr, ddof);
          // Inside a team the reduction gets no threads of its own.
          run_team(alone ? 2 : 1, [&](int member, int) {
            if (member == 0) reduce(plan, *isa);
          });
        }
      }
      SCOPED_TRACE(c.name + ", " + std::string(in.name()));
      for (std::size_t i = 1; i < results.size(); ++i) ASSERT_EQ(results[0], results[i]) << i;
      for (std::int64_t k = 0; k < kept; ++k) {
        std::vector<long double> x(static_cast<std::size_t>(reduced));
        for (std::int64_t i = 0; i < reduced; ++i) {
          std::int64_t offset = 0, k_rest = k, i_rest = i;
          for (int d = ndim - 1; d >= 0; --d) {
            std::int64_t& rest = c.mask >> d & 1 ? i_rest : k_rest;
            offset += rest % c.shape[d] * strides[d];
            rest /= c.shape[d];
          }
          x[static_cast<std::size_t>(i)] = load(in, data + offset);
        }
        const long double want = expected(op, x, ddof);
        const long double got = load(out, results[0].data() + k * out.itemsize());
        long double magnitude = std::abs(want) + 1;
        if (op == ReduceOp::sum) magnitude += 0.01L * static_cast<long double>(reduced);
        const long double bound = !out.is_floating() || op == ReduceOp::amax ? 0
                                  : out == float16                           ? 1e-3L
                                  : out == float32                           ? 1e-6L
                                                                             : 1e-14L;
        if (std::isinf(got) && out == float16 && std::abs(want) > 65000) continue;
        ASSERT_LE(std::abs(got - want), bound * magnitude)
            << "result " << k << ": " << got << " instead of " << want;
      }
    }
  }
}

std::string op_name(const ::testing::TestParamInfo<ReduceOp>& info) { return name(info.param); }
INSTANTIATE_TEST_SUITE_P(, Reduce, ::testing::ValuesIn(kReduceOps), op_name);

/// Rows of every length about the steps of the loops, the extreme at each place of them.
template <class T>
void check_extremes(dtype type) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN(), kInf = std::numeric_limits<T>::infinity();
  for (const std::int64_t n : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 79, 127, 128, 130, 9000}) {
    for (std::int64_t at = 0; at < n; at += n < 1000 ? 1 : 611) {
      for (const T extreme : {T(5), kInf, kNan, T(0)}) {
        // The extreme comes twice; the first one counts. Zeros are equal, whatever their sign.
        std::vector<T> x(static_cast<std::size_t>(n), extreme == 0 ? T(-1) : T(3));
        x[static_cast<std::size_t>(at)] = extreme == 0 ? T(-0.0) : extreme;
        x[static_cast<std::size_t>((at + n) / 2)] = extreme;
        const std::int64_t shape[] = {n}, strides[] = {sizeof(T)};
        for (const ReduceIsa* isa : instruction_sets()) {
          T most = 0, least = 0;
          std::int64_t where = -1;
          const auto run = [&](ReduceOp op, void* to) {
            reduce(plan_reduction(op, type, x.data(), 1, shape, strides, 1, to), *isa);
          };
          run(ReduceOp::argmax, &where);
          EXPECT_EQ(where, at) << n << " elements";
          run(ReduceOp::amax, &most);
          EXPECT_TRUE(most == extreme || (most != most && extreme != extreme)) << n << ", " << at;
          // NumPy's: of equal zeros the last one's sign.
          const T last = x[static_cast<std::size_t>((at + n) / 2)];
          const bool same_sign = std::signbit(most) == std::signbit(last);
          EXPECT_TRUE(extreme != 0 || same_sign) << n << ", " << at;
          for (T& v : x) v = -v;
          run(ReduceOp::argmin, &where);
          EXPECT_EQ(where, at) << n << " elements";
          run(ReduceOp::amin, &least);
          EXPECT_TRUE(least == -extreme || (least != least && extreme != extreme)) << n;
          for (T& v : x) v = -v;
        }
      }
    }
  }
}

TEST(ReduceExtremes, AreFoundAtEveryPlace) {
  check_extremes<float>(float32);
  check_extremes<double>(float64);
}

TEST(ReduceAccuracy, LongFloatSumsArePairwise) {
  const std::vector<float> x(1 << 22, 0.1f);
  const std::int64_t shape[] = {1 << 22}, strides[] = {4};
  for (const ReduceIsa* isa : instruction_sets()) {
    float sum = 0, variance = 0;
    reduce(plan_reduction(ReduceOp::sum, float32, x.data(), 1, shape, strides, 1, &sum), *isa);
    EXPECT_NEAR(sum, 419430.406, 0.13);
    reduce(plan_reduction(ReduceOp::var, float32, x.data(), 1, shape, strides, 1, &variance), *isa);
    EXPECT_NEAR(variance, 0, 1e-14);
  }
}

TEST(ReduceAccuracy, VarianceOfLargeNumbersDoesNotCancel) {
  std::vector<float> x(100000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 10000.0f + static_cast<float>(i % 2);
  for (const std::int64_t columns : {1, 2, 50}) {
    const std::int64_t shape[] = {100000 / columns, columns}, strides[] = {4 * columns, 4};
    std::vector<float> variance(static_cast<std::size_t>(columns));
    for (const ReduceIsa* isa : instruction_sets()) {
      reduce(
          plan_reduction(ReduceOp::var, float32, x.data(), 2, shape, strides, 1, variance.data()),
          *isa);
      EXPECT_NEAR(variance[0], columns == 1 ? 0.25f : 0.0f, 1e-6) << columns;
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
