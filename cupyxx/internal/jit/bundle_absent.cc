// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundle.h"

namespace cupyxx::internal::jit {

const Bundle& Bundle::instance() {
  static const Bundle none{{}};
  return none;
}

}  // namespace cupyxx::internal::jit
