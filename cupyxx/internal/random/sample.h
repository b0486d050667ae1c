// SPDX-License-Identifier: MIT
// Arrays of samples whose parameters may differ from element to element.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/kernels/random_sample.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// The distributions in the order of ContinuousList and DiscreteList.
enum class Sample : std::uint8_t {
  normal,
  lognormal,
  gamma,
  beta,
  chisquare,
  f,
  standard_t,
  standard_cauchy,
  laplace,
  gumbel,
  logistic,
  exponential,
  rayleigh,
  weibull,
  pareto,
  power,
  triangular,
  uniform,
  wald,
  vonmises,
  noncentral_chisquare,
  noncentral_f,
  poisson,
  binomial,
  bernoulli,
  negative_binomial,
  geometric,
  zipf,
  logseries,
  hypergeometric,
  randint,
  randint_of_words,
};
inline constexpr int kContinuousCount = 22;
inline constexpr int kSampleCount = 32;
constexpr bool is_discrete(Sample sample) { return static_cast<int>(sample) >= kContinuousCount; }

/// What is known of a distribution.
struct SampleInfo {
  const char* name;
  std::string_view type;        ///< of its body in ops/
  const char* parameters;       ///< their names, separated by blanks
  const random::Check* checks;  ///< what each has to be
};
const SampleInfo& sample_info(Sample sample);

/// Fills a C-contiguous array: float32 or float64, int64 for discrete distributions. `args` has the
/// place in the stream and the parameters, of which `arrays` are float64 and have the size of
/// `out`.
void sample_random(Sample sample, const ndarray& out, kernels::SampleArgs args,
                   std::span<const ndarray> arrays);

/// Numbers that are drawn together.
enum class Rows : std::uint8_t { multinomial, dirichlet };
/// Fills a C-contiguous matrix of int64 for multinomial, of float64 for dirichlet. `p` is what args
/// points to.
void sample_rows(Rows kind, const ndarray& out, const ndarray& p, kernels::SampleRowsArgs args);

namespace cpu {
/// Makes the elements [begin, end).
using SampleFn = void (*)(const kernels::SampleArgs& args, std::int64_t begin, std::int64_t end);
SampleFn continuous_loop(Sample sample, dtype type);
SampleFn discrete_loop(Sample sample);
void sample_rows(Rows kind, const kernels::SampleRowsArgs& args);
}  // namespace cpu

namespace gpu {
void sample_random(Sample sample, const ndarray& out, kernels::SampleArgs args,
                   std::span<const ndarray> arrays);
void sample_rows(Rows kind, const ndarray& out, const ndarray& p, kernels::SampleRowsArgs args);
}  // namespace gpu

}  // namespace cupyxx::internal
