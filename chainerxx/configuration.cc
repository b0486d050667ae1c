// SPDX-License-Identifier: MIT
#include "chainerxx/configuration.h"

#include "cupyxx/error.h"

namespace chainerxx {

using_config::using_config(std::string_view name, bool value) {
  if (name == "train") {
    train_.emplace(value);
  } else if (name == "enable_backprop") {
    record_.emplace(value);
  } else if (name == "debug") {
    debug_.emplace(value);
  } else {
    throw cupyxx::ValueError(cupyxx::message("using_config: there is no mode \"", name,
                                             "\"; there are train, enable_backprop and debug"));
  }
}

using_config::~using_config() = default;

}  // namespace chainerxx
