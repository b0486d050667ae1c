// SPDX-License-Identifier: MIT
// Expressions from JSON, as reference cases hold them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "typecheck/expect.h"

namespace typecheck::testing {

/// The "in_types" of a case: of each input the extents, then the dtype; a plain number counts as
/// a scalar of int64 or float64.
std::vector<TypeInfo> types_from(const nlohmann::json& entry);
/// The "tree" of a case. With the case's "in_types" as `plain`, inputs that are plain numbers are
/// variables of that value; `{"variable": 3, "name": "n"}` is one with a name of its own.
Expr expr_from(const nlohmann::json& tree, const TypeInfos& in, const nlohmann::json& plain = {});

}  // namespace typecheck::testing
