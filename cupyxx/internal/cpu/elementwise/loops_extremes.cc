// SPDX-License-Identifier: MIT
// The larger or smaller of two floating numbers with AVX2: the processor's instruction and one
// choice for NaNs, where the compiler makes two comparisons. The bits are those of the operations.
#if defined(__AVX2__) && !defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/comparison.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__AVX2__) && !defined(__AVX512DQ__)

struct Doubles {
  using Number = double;
  using Lanes = __m256d;
  static Lanes load(const double* from) { return _mm256_loadu_pd(from); }
  static Lanes repeat(double number) { return _mm256_set1_pd(number); }
  static void store(double* to, Lanes x) { _mm256_storeu_pd(to, x); }
  static Lanes larger(Lanes x, Lanes y) { return _mm256_max_pd(x, y); }
  static Lanes smaller(Lanes x, Lanes y) { return _mm256_min_pd(x, y); }
  /// x where `number` is NaN, `other` elsewhere.
  static Lanes unless_nan(Lanes number, Lanes other, Lanes x) {
    return _mm256_blendv_pd(other, x, _mm256_cmp_pd(number, number, _CMP_UNORD_Q));
  }
};

struct Floats {
  using Number = float;
  using Lanes = __m256;
  static Lanes load(const float* from) { return _mm256_loadu_ps(from); }
  static Lanes repeat(float number) { return _mm256_set1_ps(number); }
  static void store(float* to, Lanes x) { _mm256_storeu_ps(to, x); }
  static Lanes larger(Lanes x, Lanes y) { return _mm256_max_ps(x, y); }
  static Lanes smaller(Lanes x, Lanes y) { return _mm256_min_ps(x, y); }
  static Lanes unless_nan(Lanes number, Lanes other, Lanes x) {
    return _mm256_blendv_ps(other, x, _mm256_cmp_ps(number, number, _CMP_UNORD_Q));
  }
};

// The instructions give y where either is NaN, and where both are zeros, as the operations do.
template <class Operation, bool kLarger, bool kSkipsNan>
struct ExtremeOf {
  using Op = Operation;
  template <class V>
  static auto of(typename V::Lanes x, typename V::Lanes y) {
    return V::unless_nan(kSkipsNan ? y : x, kLarger ? V::larger(x, y) : V::smaller(x, y), x);
  }
};
using MaximumOf = ExtremeOf<ops::Maximum, true, false>;
using MinimumOf = ExtremeOf<ops::Minimum, false, false>;
using FmaxOf = ExtremeOf<ops::Fmax, true, true>;
using FminOf = ExtremeOf<ops::Fmin, false, true>;

template <class Extreme, class V>
void extreme_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using T = typename V::Number;
  constexpr std::int64_t kSize = sizeof(T), kLanes = 32 / kSize;
  const auto fits = [&](int k) { return strides[k] == kSize || strides[k] == 0; };
  std::int64_t i = 0;
  if (n != 0 && strides[0] == kSize && fits(1) && fits(2)) {
    auto* to = reinterpret_cast<T*>(data[0]);
    const auto* x = reinterpret_cast<const T*>(data[1]);
    const auto* y = reinterpret_cast<const T*>(data[2]);
    const auto run = [&](const auto& first, const auto& second) {
      for (; i + kLanes <= n; i += kLanes) {
        V::store(to + i, Extreme::template of<V>(first(i), second(i)));
      }
    };
    const auto x_lanes = V::repeat(*x), y_lanes = V::repeat(*y);
    const auto x_at = [&](std::int64_t k) { return V::load(x + k); };
    const auto y_at = [&](std::int64_t k) { return V::load(y + k); };
    if (strides[1] != 0 && strides[2] != 0) {
      run(x_at, y_at);
    } else if (strides[1] != 0) {
      run(x_at, [&](std::int64_t) { return y_lanes; });
    } else if (strides[2] != 0) {
      run([&](std::int64_t) { return x_lanes; }, y_at);
    }
  }
  for (; i < n; ++i) {
    *reinterpret_cast<T*>(data[0] + i * strides[0]) =
        Extreme::Op::apply(*reinterpret_cast<const T*>(data[1] + i * strides[1]),
                           *reinterpret_cast<const T*>(data[2] + i * strides[2]));
  }
}

template <class Extreme, class V>
constexpr LoopEntry entry() {
  return {Extreme::Op::name, dtype_of<typename V::Number>(), &extreme_loop<Extreme, V>};
}

constexpr LoopEntry kEntries[] = {
    entry<MaximumOf, Doubles>(), entry<MinimumOf, Doubles>(), entry<FmaxOf, Doubles>(),
    entry<FminOf, Doubles>(),    entry<MaximumOf, Floats>(),  entry<MinimumOf, Floats>(),
    entry<FmaxOf, Floats>(),     entry<FminOf, Floats>(),
};

#else

constexpr LoopEntry kEntries[] = {{"", float64, nullptr}};

#endif

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::extreme(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
