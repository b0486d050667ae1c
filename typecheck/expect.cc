// SPDX-License-Identifier: MIT
#include "typecheck/expect.h"

#include <cstdlib>
#include <string>

namespace typecheck {

namespace internal {

void fail(const Expr& condition) {
  condition.expect();
  throw InvalidType(condition.str(), "the values changed during the check");
}

}  // namespace internal

bool enabled() {
  static const bool on = [] {
    const char* text = std::getenv("CHAINER_TYPE_CHECK");
    if (text == nullptr || *text == '\0') return true;
    char* end = nullptr;
    return std::strtol(text, &end, 10) != 0 || *end != '\0';
  }();
  return on;
}

}  // namespace typecheck
