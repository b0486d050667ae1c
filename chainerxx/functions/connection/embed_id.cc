// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/embed_id.h"

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/internal/embed_ops.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/take_rows.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using Label = std::optional<std::int64_t>;

/// The rows, in the thread's precision; a float32 W is read in it. Negative ids do not count from
/// the end: they are rather a padding that nobody has named.
ndarray rows(const ndarray& full, const ndarray& x, const Label& ignore) {
  const ndarray W = internal::narrow_parameter(full, internal::narrowed(full.dtype()));
  if (!ignore) return cupyxx::extension::take_rows("EmbedID", W, x);
  const ndarray ignored = cupyxx::equal(x, *ignore);
  const ndarray y = cupyxx::extension::take_rows("EmbedID", W, cupyxx::where(ignored, 0, x));
  return cupyxx::where(cupyxx::expand_dims(ignored, x.ndim()), cupyxx::zeros({}, W.dtype()), y);
}

/// Adds the gradients of rows where they came from. Sums of 16 bits are rounded once.
void add_rows(const ndarray& gW, const ndarray& x, const ndarray& gy, const Label& ignore) {
  if (internal::add_embedded_rows(gW, x, gy, ignore)) return;
  if (gW.dtype().itemsize() == 2) {
    const ndarray sums = gW.astype(cupyxx::float32);
    add_rows(sums, x, gy, ignore);
    gW(cupyxx::slice()) = sums.astype(gW.dtype());
    return;
  }
  const ndarray all = gy.astype(gW.dtype(), false);
  if (!ignore) {
    cupyxx::add.at(gW, x, all);
    return;
  }
  const ndarray ignored = cupyxx::equal(x, *ignore);
  const ndarray kept =
      cupyxx::where(cupyxx::expand_dims(ignored, x.ndim()), cupyxx::zeros({}, all.dtype()), all);
  cupyxx::add.at(gW, cupyxx::where(ignored, 0, x), kept);
}

/// The gradient by the matrix, of (ids, gradient of the rows).
class EmbedIDGradient final : public FunctionOf<EmbedIDGradient> {
 public:
  EmbedIDGradient(std::int64_t count, cupyxx::dtype dtype, const Label& ignore)
      : count_(count), dtype_(dtype), ignore_(ignore) {}
  std::vector<ndarray> forward(ArraySpan in) override {
    retain_inputs({0});
    type_ = in[1].dtype();
    const ndarray gW = cupyxx::zeros({count_, in[1].shape().back()}, dtype_);
    add_rows(gW, in[0], in[1], ignore_);
    return {gW};
  }
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override {
    return {ndarray(), rows(gy[0], in[0], ignore_).astype(type_, false)};
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    return {Variable(), cast(embed_id(in[0], gy[0], ignore_), type_)};
  }

 private:
  std::int64_t count_;
  cupyxx::dtype dtype_, type_;  // of the result and of the gradients of rows
  Label ignore_;
};

}  // namespace

EmbedID::EmbedID(std::int64_t in_size, std::int64_t out_size, const EmbedIDOptions& options)
    : ignore_label_(options.ignore_label) {
  internal::check_sizes("EmbedID", {in_size, out_size});
  internal::check_floating("EmbedID", options.dtype);
  if (internal::skips_initialization()) return;
  const cupyxx::Shape shape = {in_size, out_size};
  W = internal::initial_weights("EmbedID", "initialW", options.initialW, shape, options.dtype,
                                [&] { return internal::normal(shape, 1, options.dtype); });
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> EmbedID::fields() { return {{"W", &W, &gW, true}}; }

Variable EmbedID::project(const Variable& x) const {
  Linear output;
  output.W = W;
  output.gW = gW;
  return output(x);
}

void EmbedID::check_type_forward(const typecheck::TypeInfos& in) const {
  internal::expect_rank("EmbedID", "W", W, 2);
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'i', in[0].ndim() >= 1);
}

std::vector<ndarray> EmbedID::forward(ArraySpan x) { return {rows(W, x[0], ignore_label_)}; }

std::vector<ndarray> EmbedID::backward(ArraySpan x, ArraySpan gy) {
  add_rows(gW, x[0], gy[0], ignore_label_);
  return {ndarray()};
}

std::vector<Variable> EmbedID::backward_variables(VariableSpan x, VariableSpan gy) {
  if (internal::adds_to_parameters()) {
    add_rows(gW, x[0].data(), gy[0].data(), ignore_label_);
  } else if (internal::WantedParameters::current() != nullptr) {
    internal::add_gradient(gW,
                           EmbedIDGradient(W.shape()[0], W.dtype(), ignore_label_)(x[0], gy[0]));
  }
  return {Variable()};
}

void EmbedIDFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'i', in[0].ndim() >= 1,
                    in[1].dtype().kind() == 'f', in[1].ndim() == 2);
}

std::vector<ndarray> EmbedIDFunction::forward(ArraySpan in) {
  retain_inputs({0});
  dtype_ = in[1].dtype();
  return {rows(in[1], in[0], ignore_label_)};
}

std::vector<ndarray> EmbedIDFunction::backward(ArraySpan in, ArraySpan gy) {
  const ndarray gW = cupyxx::zeros(input_shape(1), dtype_);
  add_rows(gW, in[0], gy[0], ignore_label_);
  return {ndarray(), gW};
}

std::vector<Variable> EmbedIDFunction::backward_variables(VariableSpan in, VariableSpan gy) {
  return {Variable(), EmbedIDGradient(in[1].shape()[0], dtype_, ignore_label_)(in[0], gy[0])};
}

Variable embed_id(const Variable& x, const Variable& W, std::optional<std::int64_t> ignore_label) {
  return EmbedIDFunction(ignore_label)(x, W);
}

Variable embedding_dropout(const Variable& W, double ratio, bool train) {
  internal::refuse_none("embedding_dropout", {&W});
  if (!train) return W;
  if (W.ndim() != 2) {
    throw cupyxx::ShapeError(cupyxx::message("embedding_dropout: W is no matrix; ", W.shape()));
  }
  const ndarray column = W.data()(cupyxx::slice(), cupyxx::slice(0, 1));
  const Variable ones(cupyxx::ones_like(column), W.volatile_());
  return W * broadcast_to(dropout(ones, ratio, true), W.shape());
}

}  // namespace chainerxx::functions
