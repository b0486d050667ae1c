// SPDX-License-Identifier: MIT
#pragma once

namespace chainerxx::internal {

/// Says that functions run again, only for their gradients: is_recomputing().
class RecomputationScope {
 public:
  RecomputationScope();
  ~RecomputationScope();
  RecomputationScope(const RecomputationScope&) = delete;
  RecomputationScope& operator=(const RecomputationScope&) = delete;

 private:
  bool previous_;
};

}  // namespace chainerxx::internal
