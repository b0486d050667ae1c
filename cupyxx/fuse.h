// SPDX-License-Identifier: MIT
// Several elementwise operations as one pass over memory.
//
//   const auto hypotenuse = cupyxx::fuse([](auto x, auto y) { return cupyxx::sqrt(x * x + y * y);
//   }); auto z = hypotenuse(a, b);                     // one kernel, no intermediate array
//   std::cout << hypotenuse.plan(a, b);            // what runs
//
// The function is called with stand-ins for the arguments, once for each combination of their
// dtypes (numbers stay weak, and beside floating arrays what operators make of numbers alone), and
// what it does with them is recorded. It may use operators, all elementwise operations, `where`,
// `clip`, `astype`, C++ numbers, other fused functions, and at the end one of `sum`, `prod`,
// `mean`, `amax`, `amin`. It must not depend on anything that changes: arrays and numbers that vary
// are arguments. Anything else is refused with a ValueError or TypeError that names the operation;
// `if` on an element is one.
//
// Results have the dtypes and the bits of the same operations called one after the other on the
// same device; a sum, product or mean at the end may round otherwise on a CUDA device.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/core/shared.h"
#include "cupyxx/export.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

class FusedArray;
class FusedOperand;

namespace internal::fusion {

class Recorder;
class Program;

/// Adds an operation to what its operands belong to; as many results as `out` takes.
CUPYXX_API void record(const ufunc& f, std::span<const FusedOperand* const> inputs,
                       std::span<FusedArray> out);
CUPYXX_API FusedArray record_cast(const FusedArray& x, cupyxx::dtype type);
CUPYXX_API FusedArray record_where(const FusedOperand& condition, const FusedOperand& x,
                                   const FusedOperand& y);
CUPYXX_API FusedArray record_clip(const FusedOperand& x, const FusedOperand& low,
                                  const FusedOperand& high);

/// Throws: `operation` is not elementwise.
[[noreturn]] CUPYXX_API void refuse(const char* operation);
/// Throws: an option of `operation` that cannot be fused.
[[noreturn]] CUPYXX_API void refuse_options(const char* operation);

}  // namespace internal::fusion

/// Stands for an array while a fused function is recorded.
class CUPYXX_API FusedArray {
 public:
  FusedArray() = default;
  FusedArray(internal::Shared<internal::fusion::Recorder> recorder, int value)
      : recorder_(std::move(recorder)), value_(value) {}

  cupyxx::dtype dtype() const;
  FusedArray astype(cupyxx::dtype type) const { return internal::fusion::record_cast(*this, type); }
  FusedArray clip(const FusedOperand& low, const FusedOperand& high) const;

  // Reductions end what can be fused.
  FusedArray sum(const Axes& axes = {}, const SumOptions& options = {}) const;
  FusedArray prod(const Axes& axes = {}, const SumOptions& options = {}) const;
  FusedArray mean(const Axes& axes = {}, const MeanOptions& options = {}) const;
  FusedArray max(const Axes& axes = {}, const MaxOptions& options = {}) const;
  FusedArray min(const Axes& axes = {}, const MaxOptions& options = {}) const;

