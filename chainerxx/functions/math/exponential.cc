// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/exponential.h"

#include <numbers>

#include "chainerxx/internal/gradient_row.h"
#include "cupyxx/math.h"
#include "cupyxx/special.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
using internal::Keep;
using internal::UnaryRow;
namespace math = internal::math;

constexpr double kTwoByRootPi = 2 * std::numbers::inv_sqrtpi;

constexpr UnaryRow kExpm1{"expm1", [](const auto& x) { return cupyxx::expm1(x); },
                          [](const auto&, const auto& y, const auto& gy) { return (y + 1) * gy; },
                          Keep::output};

constexpr UnaryRow kLog1p{"log1p", [](const auto& x) { return cupyxx::log1p(x); },
                          [](const auto& x, const auto&, const auto& gy) { return gy / (x + 1); },
                          Keep::inputs};

constexpr UnaryRow kLog2{
    "log2", [](const auto& x) { return cupyxx::log2(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / x * std::numbers::log2e; },
    Keep::inputs};

constexpr UnaryRow kLog10{
    "log10", [](const auto& x) { return cupyxx::log10(x); },
    [](const auto& x, const auto&, const auto& gy) { return gy / x * std::numbers::log10e; },
    Keep::inputs};

constexpr UnaryRow kErf{"erf", [](const auto& x) { return cupyxx::special::erf(x); },
                        [](const auto& x, const auto&, const auto& gy) {
                          return math::exp(-(x * x)) * gy * kTwoByRootPi;
                        },
                        Keep::inputs};

constexpr UnaryRow kErfc{"erfc", [](const auto& x) { return cupyxx::special::erfc(x); },
                         [](const auto& x, const auto&, const auto& gy) {
                           return math::exp(-(x * x)) * gy * -kTwoByRootPi;
                         },
                         Keep::inputs};

constexpr UnaryRow kRsqrt{
    "rsqrt", [](const auto& x) { return cupyxx::reciprocal(cupyxx::sqrt(x)); },
    [](const auto& x, const auto& y, const auto& gy) { return y / x * gy * -0.5; }, Keep::all};

}  // namespace

Variable expm1(const Variable& x) { return apply_row(kExpm1, x); }
Variable log1p(const Variable& x) { return apply_row(kLog1p, x); }
Variable log2(const Variable& x) { return apply_row(kLog2, x); }
Variable log10(const Variable& x) { return apply_row(kLog10, x); }
Variable erf(const Variable& x) { return apply_row(kErf, x); }
Variable erfc(const Variable& x) { return apply_row(kErfc, x); }
Variable rsqrt(const Variable& x) { return apply_row(kRsqrt, x); }

}  // namespace chainerxx::functions
