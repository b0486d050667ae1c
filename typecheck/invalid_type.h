// SPDX-License-Identifier: MIT
// The exception of a failed type check.
#pragma once

#include <string>

#include "cupyxx/error.h"

namespace typecheck {

/// A condition on shapes or dtypes that does not hold. The text is
///
///     Expect: in_types[0].ndim == 2
///     Actual: 3 != 2
///
/// after a line that names the operation, where one is given.
class CUPYXX_API InvalidType : public cupyxx::Error {
 public:
  InvalidType(const std::string& expect, const std::string& actual,
              const std::string& operation = "");
  ~InvalidType() override;

  /// The condition: "in_types[0].ndim == 2".
  const std::string& expect() const { return expect_; }
  /// What was found instead: "3 != 2".
  const std::string& actual() const { return actual_; }
  /// The same failure, told of an operation.
  InvalidType in(const std::string& operation) const { return {expect_, actual_, operation}; }

 private:
  std::string expect_;
  std::string actual_;
};

}  // namespace typecheck
