// SPDX-License-Identifier: MIT
// Without CUDA no array can be on a device, so nothing gets here.

#include "cupyxx/error.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/internal/sorting.h"

namespace cupyxx::internal::gpu {

namespace {

[[noreturn]] void throw_absent(const char* operation, Device device) {
  throw DeviceError(
      message(operation, ": ", device.name(), " is not available; this build has no CUDA"));
}

}  // namespace

ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape&,
                     const Shape&) {
  throw_absent(operation, index[0].device());
}
void scatter(const RowsOf& target, const ndarray&, const ndarray&, const RowOrder*) {
  throw_absent(target.operation, target.view->device());
}
void at(const AtCall& call) { throw_absent(call.target.operation, call.target.view->device()); }
void bincount(const BincountCall& call) { throw_absent(call.operation, call.positions->device()); }
void fill_range(const ndarray& out, double, double, std::uint64_t, std::uint64_t) {
  throw_absent("arange", out.device());
}
void fill_linspace(const ndarray& out, const Linspace&) { throw_absent("linspace", out.device()); }

}  // namespace cupyxx::internal::gpu
