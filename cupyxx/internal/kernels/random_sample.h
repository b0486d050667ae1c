// SPDX-License-Identifier: MIT
// Device-safe. Arrays of samples: element i draws from its own subsequence of a Philox stream.
#pragma once

#include "cupyxx/internal/kernels/bad_parameter.h"
#include "cupyxx/internal/kernels/error_word.h"
#include "cupyxx/ops/random_lists.h"

namespace cupyxx::internal::kernels {

inline constexpr int kSampleParameters = 3;

struct SampleArgs {
  void* out;
  long size;
  random::PhiloxStream stream;
  int count;                                // of parameters
  double values[kSampleParameters];         // the same for all elements, or ...
  const double* arrays[kSampleParameters];  // ... one for each
  random::Check checks[kSampleParameters];  // of those in arrays
  ErrorWord* error;
  unsigned operation;
};

/// Rows of k numbers: multinomial, dirichlet.
struct SampleRowsArgs {
  void* out;
  long rows, k;
  random::PhiloxStream stream;
  double n;
  const double* p;
  // On devices: what each p must satisfy, and whether all but the last may add up to 1 only.
  random::Check check;
  bool adds_up_to_one;
  ErrorWord* error;
  unsigned operation;
};

/// The parameters of element i; the number of the first that is wrong, or -1.
CUPYXX_FN int sample_parameters(const SampleArgs& args, long i, double (&p)[kSampleParameters]) {
  int wrong = -1;
  for (int k = 0; k < kSampleParameters; ++k) {
    if (k >= args.count) break;
    const double* const array = args.arrays[k];
    p[k] = array == nullptr ? args.values[k] : array[i];
    if (array != nullptr && wrong < 0 && !random::satisfies(args.checks[k], p[k])) wrong = k;
  }
  return wrong;
}

/// Whether two parameters are in the wrong order, as low and high: they come to the front.
template <class Distribution>
CUPYXX_FN bool are_disordered(double (&p)[kSampleParameters]) {
  if constexpr (requires { Distribution::disordered(p); }) return Distribution::disordered(p);
  return false;
}

#if defined(__CUDACC__)
template <class Distribution, class T>
CUPYXX_FN void random_sample(const SampleArgs& args) {
  T* const out = static_cast<T*>(args.out);
  const long threads = static_cast<long>(gridDim.x) * blockDim.x;
  for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.size;
       i += threads) {
    double p[kSampleParameters] = {};
    const int wrong = sample_parameters(args, i, p);
    if (wrong >= 0) {
      report(args.error, static_cast<ErrorCode>(kBadParameter), args.operation,
             static_cast<long long>(random::m::double_bits(p[wrong])), wrong);
      out[i] = T();
      continue;
    }
    if (are_disordered<Distribution>(p)) {
      report(args.error, static_cast<ErrorCode>(kBadOrder), args.operation,
             static_cast<long long>(random::m::double_bits(p[0])),
             static_cast<long long>(random::m::double_bits(p[1])));
      out[i] = T();
      continue;
    }
    random::Draws draws(args.stream, static_cast<unsigned long>(i));
    out[i] = static_cast<T>(Distribution::draw(draws, p));
  }
}

/// Whether the parameters that all rows share are wrong: noted by one thread, and nothing may be
/// drawn from them, as rejections would not end.
CUPYXX_FN bool refuse_rows(const SampleRowsArgs& args) {
  double sum = 0, wrong = 0;
  bool is_wrong = false;
  for (long i = args.k - 1; i >= 0; --i) {
    if (args.adds_up_to_one && i < args.k - 1) sum += args.p[i];
    if (!random::satisfies(args.check, args.p[i])) {
      wrong = args.p[i];
      is_wrong = true;
    }
  }
  if (!is_wrong && sum > 1 + 1e-12) {
    wrong = sum;
    is_wrong = true;
  }
  if (is_wrong && blockIdx.x == 0 && threadIdx.x == 0) {
    report(args.error, static_cast<ErrorCode>(kBadParameter), args.operation,
           static_cast<long long>(random::m::double_bits(wrong)), 0);
  }
  return is_wrong;
}

template <class Distribution>
CUPYXX_FN void random_rows(const SampleRowsArgs& args) {
  using T = typename Distribution::type;
  const bool refused = refuse_rows(args);
  const long threads = static_cast<long>(gridDim.x) * blockDim.x;
  for (long row = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; row < args.rows;
       row += threads) {
    T* const out = static_cast<T*>(args.out) + row * args.k;
    if (refused) {
      for (long i = 0; i < args.k; ++i) out[i] = T();
    } else {
      random::Draws draws(args.stream, static_cast<unsigned long>(row));
      Distribution::draw(draws, args.n, args.p, args.k, out);
    }
  }
}
#endif

}  // namespace cupyxx::internal::kernels
