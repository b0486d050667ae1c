// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/scope.h"

namespace chainerxx::internal {

/// Says that functions run again, only for their gradients: is_recomputing().
class RecomputationScope : public ModeScope<bool> {
 public:
  RecomputationScope();
};

}  // namespace chainerxx::internal
