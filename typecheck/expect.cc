// SPDX-License-Identifier: MIT
#include "typecheck/expect.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace typecheck {

void rethrow_as(const std::string& text) {
  try {
    throw;
  } catch (const cupyxx::IndexError&) {
    throw cupyxx::IndexError(text);
  } catch (const cupyxx::OverflowError&) {
    throw cupyxx::OverflowError(text);
  } catch (const cupyxx::TypeError&) {
    throw cupyxx::TypeError(text);
  } catch (const cupyxx::ValueError&) {
    throw cupyxx::ValueError(text);
  }
}

namespace internal {

void fail(const Expr& condition) {
  condition.expect();
  throw InvalidType(condition.str(), "the values changed during the check");
}

void rethrow_in(const cupyxx::Error& error, const Expr& condition) {
  const std::string_view text = error.what();
  // What somebody's own function throws says enough.
  if (!text.starts_with("typecheck: ")) throw;
  rethrow_as(cupyxx::message(text, ": ", condition));
}

void expect_expr(const Expr& condition) {
  try {
    condition.expect();
  } catch (const InvalidType&) {
    throw;
  } catch (const cupyxx::Error& error) {
    rethrow_in(error, condition);
  }
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
