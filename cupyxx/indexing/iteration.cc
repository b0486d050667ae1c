// SPDX-License-Identifier: MIT
#include "cupyxx/core/arrays.h"
#include "cupyxx/core/body.h"
#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::internal {

ndarray element_view(const ndarray& a, const Shape& index) {
  const Body& body = *a.body();
  char* data = body.data;
  for (int i = 0; i < index.ndim(); ++i) data += index[i] * body.strides[i];
  return make_view(a, data, body.dtype, {}, {});
}

Shape iterated(std::span<ndarray> arrays) {
  for (const ndarray& a : arrays) check_not_none("nditer", a);
  Shape shape;
  for (const ndarray& a : arrays) shape = cupyxx::broadcast_shapes("nditer", shape, a.shape());
  for (ndarray& a : arrays) {
    if (!(a.shape() == shape)) a = broadcast_to(a, shape);
  }
  return shape;
}

std::int64_t count_indices(const Shape& shape) {
  check_extents("ndindex", shape);
  return shape.element_count();
}

void advance(Shape& index, const Shape& shape) {
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    if (++index[i] < shape[i]) return;
    index[i] = 0;
  }
}

Shape enumerated(const ndarray& a) {
  check_not_none("ndenumerate", a);
  return a.shape();
}

}  // namespace cupyxx::internal
