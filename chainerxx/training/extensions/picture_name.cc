// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/picture_name.h"

#include "cupyxx/error.h"

namespace chainerxx::training::internal {

void check_picture_name(const char* operation, const std::string& name) {
  for (const char* const other : {".png", ".jpg", ".jpeg", ".pdf", ".eps", ".gif"}) {
    if (!name.ends_with(other)) continue;
    throw cupyxx::ValueError(cupyxx::message(operation, ": ", name, " would hold an SVG; name it ",
                                             name.substr(0, name.rfind('.')), ".svg"));
  }
}

}  // namespace chainerxx::training::internal
