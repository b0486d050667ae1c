// SPDX-License-Identifier: MIT
// Two devices that do nothing, for tests that are linked with this.
#include "cupyxx/testing/dry_cuda.h"

namespace cupyxx::testing {
namespace {

[[maybe_unused]] const bool kTwo = [] {
  set_dry_devices(2);
  return true;
}();

}  // namespace
}  // namespace cupyxx::testing
