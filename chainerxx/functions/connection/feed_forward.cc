// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/feed_forward.h"

#include <vector>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/takes_beside.h"
#include "chainerxx/internal/weight_gradient.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// (..., units) as (rows, units); a view where the layout allows.
ndarray rows_of(const ndarray& x) {
  const cupyxx::Shape shape = x.shape();
  return x.reshape({shape.back() == 0 ? 0 : x.size() / shape.back(), shape.back()});
}
Variable rows_of(const Variable& x) {
  const cupyxx::Shape shape = x.shape();
  return reshape(x, {shape.back() == 0 ? 0 : x.size() / shape.back(), shape.back()});
}

/// The two layers as one function, for the epilogues of products.
class FusedFeedForward final : public FunctionOf<FusedFeedForward> {
 public:
  FusedFeedForward(const Linear& wide, const Linear& narrow) : wide_(wide), narrow_(narrow) {}
  std::string label() const override { return "FeedForward"; }
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<Field> fields() override {
    return {{"wide/W", &wide_.W, &wide_.gW, true},
            {"wide/b", &wide_.b, &wide_.gb, true},
            {"narrow/W", &narrow_.W, &narrow_.gW, true},
            {"narrow/b", &narrow_.b, &narrow_.gb, true}};
  }

  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1);
    const auto x = in[0];
    if (!internal::takes_beside(wide_.W.dtype(), in.types()[0].dtype())) {
      typecheck::expect(x.dtype() == wide_.W.dtype());
    }
    typecheck::expect(x.ndim() >= 2,
                      x.shape()[-1] == typecheck::Variable(wide_.W.shape()[1], "wide.W.shape[1]"));
  }

  std::vector<ndarray> forward(ArraySpan in) override {
    const ndarray rows = rows_of(in[0]);
    const cupyxx::dtype dtype = rows.dtype();
    const cupyxx::Shape shape{rows.shape()[0], wide_.W.shape()[0]};
    const ndarray before = internal::empty_beside(rows, shape, dtype);
    const ndarray hidden = cupyxx::gemm(rows, internal::narrow_parameter(wide_.W, dtype).T(),
                                        {.bias = internal::narrow_parameter(wide_.b, dtype),
                                         .gelu = true,
                                         .pre_activation = before});
    const ndarray y = cupyxx::gemm(hidden, internal::narrow_parameter(narrow_.W, dtype).T(),
                                   {.bias = internal::narrow_parameter(narrow_.b, dtype)});
    if (records()) {
      before_ = internal::SavedArray(before);
      hidden_ = internal::SavedArray(hidden);
      wide_W_ = internal::SavedArray(wide_.W);
      narrow_W_ = internal::SavedArray(narrow_.W);
    }
    return {y.reshape(in[0].shape())};
  }

  std::vector<ndarray> backward(ArraySpan in, ArraySpan gys) override {
    const ndarray rows = rows_of(in[0]), gy = rows_of(gys[0]);
    const cupyxx::dtype dtype = gy.dtype();
    const ndarray& hidden = hidden_.get(*this);
    internal::add_weight_gradient(*this, gy, hidden, narrow_.gW, narrow_.gb);
    const ndarray gbefore =
        cupyxx::gemm(gy, internal::narrow_parameter(narrow_W_.get(*this), dtype),
                     {.gelu_gradient = true, .pre_activation = before_.get(*this)});
    internal::add_weight_gradient(*this, gbefore, rows, wide_.gW, wide_.gb);
    if (!needs_gradient(0)) return {ndarray()};
    const ndarray gx = cupyxx::gemm(gbefore, internal::narrow_parameter(wide_W_.get(*this), dtype));
    return {gx.reshape(in[0].shape())};
  }

  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    const std::vector<Variable> all = {x[0], internal::parameter(wide_W_.get(*this), wide_.gW),
                                       internal::parameter(wide_.b, wide_.gb),
                                       internal::parameter(narrow_W_.get(*this), narrow_.gW),
                                       internal::parameter(narrow_.b, narrow_.gb)};
    const std::vector<Variable> grads =
        internal::differentiate_composed(all, gy, [](const std::vector<Variable>& v) {
          const Variable hidden = gelu(linear(rows_of(v[0]), v[1], v[2]), true);
          return std::vector<Variable>{reshape(linear(hidden, v[3], v[4]), v[0].shape())};
        });
    internal::add_gradient(wide_.gW, grads[1]);
    internal::add_gradient(wide_.gb, grads[2]);
    internal::add_gradient(narrow_.gW, grads[3]);
    internal::add_gradient(narrow_.gb, grads[4]);
    return {grads[0]};
  }

 private:
  Linear wide_, narrow_;  // their arrays are those of the layers
  internal::SavedArray before_, hidden_, wide_W_, narrow_W_;
};

}  // namespace

FeedForward::FeedForward(std::int64_t units, std::int64_t hidden, const FeedForwardOptions& options)
    : wide(add("wide", Linear(units, hidden, {.wscale = options.wscale}))),
      narrow(add("narrow", Linear(hidden, units, {.wscale = options.wscale}))) {}

Variable FeedForward::operator()(const Variable& x) const {
  return FusedFeedForward(wide, narrow)(x);
}

}  // namespace chainerxx::functions
