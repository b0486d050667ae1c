// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cupyxx/error.h"

namespace cupyxx::linalg {

/// A matrix that cannot be inverted or decomposed.
class CUPYXX_API LinAlgError : public ValueError {
 public:
  explicit LinAlgError(const std::string& what);
  ~LinAlgError() override;
};

}  // namespace cupyxx::linalg
