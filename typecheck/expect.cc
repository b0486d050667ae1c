// SPDX-License-Identifier: MIT
#include "typecheck/expect.h"

#include <strings.h>

#include <cstdio>
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
    // The words of cupyxx/extension/environment.h, which this library may not use.
    const char* const text = std::getenv("CHAINER_TYPE_CHECK");
    if (text == nullptr || *text == '\0') return true;
    for (const char* off : {"0", "off", "false", "no"}) {
      if (strcasecmp(text, off) == 0) return false;
    }
    for (const char* known : {"1", "on", "true", "yes"}) {
      if (strcasecmp(text, known) == 0) return true;
    }
    std::fprintf(stderr,
                 "typecheck: CHAINER_TYPE_CHECK=%s is ignored; known are 0, off, false, no, 1, on, "
                 "true and yes\n",
                 text);
    return true;
  }();
  return on;
}

}  // namespace typecheck
