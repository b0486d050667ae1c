// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/rounding.h"

#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
using internal::BinaryRow;
using internal::Gradients;
using internal::Keep;
using internal::UnaryRow;

/// A gradient that no gradient of gradients goes through.
struct Zero {
  ndarray operator()(const ndarray&, const ndarray&, const ndarray& gy) const {
    return cupyxx::zeros_like(gy);
  }
  Variable operator()(const Variable&, const Variable&, const Variable& gy) const { return gy * 0; }
};

constexpr UnaryRow kSign{"sign", [](const auto& x) { return cupyxx::sign(x); }, Zero{},
                         Keep::nothing};
constexpr UnaryRow kFloor{"floor", [](const auto& x) { return cupyxx::floor(x); }, Zero{},
                          Keep::nothing};
constexpr UnaryRow kCeil{"ceil", [](const auto& x) { return cupyxx::ceil(x); }, Zero{},
                         Keep::nothing};
constexpr UnaryRow kFix{"fix", [](const auto& x) { return cupyxx::trunc(x); }, Zero{},
                        Keep::nothing};

/// How often y goes into x, which has no slope.
ndarray whole_quotient(const ndarray& x, const ndarray& y) {
  return cupyxx::rint((x - cupyxx::fmod(x, y)) / y);
}
Variable whole_quotient(const Variable& x, const Variable& y) {
  return whole_quotient(x.data(), y.data());
}

constexpr BinaryRow kFmod{"fmod", [](const auto& x, const auto& y) { return cupyxx::fmod(x, y); },
                          [](const auto& x, const auto& y, const auto&, const auto& gz) {
                            return Gradients{gz, -(gz * whole_quotient(x, y))};
                          },
                          Keep::inputs};

}  // namespace

Variable sign(const Variable& x) { return apply_row(kSign, x); }
Variable floor(const Variable& x) { return apply_row(kFloor, x); }
Variable ceil(const Variable& x) { return apply_row(kCeil, x); }
Variable fix(const Variable& x) { return apply_row(kFix, x); }
Variable fmod(const Variable& x, const Variable& y) { return apply_row(kFmod, x, y); }
Variable fmod(const Variable& x, const cupyxx::Scalar& y) {
  internal::refuse_none("fmod", {&x});
  const cupyxx::DeviceScope device(x.device());
  const Variable divisor = cupyxx::full({}, y, x.dtype());
  return fmod(x, divisor);
}

}  // namespace chainerxx::functions
