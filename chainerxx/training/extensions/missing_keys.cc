// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/missing_keys.h"

#include <cstdio>

namespace chainerxx::training::internal {

void warn_of_missing_keys(const char* operation, std::span<const std::string> keys,
                          const Callback<bool(const std::string&)>& has,
                          const std::string& there_is) {
  std::string missing;
  for (const std::string& key : keys) {
    if (!has(key)) missing += (missing.empty() ? "" : ", ") + key;
  }
  if (missing.empty()) return;
  std::fprintf(stderr, "%s: nothing has been reported as %s so far; there is %s\n", operation,
               missing.c_str(), there_is.c_str());
}

}  // namespace chainerxx::training::internal
