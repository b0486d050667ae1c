// SPDX-License-Identifier: MIT
// The host's loop of samples.
#pragma once

#include "cupyxx/internal/random/sample.h"

namespace cupyxx::internal::cpu {

// The parameters in arrays have been checked.
template <class Distribution, class T>
void sample_elements(const kernels::SampleArgs& args, std::int64_t begin, std::int64_t end) {
  T* const out = static_cast<T*>(args.out);
  for (std::int64_t i = begin; i < end; ++i) {
    double p[kernels::kSampleParameters] = {};
    kernels::sample_parameters(args, i, p);
    random::Draws draws(args.stream, static_cast<unsigned long>(i));
    out[i] = static_cast<T>(Distribution::draw(draws, p));
  }
}

template <class T, class... D>
SampleFn sample_loop(int index, random::DistributionList<D...>) {
  static constexpr SampleFn kLoops[] = {&sample_elements<D, T>...};
  return kLoops[index];
}

}  // namespace cupyxx::internal::cpu
