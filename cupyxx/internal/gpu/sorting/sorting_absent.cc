// SPDX-License-Identifier: MIT
// Sorting in a build without CUDA: no array can be on a device, so nothing gets here.
#include "cupyxx/error.h"
#include "cupyxx/internal/sorting.h"

namespace cupyxx::internal::gpu {

namespace {

[[noreturn]] void throw_absent(const char* operation, Device device) {
  throw DeviceError(
      message(operation, ": cuda:", device.index, " is not available; this build has no CUDA"));
}

}  // namespace

void sort_rows(const SortCall& call) { throw_absent(call.operation, call.source->device()); }
void scan_rows(const ScanCall& call) { throw_absent(call.operation, call.in->device()); }
void search_sorted(const SearchCall& call) { throw_absent(call.operation, call.sorted->device()); }
ndarray true_positions(const char* operation, const ndarray& mask) {
  throw_absent(operation, mask.device());
}
ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray&) {
  throw_absent(operation, source.device());
}

}  // namespace cupyxx::internal::gpu
