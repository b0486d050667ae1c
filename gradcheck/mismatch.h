// SPDX-License-Identifier: MIT
// The exception of a check that finds a difference.
#pragma once

#include <cstdint>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/shape.h"

namespace gradcheck {

/// Two arrays differ by more than was allowed. The text names the worst element.
class CUPYXX_API Mismatch : public cupyxx::Error {
 public:
  /// The element that exceeds its tolerance the most.
  struct Element {
    cupyxx::Shape index;
    double actual = 0;
    double expected = 0;
    double tolerance = 0;
    std::int64_t differing = 0;   ///< how many elements exceed their tolerance
    double actual_imaginary = 0;  ///< of complex arrays, beside the real part in `actual`
    double expected_imaginary = 0;
  };

  /// Arrays that cannot be compared element by element: shapes or dtypes differ.
  explicit Mismatch(const std::string& what);
  Mismatch(const std::string& what, const Element& worst);
  ~Mismatch() override;

  /// The worst element; `differing` is 0 where there was nothing to compare.
  const Element& worst() const { return worst_; }

 private:
  Element worst_;
};

}  // namespace gradcheck
