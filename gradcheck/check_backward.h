// SPDX-License-Identifier: MIT
// Compares the gradients of backpropagation with finite differences, for any type of variable.
//
//   gradcheck::check_backward([](const Variable& v) { return F::tanh(v); }, {x}, gy, {.eps =
//   1e-3});
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"
#include "gradcheck/array_list.h"
#include "gradcheck/mismatch.h"

namespace gradcheck {

/// A node of a graph, made from an array: it has data and a gradient, and goes backward from there.
template <class V>
concept Differentiable = std::constructible_from<V, const cupyxx::ndarray&> &&
    requires(V& v, const V& c, const cupyxx::ndarray& a) {
  { c.data() } -> std::convertible_to<cupyxx::ndarray>;
  { c.grad() } -> std::convertible_to<cupyxx::ndarray>;
  v.set_grad(a);
  v.backward();
};

/// Options of check_backward.
struct CheckBackwardOptions {
  double eps = 1e-3;   ///< step of the differences
  double atol = 1e-5;  ///< gradients g and differences d must fulfil |g - d| <= atol + rtol * |d|
  double rtol = 1e-4;
  /// Takes the differences on float64 copies of inputs, whose rounding then does not matter;
  /// for functions that accept float64 whatever the dtype of their inputs.
  bool float64 = false;
  /// Arrays inside the function, to be checked as the inputs are: changed in place and restored.
  ArrayList parameters = {};
  /// For each parameter the array in which backward accumulates its gradient.
  ArrayList gradients = {};
  /// Inputs (by number) without a gradient. Inputs that are not floating have none anyway.
  std::vector<int> no_grad = {};
};

namespace internal {

/// What check_backward needs of a function of variables.
class CUPYXX_API Graph {
 public:
  virtual ~Graph();
  /// Computes outputs from fresh variables, which the other functions then speak of.
  virtual std::vector<cupyxx::ndarray> forward(const std::vector<cupyxx::ndarray>& inputs) = 0;
  /// Whether one function made all outputs, so that one backward serves them all.
  virtual bool has_one_creator() const = 0;
  virtual void set_grad(std::size_t output, const cupyxx::ndarray& gy) = 0;
  virtual void backward(std::size_t output) = 0;
  /// The gradient of an input, null where none arrived.
  virtual cupyxx::ndarray grad(std::size_t input) const = 0;
};

CUPYXX_API void check_backward(Graph& graph, const ArrayList& inputs, const ArrayList& grad_outputs,
                               const CheckBackwardOptions& options);

// The type of variable that a callable takes: its first argument, or that of the range it takes.
template <class T>
struct VariableIn {
  using type = T;
};
template <class T>
requires requires { typename T::value_type; }
struct VariableIn<T> {
  using type = std::remove_cvref_t<typename T::value_type>;
};

template <class F>
struct Signature {};
template <class F>
requires requires { &F::operator(); }
struct Signature<F> : Signature<decltype(&F::operator())> {};
// Functions with several call operators, one of which takes a vector.
template <class F>
requires(
    !requires { &F::operator(); } && requires { typename F::variable_type; }) struct Signature<F> {
  static constexpr int kArity = 0;
  static constexpr bool kTakesRange = true;
  using Variable = typename F::variable_type;
};
template <class R, class First, class... Rest>
struct Signature<R (*)(First, Rest...)> {
  static constexpr int kArity = 1 + sizeof...(Rest);
  static constexpr bool kTakesRange = requires { typename std::remove_cvref_t<First>::value_type; };
  using Variable = typename VariableIn<std::remove_cvref_t<First>>::type;
};
template <class R, class... Args>
struct Signature<R(Args...)> : Signature<R (*)(Args...)> {};
template <class C, class R, class... Args>
struct Signature<R (C::*)(Args...)> : Signature<R (*)(Args...)> {};
template <class C, class R, class... Args>
struct Signature<R (C::*)(Args...) const> : Signature<R (*)(Args...)> {};
template <class C, class R, class... Args>
struct Signature<R (C::*)(Args...) noexcept> : Signature<R (*)(Args...)> {};
template <class C, class R, class... Args>
struct Signature<R (C::*)(Args...) const noexcept> : Signature<R (*)(Args...)> {};

[[noreturn]] CUPYXX_API void throw_arity(std::size_t inputs);

template <class V, std::size_t>
using Same = V;

template <class F, class V, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::invocable<F&, const Same<V, I>&...>;
}

/// A callable of variables V, called with as many as it takes.
template <class V, class F>
class GraphOf final : public Graph {
 public:
  explicit GraphOf(F& f) : f_(f) {}

