// SPDX-License-Identifier: MIT
// Expressions from JSON, as reference cases hold them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "typecheck/expect.h"

namespace typecheck::testing {

/// The "in_types" of a case: of each input the extents, then the dtype.
std::vector<TypeInfo> types_from(const nlohmann::json& entry);
/// The "tree" of a case.
Expr expr_from(const nlohmann::json& tree, const TypeInfos& in);

}  // namespace typecheck::testing
