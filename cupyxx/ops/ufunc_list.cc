// SPDX-License-Identifier: MIT
// All ufuncs, family by family.
#include <array>

#include "cupyxx/error.h"
#include "cupyxx/internal/registry.h"
#include "cupyxx/ufunc.h"

// As where they are registered: ufunc_of() of these operations is for everybody.
#pragma GCC visibility push(default)
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/bitwise.h"
#include "cupyxx/ops/comparison.h"
#include "cupyxx/ops/exp_log.h"
#include "cupyxx/ops/floating.h"
#include "cupyxx/ops/numeric.h"
#include "cupyxx/ops/special.h"
#include "cupyxx/ops/trigonometric.h"
#pragma GCC visibility pop

namespace cupyxx {

namespace {

template <class... List>
std::vector<const ufunc*> collect() {
  std::vector<const ufunc*> all;
  (all.insert(all.end(), internal::Family<List>::objects,
              internal::Family<List>::objects + internal::Family<List>::count),
   ...);
  return all;
}

// Names under which NumPy also knows them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kAliases = {{
    {"divide", "true_divide"},
    {"mod", "remainder"},
    {"abs", "absolute"},
    {"conj", "conjugate"},
    {"radians", "deg2rad"},
    {"degrees", "rad2deg"},
    {"bitwise_not", "invert"},
    {"acos", "arccos"},
    {"acosh", "arccosh"},
    {"asin", "arcsin"},
    {"asinh", "arcsinh"},
    {"atan", "arctan"},
    {"atanh", "arctanh"},
    {"atan2", "arctan2"},
    {"pow", "power"},
    {"bitwise_left_shift", "left_shift"},
    {"bitwise_right_shift", "right_shift"},
    {"bitwise_invert", "invert"},
    {"psi", "digamma"},
}};

}  // namespace

std::span<const ufunc* const> all_ufuncs() {
  static const auto* all = new std::vector<const ufunc*>(
      collect<ops::ArithmeticOps, ops::ExpLogOps, ops::TrigonometricOps, ops::BitwiseOps,
              ops::ComparisonOps, ops::FloatingOps, ops::NumericOps, ops::SpecialOps>());
  return *all;
}

const ufunc& find_ufunc(std::string_view name) {
  for (const auto& [alias, canonical] : kAliases) {
    if (name == alias) name = canonical;
  }
  for (const ufunc* f : all_ufuncs()) {
    if (name == f->op().name) return *f;
  }
  throw ValueError(message("find_ufunc: there is no ufunc named '", name, "'"));
}

}  // namespace cupyxx
