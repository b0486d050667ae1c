// SPDX-License-Identifier: MIT
// Functions and sets by number.
//
//   struct Tower : chainerxx::ChainList {
//     explicit Tower(int depth) {
//       for (int i = 0; i < depth; ++i) add_link(F::Linear(64, 64));
//     }
//     Variable operator()(Variable h) {
//       for (std::int64_t i = 0; i < size(); ++i) h = F::relu((*this)[i](h));
//       return h;
//     }
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "chainerxx/function_set.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// The later name of FunctionSet in Chainer.
using Chain = FunctionSet;

/// A FunctionSet whose children are named "0", "1", ... in the order they were added.
class CUPYXX_API ChainList : public FunctionSet {
 public:
  ChainList() = default;
  /// Takes functions over, in their order.
  template <std::derived_from<Function>... F>
  requires(sizeof...(F) > 0) explicit ChainList(F... functions) {
    (add_link(std::move(functions)), ...);
  }

  /// Takes a function over as the last one, and returns it where it now lives.
  template <std::derived_from<Function> F>
  F& add_link(F function) {
    return add(std::to_string(size()), std::move(function));
  }
  /// Makes a set inside this one: `add_link<Block>(arguments...)`.
  template <std::derived_from<FunctionSet> Set, class... Args>
  Set& add_link(Args&&... args) {
    return add<Set>(std::to_string(size()), std::forward<Args>(args)...);
  }

  /// How many functions and sets there are.
  std::int64_t size() const { return static_cast<std::int64_t>(names().size()); }
  /// The function of a number; negative ones count from the end. Throws IndexError where there is
  /// none, and for a set.
  Function& operator[](std::int64_t index);
  /// The set of a number.
  FunctionSet& set(std::int64_t index);
  using FunctionSet::operator[];
  using FunctionSet::set;

 private:
  std::string name_at(std::int64_t index) const;
};

}  // namespace chainerxx
