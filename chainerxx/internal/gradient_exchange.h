// SPDX-License-Identifier: MIT
// Where each rank has a part of the gradients: what an optimizer that works on its part must know
// of the others. In a captured graph the exchange is part of the graph.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

class GradientExchange {
 public:
  virtual ~GradientExchange() = default;
  /// The sum of the ranks' numbers, in their order.
  virtual double sum(double own) = 0;
  /// The ranks' numbers in their order, of a float64 on a device. The array is the same each time.
  virtual cupyxx::ndarray gather(const cupyxx::ndarray& own) = 0;
  /// Each rank's element becomes the largest of all.
  virtual void take_largest(const cupyxx::ndarray& own) = 0;

  /// That of this thread; null where gradients are whole.
  static GradientExchange* current();
};

/// While an object lives, optimizers of this thread work for a rank: they have a part of the
/// gradients, unless the exchange is null, and may be without parameters.
class GradientExchangeScope {
 public:
  explicit GradientExchangeScope(GradientExchange* exchange);
  ~GradientExchangeScope();
  GradientExchangeScope(const GradientExchangeScope&) = delete;
  GradientExchangeScope& operator=(const GradientExchangeScope&) = delete;

  static bool is_open();

 private:
  GradientExchange* outer_;
};

}  // namespace chainerxx::internal
