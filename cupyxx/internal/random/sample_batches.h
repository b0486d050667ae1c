// SPDX-License-Identifier: MIT
// Samples whose parameters are the same for all elements, many elements at a time on the host. An
// element's first try is made in vectors, bit for bit what the distribution's body makes of it;
// what that rejects the body draws itself.
#pragma once

#include "cupyxx/internal/op_info.h"
#include "cupyxx/internal/random/sample.h"

namespace cupyxx::internal::cpu {

/// Inversion term after term, as a table: a number is that of the sums which are not above u.
struct InversionTable {
  static constexpr int kMost = 200;  // as the bodies of poisson and binomial have it
  double sums[kMost];                // ascending
  long values[kMost + 1];
  int count = 0;
};

/// What all batches of a call share.
struct BatchCall {
  const kernels::SampleArgs& args;
  SampleFn body;                // makes any element by itself
  const InversionTable* table;  // of inversions
  double factor;                // of gammas
  double shape;
};
using BatchFn = void (*)(const BatchCall& call, std::int64_t begin, std::int64_t end);

/// Loops that are compiled once per instruction set.
template <Arch kArch>
struct BatchLoops {
  static BatchFn inversion();
  static BatchFn gamma(dtype type);
  static BatchFn beta(dtype type);
};

/// Fills an array from batches; false, and nothing is done, where there are none for these
/// parameters. `body` is the loop that stands in for them.
bool sample_batches(Sample sample, dtype type, const kernels::SampleArgs& args, SampleFn body);

}  // namespace cupyxx::internal::cpu
