// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/elementary.h"

#include "chainerxx/internal/gradient_row.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
using internal::Keep;
using internal::UnaryRow;
namespace math = internal::math;

constexpr UnaryRow kExp{"exp", [](const auto& x) { return math::exp(x); },
                        [](const auto&, const auto& y, const auto& gy) { return y * gy; },
                        Keep::output};

constexpr UnaryRow kLog{"log", [](const auto& x) { return math::log(x); },
                        [](const auto& x, const auto&, const auto& gy) { return gy / x; },
                        Keep::inputs};

constexpr UnaryRow kSin{
    "sin", [](const auto& x) { return math::sin(x); },
    [](const auto& x, const auto&, const auto& gy) { return math::cos(x) * gy; }, Keep::inputs};

constexpr UnaryRow kCos{
    "cos", [](const auto& x) { return math::cos(x); },
    [](const auto& x, const auto&, const auto& gy) { return -(math::sin(x) * gy); }, Keep::inputs};

}  // namespace

Variable exp(const Variable& x) { return apply_row(kExp, x); }
Variable log(const Variable& x) { return apply_row(kLog, x); }
Variable sin(const Variable& x) { return apply_row(kSin, x); }
Variable cos(const Variable& x) { return apply_row(kCos, x); }

}  // namespace chainerxx::functions
