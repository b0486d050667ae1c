// SPDX-License-Identifier: MIT
// Without CUDA no array can be on a device, so nothing gets here.

#include "cupyxx/error.h"
#include "cupyxx/internal/lapack.h"

namespace cupyxx::internal::gpu {

namespace {

[[noreturn]] void throw_absent(const char* operation, const ndarray& a) {
  throw DeviceError(
      message(operation, ": ", a.device().name(), " is not available; this build has no CUDA"));
}

}  // namespace

void lu(const char* operation, const ndarray& a, const ndarray&, const ndarray&) {
  throw_absent(operation, a);
}
void lu_solve(const char* operation, const ndarray& lu, const ndarray&, const ndarray&) {
  throw_absent(operation, lu);
}
void cholesky(const char* operation, const ndarray& a, const ndarray&) {
  throw_absent(operation, a);
}
void qr(const char* operation, const ndarray& a, const ndarray&) { throw_absent(operation, a); }
void form_q(const char* operation, const ndarray& q, const ndarray&) { throw_absent(operation, q); }
void svd(const char* operation, const ndarray& a, const ndarray&, const ndarray&, const ndarray&,
         const ndarray&) {
  throw_absent(operation, a);
}
void eigh(const char* operation, const ndarray& a, const ndarray&, bool, bool, const ndarray&) {
  throw_absent(operation, a);
}
void check_info(const char* operation, const ndarray& info, LapackDefect) {
  throw_absent(operation, info);
}

}  // namespace cupyxx::internal::gpu
