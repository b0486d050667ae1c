// SPDX-License-Identifier: MIT
// Parameters of layers whose gradients grad() gives as values: no variable stands for them in the
// graph, so that the functions that own them hand in what they would add to gW.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Those among the inputs of grad(), while it runs on this thread; none where nothing is wanted.
class WantedParameters {
 public:
  explicit WantedParameters(const std::vector<Variable>& inputs);
  ~WantedParameters();
  WantedParameters(const WantedParameters&) = delete;
  WantedParameters& operator=(const WantedParameters&) = delete;

  /// What is wanted on this thread; null where that is nothing.
  static WantedParameters* current();

  /// Whether a function has a wanted parameter, or may meet one when it runs again.
  bool may_concern(Function& f) const;
  /// Whether the parameter is wanted whose gradient stands in an array.
  bool contains(const ndarray& gradient) const { return find(gradient) != nullptr; }
  /// Adds a gradient to that of a wanted parameter; nothing for others.
  void add(const ndarray& gradient, const Variable& g);
  /// Adds what functions handed in to the gradients of the inputs. Those that are the same
  /// parameter have one gradient.
  void complete(const std::vector<Variable>& inputs, std::vector<Variable>& results) const;

 private:
  struct Entry {
    ndarray gradient;  // the array beside the parameter
    Variable sum;
  };
  const Entry* find(const ndarray& gradient) const;

  std::vector<Entry> entries_;
  WantedParameters* outer_;
};

}  // namespace chainerxx::internal
