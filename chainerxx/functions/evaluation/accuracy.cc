// SPDX-License-Identifier: MIT
#include "chainerxx/functions/evaluation/accuracy.h"

#include "chainerxx/internal/array_ops.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Accuracy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto y = in[0], t = in[1];
  typecheck::expect(y.dtype().kind() == 'f', t.dtype().kind() == 'i', y.ndim() >= 2, t.ndim() >= 1,
                    y.shape()[0] == t.shape()[0]);
  // Places beside the sample: (n, classes, 1, 1) goes with (n,), as in the manual.
  typecheck::expect(prod(y.shape()[typecheck::slice(2, typecheck::none)]) ==
                    prod(t.shape()[typecheck::slice(1, typecheck::none)]));
}

std::vector<ndarray> Accuracy::forward(ArraySpan in) {
  return {internal::accuracy(in[0], in[1], ignore_label_)};
}

Variable accuracy(const Variable& y, const Variable& t, std::optional<std::int64_t> ignore_label) {
  return Accuracy(ignore_label)(y, t);
}

}  // namespace chainerxx::functions
