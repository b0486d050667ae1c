// SPDX-License-Identifier: MIT
// Attention in kernels of its own, as functions of the graph.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/internal/attention_ops.h"
#include "chainerxx/variable.h"

namespace chainerxx::functions {

/// The axes before the last two, broadcast. Throws ShapeError where they do not.
cupyxx::Shape leading_axes(const char* name, std::initializer_list<cupyxx::Shape> shapes);

/// Attention that makes the matrix of weights, by functions that all devices have.
Variable attention_by_products(const Variable& query, const Variable& key, const Variable& value,
                               const internal::AttentionForm& form);
/// The same of (n, length, 3 heads depth), for (n, length, heads depth).
Variable self_attention_by_products(const Variable& qkv, std::int64_t heads,
                                    const internal::AttentionForm& form);

/// The matrix of weights of scores (..., queries, keys) on a device: softmax of what is not hidden.
class AttentionWeights final : public FunctionOf<AttentionWeights> {
 public:
  explicit AttentionWeights(internal::AttentionForm form) : form_(std::move(form)) {}
  std::string label() const override { return "scaled_dot_product_attention"; }
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  internal::AttentionForm form_;
  internal::SavedArray y_;
};

/// Of (query, key, value) for which there are kernels.
class FusedAttention final : public FunctionOf<FusedAttention> {
 public:
  explicit FusedAttention(internal::AttentionForm form) : form_(std::move(form)) {}
  std::string label() const override { return "scaled_dot_product_attention"; }
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  internal::AttentionForm form_;
  internal::SavedArray y_;
  internal::AttentionSums sums_;
};

/// Of qkv (n, length, 3 heads depth).
class FusedSelfAttention final : public FunctionOf<FusedSelfAttention> {
 public:
  FusedSelfAttention(std::int64_t heads, internal::AttentionForm form)
      : heads_(heads), form_(std::move(form)) {}
  std::string label() const override { return "self_attention"; }
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  std::int64_t heads_;
  internal::AttentionForm form_;
  internal::SavedArray y_;
  internal::AttentionSums sums_;
};

}  // namespace chainerxx::functions
