// SPDX-License-Identifier: MIT
// Modes of the current thread that hold until the end of a scope.
#pragma once

#include "cupyxx/export.h"

namespace chainerxx {

/// Whether functions record themselves in the graph on this thread; true outside of NoGradScope.
CUPYXX_API bool is_recording();
/// Whether functions such as dropout behave as in training; true outside of TrainScope(false).
CUPYXX_API bool is_training();

/// Functions applied in this scope leave no graph behind, as if all inputs were volatile.
class CUPYXX_API NoGradScope {
 public:
  NoGradScope();
  ~NoGradScope();
  NoGradScope(const NoGradScope&) = delete;
  NoGradScope& operator=(const NoGradScope&) = delete;

 private:
  bool previous_;
};

/// Chooses training or evaluation for functions that know both and are not told.
class CUPYXX_API TrainScope {
 public:
  explicit TrainScope(bool train);
  ~TrainScope();
  TrainScope(const TrainScope&) = delete;
  TrainScope& operator=(const TrainScope&) = delete;

 private:
  bool previous_;
};

}  // namespace chainerxx
