// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/scope.h"

namespace chainerxx::internal {

/// Says that functions run again, only for their gradients: is_recomputing().
class RecomputationScope : public ModeScope<bool> {
 public:
  RecomputationScope();
};

/// A base of functions that run others again in backward, whose parameters are not among their own
/// fields.
class RunsAgain {
 public:
  virtual ~RunsAgain() = default;
};

}  // namespace chainerxx::internal
