// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/graph_operations.h"

#include <algorithm>

#include "chainerxx/internal/gpu/graph_plan.h"

namespace chainerxx::internal::gpu {
namespace {

using Extents = GraphOperations::Extents;

void describe(GraphDescriptor& tensor, std::int64_t uid, cudnnDataType_t type, const Extents& shape,
              const Extents& strides) {
  constexpr std::int64_t kAlignment = 16;
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, shape)
      .set(CUDNN_ATTR_TENSOR_STRIDES, strides)
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, uid)
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, kAlignment);
}

Extents c_order(const Extents& shape) {
  Extents strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

}  // namespace

GraphDescriptor& GraphOperations::add(cudnnBackendDescriptorType_t type) {
  return parts_.emplace_back(type);
}

GraphOperations::Tensor GraphOperations::array(std::int64_t uid, cudnnDataType_t type,
                                               const Extents& shape, const Extents& strides) {
  GraphDescriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(tensor, uid, type, shape, strides);
  return tensor.finalize();
}

GraphOperations::Tensor GraphOperations::number(std::int64_t uid) {
  GraphDescriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(tensor, uid, CUDNN_DATA_FLOAT, {1, 1, 1, 1}, {1, 1, 1, 1});
  return tensor.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, true).finalize();
}

GraphOperations::Tensor GraphOperations::between(cudnnDataType_t type, const Extents& shape,
                                                 const Extents& strides) {
  GraphDescriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(tensor, next_uid_++, type, shape, strides.empty() ? c_order(shape) : strides);
  return tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, true).finalize();
}

GraphOperations::Tensor GraphOperations::operation(GraphDescriptor& made, Tensor out) {
  made.finalize();
  operations_.push_back(made.get());
  return out;
}

GraphOperations::Tensor GraphOperations::multiply(Tensor left, Tensor right, Tensor out) {
  GraphDescriptor& how = add(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT).finalize();
  GraphDescriptor& product = add(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  product.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how)
      .set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, left)
      .set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, right)
      .set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, out);
  return operation(product, out);
}

GraphDescriptor& GraphOperations::pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t computes_in,
                                            std::int64_t axis) {
  GraphDescriptor& how = add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, computes_in);
  if (axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, axis);
  how.finalize();
  return add(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
}

GraphOperations::Tensor GraphOperations::apply(cudnnPointwiseMode_t mode, Tensor x, Tensor out) {
  GraphDescriptor& made = pointwise(mode, CUDNN_DATA_FLOAT);
  made.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x).set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
  return operation(made, out);
}

GraphOperations::Tensor GraphOperations::apply(cudnnPointwiseMode_t mode, Tensor x, Tensor b,
                                               Tensor out, cudnnDataType_t computes_in) {
  GraphDescriptor& made = pointwise(mode, computes_in);
  made.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
  return operation(made, out);
}

GraphOperations::Tensor GraphOperations::places(Tensor x, std::int64_t axis, Tensor out) {
  GraphDescriptor& made = pointwise(CUDNN_POINTWISE_GEN_INDEX, CUDNN_DATA_FLOAT, axis);
  made.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x).set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
  return operation(made, out);
}

GraphOperations::Tensor GraphOperations::select(Tensor choice, Tensor x, Tensor other, Tensor out) {
  GraphDescriptor& made = pointwise(CUDNN_POINTWISE_BINARY_SELECT, CUDNN_DATA_FLOAT);
  made.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, other)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, choice)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
  return operation(made, out);
}

GraphOperations::Tensor GraphOperations::reduce(cudnnReduceTensorOp_t how_to, Tensor x,
                                                Tensor out) {
  GraphDescriptor& how = add(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, how_to)
      .set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .finalize();
  GraphDescriptor& made = add(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  made.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, out);
  return operation(made, out);
}

GraphOperations::Tensor GraphOperations::reshape(Tensor x, Tensor out) {
  GraphDescriptor& made = add(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  made.set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x).set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, out);
  return operation(made, out);
}

GraphDescriptor GraphOperations::graph(cudnnHandle_t handle) const {
  const bool good = std::all_of(parts_.begin(), parts_.end(),
                                [](const GraphDescriptor& part) { return part.good(); });
  return good ? make_graph(handle, operations_) : GraphDescriptor();
}

}  // namespace chainerxx::internal::gpu
