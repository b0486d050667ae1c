// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/rounding.h"

#include "chainerxx/internal/gradient_row.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
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

}  // namespace

Variable sign(const Variable& x) { return apply_row(kSign, x); }
Variable floor(const Variable& x) { return apply_row(kFloor, x); }
Variable ceil(const Variable& x) { return apply_row(kCeil, x); }
Variable fix(const Variable& x) { return apply_row(kFix, x); }

}  // namespace chainerxx::functions
