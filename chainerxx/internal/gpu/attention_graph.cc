// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/attention_graph.h"

#include <utility>

#include "chainerxx/internal/gpu/graph_operations.h"

namespace chainerxx::internal::gpu {
namespace {

using Extents = GraphOperations::Extents;
using Tensor = GraphOperations::Tensor;
using Strides = AttentionShape::Strides;

constexpr cudnnDataType_t kFloat = CUDNN_DATA_FLOAT;

/// The operations of one graph, with the shapes of what is in it.
class AttentionOperations {
 public:
  AttentionOperations(const AttentionShape& shape)
      : s_(shape),
        scores_{s_.batch, s_.heads, s_.queries, s_.keys},
        rows_{s_.batch, s_.heads, s_.queries, 1},
        row_strides_{s_.heads * s_.queries, s_.queries, 1, 1},
        scale_(ops_.number(uid(AttentionTensor::scale))),
        query_(array(AttentionTensor::query, s_.queries, s_.depth, s_.query)),
        key_columns_(columns(AttentionTensor::key, s_.keys, s_.depth, s_.key)) {}

  void forward() {
    Tensor value = array(AttentionTensor::value, s_.keys, s_.width, s_.value);
    Tensor y = array(AttentionTensor::y, s_.queries, s_.width, s_.y);
    Tensor scores = hide(scaled_scores());
    Tensor largest = ops_.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, of_rows());
    Tensor powers =
        ops_.apply(CUDNN_POINTWISE_EXP,
                   ops_.apply(CUDNN_POINTWISE_SUB, scores, largest, of_scores()), of_scores());
    Tensor sums = ops_.reduce(CUDNN_REDUCE_TENSOR_ADD, powers, of_rows());
    // Its engines look for these logarithms where nobody wants them, too.
    Tensor logs = ops_.apply(CUDNN_POINTWISE_LOG, sums, of_rows());
    ops_.apply(CUDNN_POINTWISE_ADD, largest, logs,
               s_.has_sums ? row_numbers(AttentionTensor::sums) : of_rows());
    Tensor weights = ops_.apply(CUDNN_POINTWISE_DIV, powers, sums, of_scores(s_.type));
    ops_.multiply(weights, value, y);
  }

  /// dS, the gradient by the scores, goes through memory, in s_.type: the form whose sums have one
  /// order. Its engines add nothing by atomic operations.
  void backward() {
    Tensor y = array(AttentionTensor::y, s_.queries, s_.width, s_.y);
    Tensor grad_y = array(AttentionTensor::grad_y, s_.queries, s_.width, s_.grad_y);
    Tensor value_columns = columns(AttentionTensor::value, s_.keys, s_.width, s_.value);
    Tensor grad_query = array(AttentionTensor::grad_query, s_.queries, s_.depth, s_.grad_query);
    Tensor grad_key = array(AttentionTensor::grad_key, s_.keys, s_.depth, s_.grad_key);
    Tensor grad_value = array(AttentionTensor::grad_value, s_.keys, s_.width, s_.grad_value);

    Tensor products = ops_.apply(CUDNN_POINTWISE_MUL, grad_y, y, of_tokens(s_.queries, s_.width));
    Tensor deltas =
        ops_.apply(CUDNN_POINTWISE_MUL, ops_.reduce(CUDNN_REDUCE_TENSOR_ADD, products, of_rows()),
                   ops_.number(uid(AttentionTensor::one)), row_numbers(AttentionTensor::deltas));

    Tensor scores = hide(ops_.apply(CUDNN_POINTWISE_SUB, scaled_scores(),
                                    row_numbers(AttentionTensor::sums), of_scores()));
    Tensor weights = ops_.apply(CUDNN_POINTWISE_EXP, scores, of_scores());
    ops_.multiply(transposed(weights), grad_y, grad_value);

    Tensor grad_weights = ops_.multiply(grad_y, value_columns, of_scores());
    Tensor distances = ops_.apply(CUDNN_POINTWISE_SUB, grad_weights, deltas, of_scores());
    Tensor grads = ops_.apply(CUDNN_POINTWISE_MUL, distances, weights, of_scores());
    Tensor grad_scores = ops_.apply(CUDNN_POINTWISE_MUL, grads, scale_, of_scores(s_.type));
    ops_.multiply(transposed(grad_scores), query_, grad_key);
    Tensor key = ops_.reshape(key_columns_,
                              ops_.between(s_.type, tokens(s_.keys, s_.depth), strides(s_.key)));
    ops_.multiply(grad_scores, key, grad_query);
  }

