// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/bundle_data.h"

namespace cupyxx::internal::jit {

const Bundle& Bundle::instance() {
  static const Bundle bundle(bundle_data());
  return bundle;
}

}  // namespace cupyxx::internal::jit
