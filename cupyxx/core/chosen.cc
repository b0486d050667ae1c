// SPDX-License-Identifier: MIT
#include "cupyxx/core/chosen.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/sorting.h"

namespace cupyxx::internal {

ndarray true_positions(const char* operation, const ndarray& mask) {
  const ndarray flags = contiguous(mask);
  return flags.device().is_cpu() ? cpu::true_positions(operation, flags)
                                 : gpu::true_positions(operation, flags);
}

ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask) {
  const ndarray elements = contiguous(source), flags = contiguous(mask);
  return flags.device().is_cpu() ? cpu::chosen_elements(operation, elements, flags)
                                 : gpu::chosen_elements(operation, elements, flags);
}

ndarray running_count(const char* operation, const ndarray& mask) {
  const ndarray flags = contiguous(mask).astype(int64);
  const ndarray counts = make_array(operation, {mask.size()}, int64, mask.device());
  const ScanCall call{operation, &flags, &counts, 1, mask.size(), false};
  mask.device().is_cpu() ? cpu::scan_rows(call) : gpu::scan_rows(call);
  return counts;
}

}  // namespace cupyxx::internal
