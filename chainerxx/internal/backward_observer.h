// SPDX-License-Identifier: MIT
// Who wants to know, while a walk still goes backward, which gradients of parameters are final.
#pragma once

namespace chainerxx {
class Function;
}

namespace chainerxx::internal {

/// Told of the walks of Variable::backward in its thread, but not of gradients of gradients. Walks
/// within a function's backward are not told of: what they add is there when that function is done.
/// Only prepare() is called in all walks that add to the gradients of parameters.
class BackwardObserver {
 public:
  virtual ~BackwardObserver() = default;
  /// A walk begins. For each function that it can reach, counts come first.
  virtual void begin() = 0;
  virtual void reach(Function& f) = 0;
  /// The walk has begun to run; then the functions follow.
  virtual void start() = 0;
  /// A function is going to add to the gradients of its parameters, whose arrays may be put in.
  virtual void prepare(Function& f) = 0;
  /// A function has added to the gradients of its parameters. Not all that were reached need come.
  virtual void finish(Function& f) = 0;
  /// The walk is over.
  virtual void end() = 0;
  /// The walk has ended with an exception.
  virtual void fail() noexcept = 0;
};

/// From now on told of walks of this thread, after earlier ones.
void add_backward_observer(BackwardObserver* observer);
void remove_backward_observer(BackwardObserver* observer) noexcept;

}  // namespace chainerxx::internal
