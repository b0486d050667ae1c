// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of rotary_embedding.
struct RotaryOptions {
  double base = 10000;      ///< of the wavelengths
  std::int64_t offset = 0;  ///< the position of the first row
};

/// Turns rows by angles that grow with their positions (Su et al.: "RoFormer", 2021), so that
/// products of queries and keys depend on the distance. x is (..., length, depth) with an even
/// depth; of the row at position p, elements i and i + depth / 2 are the coordinates of a point
/// that is turned by p base^(-2 i / depth).
class CUPYXX_API RotaryEmbedding final : public FunctionOf<RotaryEmbedding> {
 public:
  /// Throws ValueError unless base is positive.
  explicit RotaryEmbedding(const RotaryOptions& options = {});
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  RotaryOptions options_;
  bool turns_back_ = false;
};

/// The same as a function.
CUPYXX_API Variable rotary_embedding(const Variable& x, const RotaryOptions& options = {});

}  // namespace chainerxx::functions
