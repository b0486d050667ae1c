// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/sample_loops.h"

namespace cupyxx::internal::cpu {

SampleFn continuous_loop(Sample sample, dtype type) {
  const int index = static_cast<int>(sample);
  return type == float32 ? sample_loop<float>(index, random::dist::ContinuousList{})
                         : sample_loop<double>(index, random::dist::ContinuousList{});
}

}  // namespace cupyxx::internal::cpu
