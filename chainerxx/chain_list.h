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
#include <type_traits>
#include <utility>

#include "chainerxx/function_set.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// The later name of FunctionSet in Chainer.
using Chain = FunctionSet;
/// One of few layers, or of parameters alone.
using Link = FunctionSet;

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

  /// add_link() as lists of later Chainer call it.
  template <class Child>
  decltype(auto) append(Child&& child) {
    return add_link(std::forward<Child>(child));
  }

  using FunctionSet::add_link;
  /// Takes a set over as the last one.
  template <class Set>
  requires std::derived_from<std::remove_cvref_t<Set>, FunctionSet> std::remove_cvref_t<Set>
  &add_link(Set&& set) { return add(std::to_string(size()), std::forward<Set>(set)); }

  /// How many functions and sets there are.
  std::int64_t size() const { return static_cast<std::int64_t>(names().size()); }
  /// The function of a number; negative ones count from the end. Throws IndexError where there is
  /// none, and for a set.
  Function& operator[](std::int64_t index);
  /// The set of a number.
  FunctionSet& set(std::int64_t index);
  using FunctionSet::operator[];
  using FunctionSet::set;

  /// Goes through the functions: `for (Function& layer : list) h = layer(h);`. One that comes to a
  /// set throws IndexError.
  class Each {
   public:
    Each(ChainList* list, std::int64_t index) : list_(list), index_(index) {}
    bool operator!=(const Each& other) const { return index_ != other.index_; }
    void operator++() { ++index_; }
    Function& operator*() const { return (*list_)[index_]; }

   private:
    ChainList* list_;
    std::int64_t index_;
  };
  Each begin() { return Each(this, 0); }
  Each end() { return Each(this, size()); }

 private:
  std::string name_at(std::int64_t index) const;
};

}  // namespace chainerxx
