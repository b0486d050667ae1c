// SPDX-License-Identifier: MIT
// Fully connected layers with more than one product.
#pragma once

#include <concepts>
#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/activation/activation_arg.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of Highway, in Chainer's order.
struct HighwayOptions {
  bool nobias = false;
  ActivationArg activate = {};  ///< relu by default
  initializers::Initial init_Wh = {};
  initializers::Initial init_Wt = {};
  initializers::Initial init_bh = {};
  initializers::Initial init_bt = -1;  ///< so that x passes at first
};

/// A layer that learns how much of its input it changes (Srivastava et al., 2015):
/// t activate(plain(x)) + (1 - t) x with t = sigmoid(transform(x)).
class CUPYXX_API Highway final : public FunctionSet {
 public:
  explicit Highway(std::int64_t in_out_size, const HighwayOptions& options = {});
  /// In Chainer's order.
  template <std::same_as<bool> B>
  Highway(std::int64_t in_out_size, B nobias, const ActivationArg& activate = {},
          const initializers::Initial& init_Wh = {}, const initializers::Initial& init_Wt = {},
          const initializers::Initial& init_bh = {}, const initializers::Initial& init_bt = -1)
      : Highway(in_out_size, HighwayOptions{nobias, activate, init_Wh, init_Wt, init_bh, init_bt}) {
  }

  Linear& plain;      ///< (size, size)
  Linear& transform;  ///< (size, size)

  /// From x (n, size) in the same shape.
  Variable operator()(const Variable& x);

 private:
  ActivationArg activate_;
};

/// The largest of `pool_size` linear functions for each output (Goodfellow et al., 2013).
class CUPYXX_API Maxout final : public FunctionSet {
 public:
  /// Throws ValueError for a pool without functions.
  Maxout(const InputSize& in_size, std::int64_t out_size, std::int64_t pool_size);

  Linear& linear;  ///< (out pool_size, in), those of one output behind each other

  /// From x (n, in) to (n, out).
  Variable operator()(const Variable& x);

 private:
  int pool_size_;
};

}  // namespace chainerxx::functions