  std::vector<cupyxx::ndarray> forward(const std::vector<cupyxx::ndarray>& inputs) override {
    xs_.clear();
    ys_.clear();
    for (const cupyxx::ndarray& x : inputs) xs_.push_back(V(x));
    call();
    std::vector<cupyxx::ndarray> outputs;
    for (const V& y : ys_) outputs.push_back(y.data());
    return outputs;
  }
  bool has_one_creator() const override {
    if constexpr (requires(const V& v) { v.creator() == v.creator(); }) {
      // Without a creator an output is an input, perhaps the same as another.
      if constexpr (requires(const V& v) { v.creator() == nullptr; }) {
        if (ys_.size() > 1 && ys_[0].creator() == nullptr) return false;
      }
      for (const V& y : ys_) {
        if (!(y.creator() == ys_[0].creator())) return false;
      }
      return true;
    }
    return false;
  }
  void set_grad(std::size_t output, const cupyxx::ndarray& gy) override {
    ys_[output].set_grad(gy);
  }
  void backward(std::size_t output) override { ys_[output].backward(); }
  cupyxx::ndarray grad(std::size_t input) const override { return xs_[input].grad(); }

 private:
  static constexpr std::size_t kMaxInputs = 8;

  template <class Result>
  void keep(const Result& result) {
    for_each_result<V>(result, [&](const V& y) { ys_.push_back(y); });
  }

  void call() {
    using Its = Signature<std::remove_cv_t<F>>;
    if constexpr (requires { Its::kArity; }) {
      if constexpr (Its::kTakesRange) {
        keep(f_(xs_));
      } else {
        constexpr std::size_t kArity = Its::kArity;
        if (xs_.size() != kArity) throw_arity(xs_.size());
        call_with(std::make_index_sequence<kArity>());
      }
    } else {
      call_one_of(std::make_index_sequence<kMaxInputs>());
    }
  }

  template <std::size_t... I>
  void call_with(std::index_sequence<I...>) {
    keep(f_(static_cast<const V&>(xs_[I])...));
  }

  // For generic callables: those numbers of arguments that compile.
  template <std::size_t... N>
  void call_one_of(std::index_sequence<N...>) {
    if (!(try_call<N + 1>() || ...)) throw_arity(xs_.size());
  }
  template <std::size_t N>
  bool try_call() {
    if constexpr (takes<F, V>(std::make_index_sequence<N>())) {
      if (xs_.size() != N) return false;
      call_with(std::make_index_sequence<N>());
      return true;
    }
    return false;
  }

  F& f_;
  std::vector<V> xs_;
  std::vector<V> ys_;
};

}  // namespace internal

/// Throws Mismatch unless the gradients that backpropagation through `f` gives agree with finite
/// differences, for every element of every input and parameter. `f` takes variables, one for each
/// input, or a vector or span of them, and returns one or several. Each output that is not a scalar
/// needs its gradient in `grad_outputs`; a null one leaves its output out.
///
/// What compares nothing is no proof: a ValueError where all gradients of outputs are null, or no
/// input is floating and there are no parameters, a Mismatch where an element is NaN by
/// backpropagation and by differences. An input that is None is a TypeError.
///
/// If several functions made the outputs, backward runs from each of them. Also throws
/// Mismatch when f changes its inputs. Inputs and gradients of outputs are copied, parameters
/// changed in place and restored. The type of variable is that of f's first argument, or
/// `variable_type` where f's class says so and its objects take a vector:
/// `check_backward(MyFunction(), x, gy)`.
template <class F>
requires Differentiable<typename internal::Signature<std::remove_cvref_t<F>>::Variable>
void check_backward(F&& f, const ArrayList& inputs, const ArrayList& grad_outputs = {},
                    const CheckBackwardOptions& options = {}) {
  using Callable = std::remove_reference_t<F>;
  using V = typename internal::Signature<std::remove_cvref_t<F>>::Variable;
  internal::GraphOf<V, Callable> graph(f);
  internal::check_backward(graph, inputs, grad_outputs, options);
}

// Callables that are generic do not say what they take.
template <class F>
requires(!requires {
  typename internal::Signature<std::remove_cvref_t<F>>::Variable;
}) void check_backward(F&&, const ArrayList&, const ArrayList& = {},
                       const CheckBackwardOptions& = {}) {
  static_assert(sizeof(F) == 0,
                "a generic lambda does not say what it takes: write [](const Variable& x), or "
                "check_backward<Variable>(f, inputs, gradients)");
}

// `check_backward(f, x, gy, {W, b})` does not compile: of arrays the numbers of options would be
// made.
template <class F, std::derived_from<cupyxx::ndarray> A>
void check_backward(F&&, const ArrayList&, const ArrayList&, std::initializer_list<A>) {
  static_assert(sizeof(A) == 0,
                "write {.parameters = {W, b}, .gradients = {gW, gb}} behind the gradients");
}

/// The same for callables with generic or several call operators: `check_backward<Variable>(f, x)`.
/// Up to eight inputs.
template <Differentiable V, class F>
void check_backward(F&& f, const ArrayList& inputs, const ArrayList& grad_outputs = {},
                    const CheckBackwardOptions& options = {}) {
  internal::GraphOf<V, std::remove_reference_t<F>> graph(f);
  internal::check_backward(graph, inputs, grad_outputs, options);
}

}  // namespace gradcheck
