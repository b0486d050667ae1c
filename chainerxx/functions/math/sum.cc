// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/sum.h"

#include "cupyxx/manipulation.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Sum::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Sum::forward(std::span<const ndarray> x) { return {x[0].sum(axes_)}; }

std::vector<ndarray> Sum::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  const cupyxx::Shape shape = x[0].shape();
  const std::uint32_t reduced = axes_.mask("sum", shape.ndim());
  cupyxx::Shape kept = shape;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((reduced >> i & 1u) != 0) kept[i] = 1;
  }
  return {cupyxx::broadcast_to(gy[0].reshape(kept), shape).copy()};
}

Variable sum(const Variable& x, const cupyxx::Axes& axes) { return Sum(axes)(x); }

}  // namespace chainerxx::functions
