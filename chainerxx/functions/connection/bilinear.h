// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of Bilinear.
struct BilinearOptions {
  bool nobias = false;                      ///< without V1, V2 and b
  initializers::Initial initialW = {};      ///< (left, right, out); an array is taken as it is
  initializers::Initial initial_V1 = {};    ///< (left, out)
  initializers::Initial initial_V2 = {};    ///< (right, out)
  initializers::Initial initial_bias = {};  ///< (out,)
  cupyxx::dtype dtype = cupyxx::float32;
};

/// A bilinear form of two vectors with a linear part (Socher et al., 2013):
/// y_k = e1^T W_k e2 + e1 V1 + e2 V2 + b. W starts as normal numbers of deviation
/// sqrt(1 / (left right out)), V1 and V2 of sqrt(1 / (left out)) and sqrt(1 / (right out)), b as 0.
class CUPYXX_API Bilinear final : public FunctionOf<Bilinear> {
 public:
  /// Each of the first two sizes may be `none`.
  Bilinear(const InputSize& left_size, const InputSize& right_size, std::int64_t out_size,
           const BilinearOptions& options = {});
  /// In the manual's order; the linear part is `{V1, V2, b}`.
  template <std::same_as<bool> B>
  Bilinear(const InputSize& left_size, const InputSize& right_size, std::int64_t out_size, B nobias,
           const initializers::Initial& initialW = {},
           const std::array<initializers::Initial, 3>& initial_bias = {})
      : Bilinear(left_size, right_size, out_size,
                 BilinearOptions{.nobias = nobias,
                                 .initialW = initialW,
                                 .initial_V1 = initial_bias[0],
                                 .initial_V2 = initial_bias[1],
                                 .initial_bias = initial_bias[2]}) {}

  ParameterArray W{&gW};
  ndarray gW;  // (left, right, out)
  ParameterArray V1{&gV1};
  ndarray gV1;  // (left, out), null without bias as the others
  ParameterArray V2{&gV2};
  ndarray gV2;  // (right, out)
  ParameterArray b{&gb};
  ndarray gb;  // (out,)

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<Field> fields() override;

 private:
  void initialize(std::int64_t left_size, std::int64_t right_size, std::int64_t out_size,
                  const BilinearOptions& options);

  internal::SavedArray saved_W_;
};

/// The same with W (left, right, out) and, all or none of them, V1 (left, out), V2 (right, out) and
/// b (out,) as variables: e1 is (n, ...) with `left` elements each, e2 with `right`, the result
/// (n, out).
CUPYXX_API Variable bilinear(const Variable& e1, const Variable& e2, const Variable& W,
                             const Variable& V1 = {}, const Variable& V2 = {},
                             const Variable& b = {});

}  // namespace chainerxx::functions
