// SPDX-License-Identifier: MIT
// Trades time for memory: results between the inputs and the outputs of a part of a network are not
// kept for backward, but computed again.
//
//   Variable y = F::forget([&](const Variable& h) { return block(h); }, x);
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace internal {

/// A part of a network.
class CUPYXX_API Forgettable {
 public:
  virtual ~Forgettable();
  virtual std::vector<Variable> run(const std::vector<Variable>& inputs) const = 0;
};

CUPYXX_API std::vector<Variable> forget(std::shared_ptr<const Forgettable> f, VariableSpan inputs);

template <class F, class Run>
class ForgettableOf final : public Forgettable {
 public:
  ForgettableOf(F f, Run run) : f_(std::move(f)), run_(run) {}
  std::vector<Variable> run(const std::vector<Variable>& inputs) const override {
    return run_(f_, inputs);
  }

 private:
  mutable F f_;  // functions that count or draw change themselves
  Run run_;
};

inline std::vector<Variable> listed(const Variable& y) { return {y}; }
inline std::vector<Variable> listed(const std::vector<Variable>& ys) { return ys; }
template <std::size_t kCount>
std::vector<Variable> listed(const std::array<Variable, kCount>& ys) {
  return {ys.begin(), ys.end()};
}

/// A list in the form that a callable gives its results.
template <class Result>
Result shaped(std::vector<Variable> list) {
  if constexpr (std::same_as<Result, Variable>) {
    return std::move(list.at(0));
  } else if constexpr (std::same_as<Result, std::vector<Variable>>) {
    return list;
  } else {
    Result array;
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = std::move(list.at(i));
    return array;
  }
}

template <class F, class Run>
auto make_forgettable(F f, Run run) {
  return std::make_shared<const ForgettableOf<F, Run>>(std::move(f), run);
}

}  // namespace internal

namespace functions {

/// fn(inputs...), where fn returns a variable, an array or a vector of them; results and gradients
/// are the same bit for bit. fn runs without leaving a graph behind, and once more when backward
/// needs it, with the random numbers of the default streams of all devices and the TrainScope of
/// the first time; running statistics of batch normalisation are not updated again
/// (is_recomputing()). A copy of fn is kept with the graph; what it refers to must outlive that. It
/// must compute from its inputs and parameters only. Throws ValueError in backward when it then
/// gives other shapes.
template <class F, internal::AsVariable... Inputs>
requires std::invocable<F&, decltype(static_cast<const Variable&>(std::declval<Inputs>()))...>
auto forget(F fn, const Inputs&... inputs) {
  using Result = std::remove_cvref_t<
      std::invoke_result_t<F&, decltype(static_cast<const Variable&>(std::declval<Inputs>()))...>>;
  const std::array<Variable, sizeof...(Inputs)> list{inputs...};
  const auto run = [](F& f, const std::vector<Variable>& v) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return internal::listed(f(v[I]...)); }
    (std::index_sequence_for<Inputs...>());
  };
  return internal::shaped<Result>(
      internal::forget(internal::make_forgettable(std::move(fn), run), list));
}

/// The same for a function of a list.
template <class F>
requires std::invocable < F&, const std::vector<Variable>
& > auto forget(F fn, const std::vector<Variable>& inputs) {
  using Result = std::remove_cvref_t<std::invoke_result_t<F&, const std::vector<Variable>&>>;
  const auto run = [](F& f, const std::vector<Variable>& v) { return internal::listed(f(v)); };
  return internal::shaped<Result>(
      internal::forget(internal::make_forgettable(std::move(fn), run), inputs));
}

}  // namespace functions
}  // namespace chainerxx
