// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/trigonometric.h"

#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/internal/gradient_row.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
using internal::BinaryRow;
using internal::Gradients;
using internal::Keep;
using internal::UnaryRow;

ndarray root(const ndarray& x) { return cupyxx::sqrt(x); }
Variable root(const Variable& x) { return functions::sqrt(x); }
ndarray sinh_of(const ndarray& x) { return cupyxx::sinh(x); }
Variable sinh_of(const Variable& x) { return functions::sinh(x); }
ndarray cosh_of(const ndarray& x) { return cupyxx::cosh(x); }
Variable cosh_of(const Variable& x) { return functions::cosh(x); }

/// The larger of |x| and |y| as a constant: results do not depend on it, but squares of what it
/// divides stay within the range of the dtype.
ndarray scale_of(const ndarray& x, const ndarray& y) {
  return cupyxx::maximum(cupyxx::absolute(x), cupyxx::absolute(y));
}
Variable scale_of(const Variable& x, const Variable& y) { return scale_of(x.data(), y.data()); }
ndarray scale_above_one(const ndarray& x) { return cupyxx::maximum(cupyxx::absolute(x), 1); }
Variable scale_above_one(const Variable& x) { return scale_above_one(x.data()); }

constexpr UnaryRow kTan{"tan", [](const auto& x) { return cupyxx::tan(x); },
                        [](const auto&, const auto& y, const auto& gy) { return (y * y + 1) * gy; },
                        Keep::output};

constexpr UnaryRow kArcsin{
    "arcsin", [](const auto& x) { return cupyxx::arcsin(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / root((1 - x) * (1 + x)); },
    Keep::inputs};

constexpr UnaryRow kArccos{
    "arccos", [](const auto& x) { return cupyxx::arccos(x); },
    [](const auto& x, const auto&, const auto& gy) { return -(gy / root((1 - x) * (1 + x))); },
    Keep::inputs};

constexpr UnaryRow kArctan{
    "arctan", [](const auto& x) { return cupyxx::arctan(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / (x * x + 1); }, Keep::inputs};

constexpr BinaryRow kArctan2{"arctan2",
                             [](const auto& y, const auto& x) { return cupyxx::arctan2(y, x); },
                             [](const auto& y, const auto& x, const auto&, const auto& gz) {
                               const auto s = scale_of(x, y);
                               const auto u = x / s, v = y / s;
                               const auto share = gz / (s * (u * u + v * v));
                               return Gradients{u * share, -(v * share)};
                             },
                             Keep::inputs};

constexpr UnaryRow kSinh{"sinh", [](const auto& x) { return cupyxx::sinh(x); },
                         [](const auto& x, const auto&, const auto& gy) { return cosh_of(x) * gy; },
                         Keep::inputs};

constexpr UnaryRow kCosh{"cosh", [](const auto& x) { return cupyxx::cosh(x); },
                         [](const auto& x, const auto&, const auto& gy) { return sinh_of(x) * gy; },
                         Keep::inputs};

constexpr UnaryRow kArcsinh{"arcsinh", [](const auto& x) { return cupyxx::arcsinh(x); },
                            [](const auto& x, const auto&, const auto& gy) {
                              const auto s = scale_above_one(x);
                              const auto u = x / s, v = 1 / s;
                              return gy / (s * root(u * u + v * v));
                            },
                            Keep::inputs};

// Two roots: of x less than -1, where there is no value, they have none either.
constexpr UnaryRow kArccosh{
    "arccosh", [](const auto& x) { return cupyxx::arccosh(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / (root(x - 1) * root(x + 1)); },
    Keep::inputs};

constexpr UnaryRow kArctanh{
    "arctanh", [](const auto& x) { return cupyxx::arctanh(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / ((1 - x) * (1 + x)); },
    Keep::inputs};

}  // namespace

Variable tan(const Variable& x) { return apply_row(kTan, x); }
Variable arcsin(const Variable& x) { return apply_row(kArcsin, x); }
Variable arccos(const Variable& x) { return apply_row(kArccos, x); }
Variable arctan(const Variable& x) { return apply_row(kArctan, x); }
Variable arctan2(const Variable& x1, const Variable& x2) { return apply_row(kArctan2, x1, x2); }
Variable sinh(const Variable& x) { return apply_row(kSinh, x); }
Variable cosh(const Variable& x) { return apply_row(kCosh, x); }
Variable arcsinh(const Variable& x) { return apply_row(kArcsinh, x); }
Variable arccosh(const Variable& x) { return apply_row(kArccosh, x); }
Variable arctanh(const Variable& x) { return apply_row(kArctanh, x); }

}  // namespace chainerxx::functions