  // Refused: these need the array itself.
  explicit operator bool() const { internal::fusion::refuse("the truth value of an element"); }
  int ndim() const { internal::fusion::refuse("ndim"); }
  std::int64_t size() const { internal::fusion::refuse("size"); }
  Shape shape() const { internal::fusion::refuse("shape"); }
  Device device() const { internal::fusion::refuse("device"); }
  FusedArray T() const { internal::fusion::refuse("transpose"); }
#define CUPYXX_REFUSE(name)                                                 \
  template <class... A>                                                     \
  FusedArray name(const A&...) const {                                      \
    internal::fusion::refuse(#name);                                        \
  }                                                                         \
  template <class... A>                                                     \
  FusedArray name(std::initializer_list<std::int64_t>, const A&...) const { \
    internal::fusion::refuse(#name);                                        \
  }
  CUPYXX_REFUSE(reshape)
  CUPYXX_REFUSE(transpose)
  CUPYXX_REFUSE(swapaxes)
  CUPYXX_REFUSE(ravel)
  CUPYXX_REFUSE(flatten)
  CUPYXX_REFUSE(squeeze)
  CUPYXX_REFUSE(take)
  CUPYXX_REFUSE(diagonal)
  CUPYXX_REFUSE(dot)
  CUPYXX_REFUSE(trace)
  CUPYXX_REFUSE(var)
  CUPYXX_REFUSE(std)
  CUPYXX_REFUSE(all)
  CUPYXX_REFUSE(any)
  CUPYXX_REFUSE(argmax)
  CUPYXX_REFUSE(argmin)
  CUPYXX_REFUSE(copy)
  CUPYXX_REFUSE(fill)
  CUPYXX_REFUSE(to)
  CUPYXX_REFUSE(tolist)
#undef CUPYXX_REFUSE
  template <class T = double>
  T item() const {
    internal::fusion::refuse("item");
  }
  template <class... I>
  FusedArray operator()(const I&...) const {
    internal::fusion::refuse("indexing");
  }

  const internal::Shared<internal::fusion::Recorder>& recorder() const { return recorder_; }
  int value() const { return value_; }

 private:
  internal::Shared<internal::fusion::Recorder> recorder_;
  int value_ = -1;
};

template <>
inline constexpr bool internal::is_recorded<FusedArray> = true;

/// A stand-in or a C++ number in a recorded operation.
class FusedOperand {
 public:
  FusedOperand(const FusedArray& array) : array_(array) {}  // NOLINT(google-explicit-constructor)
  FusedOperand(const Scalar& number) : number_(number) {}   // NOLINT(google-explicit-constructor)
  template <class T>
  requires std::is_arithmetic_v<T> FusedOperand(T number)
      : number_(number) {}                            // NOLINT(google-explicit-constructor)
  FusedOperand(half number) : number_(number) {}      // NOLINT(google-explicit-constructor)
  FusedOperand(bfloat16 number) : number_(number) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  requires internal::ComplexLike<T> FusedOperand(const T& number)
      : number_(number) {}  // NOLINT(google-explicit-constructor)
  /// Throws: arrays are arguments.
  FusedOperand(const ndarray&) { internal::fusion::refuse("an array that is not an argument"); }

  bool is_array() const { return array_.recorder() != nullptr; }
  const FusedArray& array() const { return array_; }
  const Scalar& number() const { return number_; }

 private:
  FusedArray array_;
  Scalar number_;
};

// What the ufunc objects call for stand-ins.
CUPYXX_API FusedArray record_fused(const ufunc& f, const FusedOperand& x);
CUPYXX_API FusedArray record_fused(const ufunc& f, const FusedOperand& x, const FusedOperand& y);
CUPYXX_API std::array<FusedArray, 2> record_fused_pair(const ufunc& f, const FusedOperand& x);
CUPYXX_API std::array<FusedArray, 2> record_fused_pair(const ufunc& f, const FusedOperand& x,
                                                       const FusedOperand& y);

#define CUPYXX_FUSED_OPERATOR(op, function)                                              \
  inline FusedArray operator op(const FusedArray& x, const FusedArray& y) {              \
    return record_fused(function, x, y);                                                 \
  }                                                                                      \
  template <class Number>                                                                \
  requires(!internal::is_recorded<Number>) FusedArray operator op(const FusedArray& x,   \
                                                                  const Number& y) {     \
    return record_fused(function, x, y);                                                 \
  }                                                                                      \
  template <class Number>                                                                \
  requires(!internal::is_recorded<Number>) FusedArray operator op(const Number& x,       \
                                                                  const FusedArray& y) { \
    return record_fused(function, x, y);                                                 \
  }
CUPYXX_FUSED_OPERATOR(+, add)
CUPYXX_FUSED_OPERATOR(-, subtract)
CUPYXX_FUSED_OPERATOR(*, multiply)
CUPYXX_FUSED_OPERATOR(/, true_divide)
CUPYXX_FUSED_OPERATOR(%, remainder)
CUPYXX_FUSED_OPERATOR(<<, left_shift)
CUPYXX_FUSED_OPERATOR(>>, right_shift)
CUPYXX_FUSED_OPERATOR(&, bitwise_and)
CUPYXX_FUSED_OPERATOR(|, bitwise_or)
CUPYXX_FUSED_OPERATOR(^, bitwise_xor)
CUPYXX_FUSED_OPERATOR(<, less)
CUPYXX_FUSED_OPERATOR(<=, less_equal)
CUPYXX_FUSED_OPERATOR(>, greater)
CUPYXX_FUSED_OPERATOR(>=, greater_equal)
CUPYXX_FUSED_OPERATOR(==, equal)
CUPYXX_FUSED_OPERATOR(!=, not_equal)
#undef CUPYXX_FUSED_OPERATOR
/// `-x`, `+x`, `~x` of what a fused function is given.
inline FusedArray operator-(const FusedArray& x) { return record_fused(negative, x); }
inline FusedArray operator+(const FusedArray& x) { return record_fused(positive, x); }
inline FusedArray operator~(const FusedArray& x) { return record_fused(invert, x); }

#define CUPYXX_REFUSE(op)                            \
  template <class T>                                 \
  FusedArray& operator op(FusedArray& x, const T&) { \
    internal::fusion::refuse(#op " in place");       \
    return x;                                        \
  }
CUPYXX_REFUSE(+=)
CUPYXX_REFUSE(-=)
CUPYXX_REFUSE(*=)
CUPYXX_REFUSE(/=)
CUPYXX_REFUSE(%=)
CUPYXX_REFUSE(&=)
CUPYXX_REFUSE(|=)
CUPYXX_REFUSE(^=)
#undef CUPYXX_REFUSE

/// See indexing.h.
template <class C, class X, class Y>
requires internal::Recorded<C, X, Y> FusedArray where(const C& condition, const X& x, const Y& y) {
  return internal::fusion::record_where(condition, x, y);
}
template <class A, class X, class Y>
requires internal::Recorded<A, X, Y> FusedArray clip(const A& a, const X& low, const Y& high) {
  return internal::fusion::record_clip(a, low, high);
}
inline FusedArray FusedArray::clip(const FusedOperand& low, const FusedOperand& high) const {
  return internal::fusion::record_clip(*this, low, high);
}

/// See reduction.h; only `keepdims` of the options.
inline FusedArray sum(const FusedArray& a, const Axes& axes = {}, const SumOptions& options = {}) {
  return a.sum(axes, options);
}
inline FusedArray prod(const FusedArray& a, const Axes& axes = {}, const SumOptions& options = {}) {
  return a.prod(axes, options);
}
inline FusedArray mean(const FusedArray& a, const Axes& axes = {},
                       const MeanOptions& options = {}) {
  return a.mean(axes, options);
}
inline FusedArray amax(const FusedArray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return a.max(axes, options);
}
inline FusedArray amin(const FusedArray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return a.min(axes, options);
}

// Routines that look at more than one element, so that a fused function gives a reason.
#define CUPYXX_REFUSE(name)                                                        \
  template <class X, class... A>                                                   \
  requires internal::Recorded<X, A...> FusedArray name(const X&, const A&...) {    \
    internal::fusion::refuse(#name);                                               \
  }                                                                                \
  inline FusedArray name(const FusedArray&, std::initializer_list<std::int64_t>) { \
    internal::fusion::refuse(#name);                                               \
  }
CUPYXX_REFUSE(dot)
CUPYXX_REFUSE(matmul)
CUPYXX_REFUSE(vdot)
CUPYXX_REFUSE(inner)
CUPYXX_REFUSE(outer)
CUPYXX_REFUSE(tensordot)
CUPYXX_REFUSE(trace)
CUPYXX_REFUSE(reshape)
CUPYXX_REFUSE(ravel)
CUPYXX_REFUSE(transpose)
CUPYXX_REFUSE(swapaxes)
CUPYXX_REFUSE(expand_dims)
CUPYXX_REFUSE(squeeze)
CUPYXX_REFUSE(broadcast_to)
CUPYXX_REFUSE(take)
CUPYXX_REFUSE(diagonal)
CUPYXX_REFUSE(sort)
CUPYXX_REFUSE(argsort)
CUPYXX_REFUSE(unique)
CUPYXX_REFUSE(cumsum)
CUPYXX_REFUSE(cumprod)
CUPYXX_REFUSE(diff)
CUPYXX_REFUSE(median)
CUPYXX_REFUSE(var)
CUPYXX_REFUSE(std)
CUPYXX_REFUSE(all)
CUPYXX_REFUSE(any)
CUPYXX_REFUSE(argmax)
CUPYXX_REFUSE(argmin)
CUPYXX_REFUSE(count_nonzero)
CUPYXX_REFUSE(zeros_like)
CUPYXX_REFUSE(ones_like)
CUPYXX_REFUSE(empty_like)
CUPYXX_REFUSE(full_like)
#undef CUPYXX_REFUSE

namespace internal::fusion {

/// Calls a user's function with stand-ins.
using TraceFunction = std::vector<FusedArray> (*)(const void* function,
                                                  std::span<const FusedArray> stand_ins);

CUPYXX_API Shared<Program> make_program(std::string_view name);
CUPYXX_API std::vector<ndarray> call(Program& program, std::span<const Operand> arguments,
                                     TraceFunction trace, const void* function);
CUPYXX_API std::string plan(Program& program, std::span<const Operand> arguments,
                            TraceFunction trace, const void* function);

/// What a fused function may return, and what a call makes of it.
template <class T>
struct ResultOf {
  static constexpr bool kKnown = false;
  using type = ndarray;
};
template <>
struct ResultOf<FusedArray> {
  static constexpr bool kKnown = true;
  using type = ndarray;
};
template <std::size_t kCount>
struct ResultOf<std::array<FusedArray, kCount>> {
  static constexpr bool kKnown = true;
  using type = std::array<ndarray, kCount>;
};
template <std::same_as<FusedArray>... T>
struct ResultOf<std::tuple<T...>> {
  static constexpr bool kKnown = true;
  using type = std::tuple<std::conditional_t<true, ndarray, T>...>;
};
template <>
struct ResultOf<std::pair<FusedArray, FusedArray>> {
  static constexpr bool kKnown = true;
  using type = std::pair<ndarray, ndarray>;
};

template <class T>
using StandIn = FusedArray;

}  // namespace internal::fusion

/// A function whose operations run together; made by fuse(). Copies share what was recorded;
/// threads may call one at the same time.
template <class Function>
class FusedFunction {
 public:
  FusedFunction(Function function, std::string_view name)
      : function_(std::move(function)), program_(internal::fusion::make_program(name)) {}

  /// Calls it with arrays and numbers; an ndarray, or a std::array, tuple or pair of them.
  template <class... A>
  auto operator()(const A&... arguments) const {
    if constexpr (internal::Recorded<A...>) {
      return function_(arguments...);  // part of another fused function
    } else {
      static_assert(std::is_invocable_v<const Function&, internal::fusion::StandIn<A>...>,
                    "the fused function takes another number of arguments");
      const Operand list[sizeof...(A) + 1] = {Operand(arguments)..., Operand()};
      std::vector<ndarray> results =
          internal::fusion::call(*program_, {list, sizeof...(A)}, &trace<A...>, &function_);
      using Result = std::invoke_result_t<const Function&, internal::fusion::StandIn<A>...>;
      using Returned = typename internal::fusion::ResultOf<Result>::type;
      if constexpr (std::is_same_v<Returned, ndarray>) {
        return std::move(results.front());
      } else {
        Returned all;
        std::size_t k = 0;
        std::apply([&](auto&... result) { ((result = std::move(results[k++])), ...); }, all);
        return all;
      }
    }
  }

  /// What a call with these arguments would run: each operation with its dtypes, and how.
  template <class... A>
  std::string plan(const A&... arguments) const {
    const Operand list[sizeof...(A) + 1] = {Operand(arguments)..., Operand()};
    return internal::fusion::plan(*program_, {list, sizeof...(A)}, &trace<A...>, &function_);
  }

 private:
  template <class... A>
  static std::vector<FusedArray> trace(const void* function, std::span<const FusedArray> x) {
    return trace_with<A...>(*static_cast<const Function*>(function), x,
                            std::index_sequence_for<A...>{});
  }
  template <class... A, std::size_t... kIndex>
  static std::vector<FusedArray> trace_with(const Function& function, std::span<const FusedArray> x,
                                            std::index_sequence<kIndex...>) {
    using Result = std::invoke_result_t<const Function&, internal::fusion::StandIn<A>...>;
    static_assert(internal::fusion::ResultOf<Result>::kKnown,
                  "a fused function returns one result of its operations, or a std::array, tuple "
                  "or pair of them");
    if constexpr (std::is_same_v<Result, FusedArray>) {
      return {function(x[kIndex]...)};
    } else if constexpr (internal::fusion::ResultOf<Result>::kKnown) {
      return std::apply([](const auto&... result) { return std::vector<FusedArray>{result...}; },
                        function(x[kIndex]...));
    } else {
      return {};
    }
  }

  Function function_;
  internal::Shared<internal::fusion::Program> program_;
};

/// A function of arrays and numbers whose operations run in one pass. `name` is for messages and
/// profilers.
template <class Function>
FusedFunction<Function> fuse(Function function, std::string_view name = "fused") {
  return {std::move(function), name};
}

}  // namespace cupyxx
