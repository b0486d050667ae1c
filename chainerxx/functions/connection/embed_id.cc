// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/embed_id.h"

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/internal/initialize.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using Label = std::optional<std::int64_t>;

ndarray rows(const ndarray& W, const ndarray& x, const Label& ignore) {
  if (!ignore) return cupyxx::take(W, x, 0);
  const ndarray ignored = cupyxx::equal(x, *ignore);
  const ndarray y = cupyxx::take(W, cupyxx::where(ignored, 0, x), 0);
  return cupyxx::where(cupyxx::expand_dims(ignored, x.ndim()), cupyxx::zeros({}, W.dtype()), y);
}

/// Adds the gradients of rows where they came from.
void add_rows(const ndarray& gW, const ndarray& x, const ndarray& gy, const Label& ignore) {
  if (!ignore) {
    cupyxx::add.at(gW, x, gy);
    return;
  }
  const ndarray ignored = cupyxx::equal(x, *ignore);
  const ndarray kept =
      cupyxx::where(cupyxx::expand_dims(ignored, x.ndim()), cupyxx::zeros({}, gy.dtype()), gy);
  cupyxx::add.at(gW, cupyxx::where(ignored, 0, x), kept);
}

}  // namespace

EmbedID::EmbedID(std::int64_t in_size, std::int64_t out_size, const EmbedIDOptions& options)
    : ignore_label_(options.ignore_label) {
  if (internal::skips_initialization()) return;
  W = options.initialW.is_none()
          ? internal::normal({in_size, out_size}, 1, options.dtype)
          : internal::checked_initial("EmbedID", "initialW", options.initialW, {in_size, out_size});
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> EmbedID::fields() { return {{"W", &W, &gW}}; }

void EmbedID::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'i', in[0].ndim() >= 1);
}

std::vector<ndarray> EmbedID::forward(std::span<const ndarray> x) {
  return {rows(W, x[0], ignore_label_)};
}

std::vector<ndarray> EmbedID::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  add_rows(gW, x[0], gy[0], ignore_label_);
  return {ndarray()};
}

void EmbedIDFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'i', in[0].ndim() >= 1,
                    in[1].dtype().kind() == 'f', in[1].ndim() == 2);
}

std::vector<ndarray> EmbedIDFunction::forward(std::span<const ndarray> in) {
  return {rows(in[1], in[0], ignore_label_)};
}

std::vector<ndarray> EmbedIDFunction::backward(std::span<const ndarray> in,
                                               std::span<const ndarray> gy) {
  const ndarray gW = cupyxx::zeros_like(in[1]);
  add_rows(gW, in[0], gy[0], ignore_label_);
  return {ndarray(), gW};
}

Variable embed_id(const Variable& x, const Variable& W, std::optional<std::int64_t> ignore_label) {
  return EmbedIDFunction(ignore_label)(x, W);
}

Variable embedding_dropout(const Variable& W, double ratio, bool train) {
  if (!train) return W;
  const Variable ones(cupyxx::ones({W.shape()[0], 1}, W.dtype()), W.volatile_());
  return W * broadcast_to(dropout(ones, ratio), W.shape());
}

}  // namespace chainerxx::functions
