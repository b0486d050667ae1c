// SPDX-License-Identifier: MIT
#include "cupyxx/values/choice.h"

#include <string>

#include "cupyxx/error.h"
#include "cupyxx/message.h"

namespace cupyxx::internal {

void throw_no_choice(std::string_view operation, std::string_view what,
                     const std::string_view* names, std::size_t count, std::string_view given) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) all += i + 1 == count ? " or " : ", ";
    all += names[i];
  }
  throw ValueError(message(operation, operation.empty() ? "" : ": ", "the ", what, " must be ", all,
                           "; '", given, "'"));
}

}  // namespace cupyxx::internal
