// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/discriminative_loss.h"

#include <cstdint>
#include <vector>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

constexpr const char* kName = "discriminative_margin_based_clustering_loss";

void check(const Variable& embeddings, const Variable& labels, int most, int norm) {
  internal::refuse_none(kName, {&embeddings, &labels});
  if (most < 1) {
    throw cupyxx::ValueError(cupyxx::message(kName, ": max_embedding_dim is not positive; ", most));
  }
  if (norm != 1 && norm != 2) {
    throw cupyxx::ValueError(cupyxx::message(kName, ": norm is not 1 or 2; ", norm));
  }
  const Shape s = embeddings.shape();
  if (s.ndim() != 4 || s[1] != most) {
    throw cupyxx::ShapeError(
        cupyxx::message(kName, ": embeddings are not (n, ", most, ", h, w); ", s));
  }
  if (labels.shape() != Shape{s[0], s[2], s[3]}) {
    throw cupyxx::ShapeError(
        cupyxx::message(kName, ": labels are not ", Shape{s[0], s[2], s[3]}, "; ", labels.shape()));
  }
  const char kind = labels.dtype().kind();
  if (kind != 'i' && kind != 'u') {
    throw cupyxx::DtypeError(
        cupyxx::message(kName, ": labels are integers; ", labels.dtype().name()));
  }
}

/// Over axes; of the root of 0 the gradient is 0.
Variable length(const Variable& x, const std::vector<int>& axes, int norm) {
  if (norm == 1) return sum(absolute(x), axes);
  const Variable squares = sum(square(x), axes);
  const ndarray is_zero = cupyxx::equal(squares.data(), 0).astype(x.dtype());
  return sqrt(squares + is_zero) * (1 - is_zero);
}

double at_least_one(double number) { return number > 1 ? number : 1; }

}  // namespace

VariableArray<3> discriminative_margin_based_clustering_loss(const Variable& embeddings,
                                                             const Variable& labels, double delta_v,
                                                             double delta_d, int max_embedding_dim,
                                                             int norm, double alpha, double beta,
                                                             double gamma) {
  check(embeddings, labels, max_embedding_dim, norm);
  const Variable e = internal::in_float32(embeddings);
  const Shape s = e.shape();
  const std::int64_t most = max_embedding_dim, n = s[0], d = s[1], pixels = s[2] * s[3];
  const cupyxx::DeviceScope device(e.device());
  // (instances, n, 1, pixels), (instances, n, d, pixels)
  const ndarray mask =
      cupyxx::equal(labels.data().reshape({1, n, 1, pixels}),
                    cupyxx::arange(1, most + 1)
                        .reshape({most, std::int64_t{1}, std::int64_t{1}, std::int64_t{1}}))
          .astype(e.dtype());
  const Shape all = {most, n, d, pixels};
  const Variable belongs = cupyxx::broadcast_to(mask, all);
  const Variable x = broadcast_to(reshape(e, {1, n, d, pixels}), all);

  const ndarray counts = cupyxx::sum(mask, 3);  // (instances, n, 1)
  const Variable divisor = cupyxx::broadcast_to(cupyxx::maximum(counts, 1), {most, n, d});
  const Variable means = sum(x * belongs, 3) / divisor;
  const double images = at_least_one(static_cast<double>(n));
  const Variable regularization =
      sum(length(means, {1, 2}, norm)) * (gamma / (static_cast<double>(most) * images));

  const Variable from_means = (broadcast_to(reshape(means, {most, n, d, 1}), all) - x) * belongs;
  const Variable excess = square(relu(length(from_means, {2}, norm) - delta_v));
  const Variable of_instance = cupyxx::maximum(cupyxx::sum(counts, {1, 2}), 1);
  const Variable variance =
      sum(sum(excess, {1, 2}) / of_instance) * (alpha / static_cast<double>(most));

  std::vector<std::int64_t> first, second;
  for (std::int64_t i = 0; i < most; ++i) {
    for (std::int64_t j = i + 1; j < most; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  }
  Variable distance = cupyxx::zeros({}, e.dtype());
  if (!first.empty()) {
    const Variable apart =
        length(get_item(means, {cupyxx::array(first)}) - get_item(means, {cupyxx::array(second)}),
               {2}, norm);
    distance = sum(square(relu(2 * delta_d - apart))) *
               (beta / (static_cast<double>(first.size()) * images));
  }
  return {internal::typed_as(embeddings, variance), internal::typed_as(embeddings, distance),
          internal::typed_as(embeddings, regularization)};
}

}  // namespace chainerxx::functions