  GraphDescriptor graph(cudnnHandle_t handle) const { return ops_.graph(handle); }

 private:
  static std::int64_t uid(AttentionTensor tensor) { return static_cast<std::int64_t>(tensor); }
  static Extents strides(const Strides& own) { return {own[0], own[1], own[2], 1}; }
  static Extents swapped(Extents axes) {
    std::swap(axes[2], axes[3]);
    return axes;
  }
  Extents tokens(std::int64_t rows, std::int64_t depth) const {
    return {s_.batch, s_.heads, rows, depth};
  }

  Tensor array(AttentionTensor tensor, std::int64_t rows, std::int64_t depth, const Strides& own) {
    return ops_.array(uid(tensor), s_.type, tokens(rows, depth), strides(own));
  }
  /// The array as the right side of a product by its transpose.
  Tensor columns(AttentionTensor tensor, std::int64_t rows, std::int64_t depth,
                 const Strides& own) {
    return ops_.array(uid(tensor), s_.type, swapped(tokens(rows, depth)), swapped(strides(own)));
  }
  Tensor row_numbers(AttentionTensor tensor) {
    return ops_.array(uid(tensor), kFloat, rows_, row_strides_);
  }
  Tensor of_rows() { return ops_.between(kFloat, rows_); }
  Tensor of_scores(cudnnDataType_t type = kFloat) { return ops_.between(type, scores_); }
  /// As arrays of tokens lie.
  Tensor of_tokens(std::int64_t rows, std::int64_t depth) {
    return ops_.between(kFloat, tokens(rows, depth),
                        {s_.heads * rows * depth, rows * depth, s_.heads * depth, 1});
  }

  Tensor scaled_scores() {
    Tensor products = ops_.multiply(query_, key_columns_, of_scores());
    return ops_.apply(CUDNN_POINTWISE_MUL, products, scale_, of_scores());
  }
  /// Scores of the keys behind each query become minus infinity.
  Tensor hide(Tensor scores) {
    if (!s_.is_causal) return scores;
    Tensor query = ops_.places(scores, 2, of_scores(CUDNN_DATA_INT32));
    Tensor key = ops_.places(scores, 3, of_scores(CUDNN_DATA_INT32));
    Tensor is_seen = ops_.apply(CUDNN_POINTWISE_CMP_GE, query, key, of_scores(CUDNN_DATA_BOOLEAN),
                                CUDNN_DATA_BOOLEAN);
    return ops_.select(is_seen, scores, ops_.number(uid(AttentionTensor::hidden)), of_scores());
  }
  Tensor transposed(Tensor weights) {
    return ops_.reshape(
        weights, ops_.between(s_.type, {s_.batch, s_.heads, s_.keys, s_.queries},
                              {s_.heads * s_.queries * s_.keys, s_.queries * s_.keys, 1, s_.keys}));
  }

  GraphOperations ops_;
  const AttentionShape& s_;
  Extents scores_, rows_, row_strides_;
  Tensor scale_, query_, key_columns_;
};

}  // namespace

std::vector<std::int64_t> AttentionShape::numbers() const {
  std::vector<std::int64_t> all = {batch, heads,     queries,  keys,        depth,
                                   width, is_causal, has_sums, is_gradient, type};
  for (const Strides& one : {query, key, value, y, grad_y, grad_query, grad_key, grad_value}) {
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::vector<GraphPlan> make_attention_plans(cudnnHandle_t handle, const AttentionShape& shape,
                                            std::size_t most_bytes) {
  AttentionOperations operations(shape);
  if (shape.is_gradient) {
    operations.backward();
  } else {
    operations.forward();
  }
  return make_graph_plans(handle, operations.graph(handle), true, most_bytes, 1);
}

}  // namespace chainerxx::internal::gpu
