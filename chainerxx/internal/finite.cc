// SPDX-License-Identifier: MIT
#include "chainerxx/internal/finite.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "chainerxx/internal/graph.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::internal {
namespace {

enum Kind { kFinite, kInfinite, kNan };  // each hides the ones before

Kind kind_of(double value) {
  return std::isnan(value) ? kNan : std::isinf(value) ? kInfinite : kFinite;
}

/// The worst kind of number in an array, and where it stands first.
struct Finding {
  Kind kind = kFinite;
  std::int64_t at = 0;
  double value = 0;
};

Finding find(const ndarray& a) {
  Finding worst;
  if (a.is_none() || a.size() == 0 || !a.dtype().is_floating()) return worst;
  if (cupyxx::isfinite(a).all().item<bool>()) return worst;
  const std::vector<double> values = a.to_vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Kind kind = kind_of(values[i]);
    if (kind > worst.kind) worst = {kind, static_cast<std::int64_t>(i), values[i]};
  }
  return worst;
}

int worst_of(ArraySpan arrays) {
  int worst = kFinite;
  for (const ndarray& a : arrays) worst = std::max<int>(worst, find(a).kind);
  return worst;
}

std::string place(std::int64_t at, const cupyxx::Shape& shape) {
  cupyxx::Shape index = shape;
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    index[i] = at % shape[i];
    at /= shape[i];
  }
  return index.str();
}

/// "holds nan at (0, 1); shape (2, 3), float32".
std::string text(const Finding& found, const ndarray& a) {
  const char* const value = found.kind == kNan ? "nan" : found.value < 0 ? "-inf" : "inf";
  return cupyxx::message("holds ", value, " at ", place(found.at, a.shape()), "; shape ", a.shape(),
                         ", ", a.dtype().name());
}

}  // namespace

void check_results(const Function& f, ArraySpan inputs, ArraySpan results) {
  int given = -1;  // looked at when needed only
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Finding found = find(results[i]);
    if (found.kind == kFinite) continue;
    if (given < 0) given = worst_of(inputs);
    if (found.kind <= given) continue;
    std::string what = cupyxx::message("output ", i, " ", text(found, results[i]));
    // A parameter that went wrong in an update is the real cause.
    for (const Field& field : const_cast<Function&>(f).fields()) {
      const Finding own = find(*field.array);
      if (own.kind == kFinite) continue;
      what += std::string("; so does its parameter ") + field.name + " at " +
              place(own.at, field.array->shape());
    }
    throw cupyxx::ValueError(cupyxx::message(f.label(), ": ", what));
  }
}

void check_sum(const Function& f, std::size_t input, const ndarray& before, const ndarray& gx,
               const ndarray& sum) {
  const Finding found = find(sum);
  if (found.kind <= std::max(find(before).kind, find(gx).kind)) return;
  throw cupyxx::ValueError(cupyxx::message(f.label(), ": the sum of the gradients of input ", input,
                                           " ", text(found, sum)));
}

GradientCheck::GradientCheck(Function& f, ArraySpan inputs, ArraySpan grad_outputs)
    : f_(f), given_(std::max(worst_of(inputs), worst_of(grad_outputs))) {
  for (const Field& field : f.fields()) {
    given_ = std::max<int>(given_, find(*field.array).kind);
    if (field.gradient != nullptr) given_ = std::max<int>(given_, find(*field.gradient).kind);
  }
}

void GradientCheck::compare(ArraySpan grads) const {
  for (std::size_t i = 0; i < grads.size(); ++i) {
    const Finding found = find(grads[i]);
    if (found.kind <= given_) continue;
    throw cupyxx::ValueError(
        cupyxx::message(f_.label(), ": the gradient of input ", i, " ", text(found, grads[i])));
  }
  for (const Field& field : f_.fields()) {
    if (field.gradient == nullptr) continue;
    const Finding found = find(*field.gradient);
    if (found.kind <= given_) continue;
    throw cupyxx::ValueError(cupyxx::message(f_.label(), ": the gradient of parameter ", field.name,
                                             " ", text(found, *field.gradient)));
  }
}

}  // namespace chainerxx::internal
