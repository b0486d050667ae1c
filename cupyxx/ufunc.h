// SPDX-License-Identifier: MIT
// Universal functions: elementwise operations as objects, as in NumPy.
//
//   auto c = cupyxx::add(a, 2);
//   cupyxx::exp(a, {.out = b});
//   const cupyxx::ufunc& f = cupyxx::exp;              // type-erased
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_operands.h"
#include "cupyxx/core/array_tuple.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {
struct OpInfo;
}  // namespace internal

/// Options of an elementwise call, in NumPy's keyword order.
struct UfuncOptions {
  ndarray out = {};       ///< receives the result; broadcast shape exactly;
                          ///< float16 is rounded once, to the dtype of `out`
  MaskOption where = {};  ///< bool: elements that are computed; others keep `out`
  Choice<Casting> casting = Casting::same_kind;  ///< rule for the inputs and for `out`
  cupyxx::dtype dtype = {};                      ///< chooses the loop by its output dtype
};

/// Options of ufunc::reduce, in NumPy's keyword order.
struct ReduceOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};  ///< of the operation and the result
  ndarray out = {};
  bool keepdims = false;
  std::optional<Scalar> initial = {};  ///< starts the reduction
  MaskOption where = {};               ///< bool: elements that count
};

/// Options of ufunc::accumulate and ufunc::reduceat.
struct AccumulateOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};  ///< of the operation and the result
  ndarray out = {};
};

/// An elementwise operation whose types are known at run time. Objects live for the whole program.
class CUPYXX_API ufunc {
 public:
  explicit constexpr ufunc(const internal::OpInfo& op) : op_(&op) {}
  ufunc(const ufunc&) = delete;
  ufunc& operator=(const ufunc&) = delete;

  std::string_view name() const;
  int nin() const;
  int nout() const;
  int nargs() const { return nin() + nout(); }
  /// The loops as NumPy writes them: "ff->f".
  std::vector<std::string> types() const;
  /// One line on what it computes.
  std::string_view doc() const;

  /// Calls it with `nin` operands; `out` is empty or holds `nout` arrays or null handles.
  std::vector<ndarray> call(std::span<const Operand* const> inputs, std::span<const ndarray> out,
                            const UfuncOptions& options) const;

  /// The same with operands one by one, and options behind them: `find_ufunc("add")(a, 2)`.
  /// Throws TypeError for another number of operands, and for operations with several results.
  ndarray operator()(const Operand& x, const UfuncOptions& options = {}) const;
  ndarray operator()(const Operand& x, const Operand& y, const UfuncOptions& options = {}) const;
  ndarray operator()(const Operand& x, const Operand& y, const Operand& z,
                     const UfuncOptions& options = {}) const;

  // Methods of operations with two operands and one result; the others throw ValueError.

  /// Combines all elements along axes. Throws ValueError for a zero-size reduction without identity
  /// and for several axes where the order matters (subtract).
  ndarray reduce(const ndarray& a, const Axes& axis = 0, const ReduceOptions& options = {}) const;
  template <std::same_as<ReduceOptions> O = ReduceOptions>
  ndarray reduce(const ndarray& a, O options) const {
    return reduce(a, internal::take_axis(options.axis, 0), options);
  }
  /// The intermediate results of reduce along one axis. Sums of floating numbers may round
  /// otherwise than one after the other.
  ndarray accumulate(const ndarray& a, internal::Int axis = 0,
                     const AccumulateOptions& options = {}) const;
  template <std::same_as<AccumulateOptions> O = AccumulateOptions>
  ndarray accumulate(const ndarray& a, O options) const {
    return accumulate(a, internal::take_axis("accumulate", options.axis, 0), options);
  }
  /// Reduces the slices [indices[i], indices[i + 1]) along one axis; a slice that is not ascending
  /// gives its first element. Throws IndexError. Synchronises.
  ndarray reduceat(const ndarray& a, const ndarray& indices, internal::Int axis = 0,
                   const AccumulateOptions& options = {}) const;
  template <std::same_as<AccumulateOptions> O = AccumulateOptions>
  ndarray reduceat(const ndarray& a, const ndarray& indices, O options) const {
    return reduceat(a, indices, internal::take_axis("reduceat", options.axis, 0), options);
  }
  /// The operation for all pairs of elements; the result has the axes of `a`, then those of `b`.
  ndarray outer(const ndarray& a, const ndarray& b, const UfuncOptions& options = {}) const;

  /// `a(index) = f(a(index), b)`, once for every occurrence of a place. `b` is null for operations
  /// with one operand. Synchronises.
  void at(const ndarray& a, std::span<const Index> index, const Operand& b = {}) const;
  void at(const ndarray& a, const Index& index, const Operand& b = {}) const;
  /// With an array for each axis: `add.at(a, {rows, columns}, 1)`, `add.at(a, nonzero(a), 1)`.
  void at(const ndarray& a, std::span<const ndarray> index, const Operand& b = {}) const;
  void at(const ndarray& a, std::initializer_list<ndarray> index, const Operand& b = {}) const;
  /// With numbers: `add.at(a, {0, 1, 1}, 1)`. (A template, so that `{{0}, {1}}` is two lists.)
  template <class = void>
  void at(const ndarray& a, std::initializer_list<std::int64_t> index,
          const Operand& b = {}) const {
    at_numbers(a, index, b);
  }
  /// With numbers for each axis, as a tuple of lists: `add.at(a, {{0, 0, 1}, {1, 1, 2}}, 1)`.
  void at(const ndarray& a, std::initializer_list<std::initializer_list<std::int64_t>> index,
          const Operand& b = {}) const;
  /// With slices among the entries: `add.at(a, {slice(), columns}, 1)`.
  void at(const ndarray& a, std::initializer_list<Index> index, const Operand& b = {}) const;
  /// With truth values, which are a mask: `add.at(a, {true, false}, 1)`.
  template <std::same_as<bool> B>
  void at(const ndarray& a, std::initializer_list<B> mask, const Operand& b = {}) const {
    at_mask(a, mask, b);
  }

  const internal::OpInfo& op() const { return *op_; }

 private:
  ndarray call_for_one(std::span<const Operand* const> inputs, const UfuncOptions& options) const;
  void at_numbers(const ndarray& a, std::initializer_list<std::int64_t> index,
                  const Operand& b) const;
  void at_mask(const ndarray& a, std::initializer_list<bool> mask, const Operand& b) const;

  const internal::OpInfo* op_;
};

/// The ufunc with NumPy's name; throws ValueError for an unknown one.
CUPYXX_API const ufunc& find_ufunc(std::string_view name);
/// All of them, in the order of the manual's chapters.
CUPYXX_API std::span<const ufunc* const> all_ufuncs();

namespace internal {

/// The type-erased object of one operation, defined where the operation's body is known.
template <class Op>
CUPYXX_API const ufunc& ufunc_of();

CUPYXX_API ndarray call1(const ufunc& f, const Operand& x, const UfuncOptions& options);
CUPYXX_API ndarray call2(const ufunc& f, const Operand& x, const Operand& y,
                         const UfuncOptions& options);
/// The same of temporaries, `a + b * 2`: the result may lie in the memory of one that has no other
/// owner, as in NumPy, and its handle is None then. A null pointer stands for an operand that
/// stays.
CUPYXX_API ndarray call1_ending(const ufunc& f, ndarray& x);
CUPYXX_API ndarray call2_ending(const ufunc& f, const Operand& x, const Operand& y, ndarray* x_ends,
                                ndarray* y_ends);
/// The options of a call whose result goes to an array that stands in its place; throws TypeError
/// where they name one, too.
CUPYXX_API UfuncOptions into(const ufunc& f, const ndarray& out, const UfuncOptions& options);
/// For one result and any number of operands.
CUPYXX_API ndarray call_with(const ufunc& f, std::span<const Operand* const> operands,
                             const UfuncOptions& options = {});
CUPYXX_API ArrayTuple<2> call1_2(const ufunc& f, const Operand& x,
                                 const std::array<ndarray, 2>& out, const UfuncOptions& options);
CUPYXX_API ArrayTuple<2> call2_2(const ufunc& f, const Operand& x, const Operand& y,
                                 const std::array<ndarray, 2>& out, const UfuncOptions& options);

}  // namespace internal

/// What every operation says of itself; see class ufunc. Bases of the public objects hold what does
/// not depend on the operation, so that a hundred of them are not a hundred classes of many
/// members.
class CUPYXX_API UfuncAttributes {
 public:
  std::string_view name() const;
  int nin() const;
  int nout() const;
  int nargs() const;
  std::vector<std::string> types() const;
  std::string_view doc() const;
  operator const ufunc&() const { return find_(); }

 protected:
  using Find = const ufunc& (*)();
  constexpr explicit UfuncAttributes(Find find) : find_(find) {}

  const ufunc& f() const { return find_(); }

 private:
  Find find_;
};

namespace internal {

/// Operations of one operand.
class CUPYXX_API UnaryUfunc : public UfuncAttributes {
 public:
  ndarray operator()(const Operand& x, const UfuncOptions& options = {}) const {
    return call1(f(), x, options);
  }
  /// As NumPy's `exp(x, out)`, `exp(x, out, {.where = mask})`.
  template <std::derived_from<ndarray> Out>
  ndarray operator()(const Operand& x, const Out& out) const {
    return call1(f(), x, {.out = out});
  }
  template <std::derived_from<ndarray> Out>
  ndarray operator()(const Operand& x, const Out& out, const UfuncOptions& options) const {
    return call1(f(), x, into(f(), out, options));
  }
  template <TakingCalls X>
  auto operator()(const X& x) const {
    return record_fused(f(), x);
  }
  /// See class ufunc.
  void at(const ndarray& a, const Index& index) const;
  void at(const ndarray& a, std::span<const Index> index) const;
  void at(const ndarray& a, std::span<const ndarray> index) const;
  void at(const ndarray& a, std::initializer_list<ndarray> index) const;
  template <class = void>
  void at(const ndarray& a, std::initializer_list<std::int64_t> index) const {
    f().at(a, index);
  }
  void at(const ndarray& a, std::initializer_list<std::initializer_list<std::int64_t>> index) const;
  void at(const ndarray& a, std::initializer_list<Index> index) const;
  template <std::same_as<bool> B>
  void at(const ndarray& a, std::initializer_list<B> mask) const {
    f().at(a, mask);
  }

 protected:
  using UfuncAttributes::UfuncAttributes;
};

/// Operations of two operands with one result.
class CUPYXX_API BinaryUfunc : public UfuncAttributes {
 public:
  ndarray operator()(const Operand& x, const Operand& y, const UfuncOptions& options = {}) const {
    return call2(f(), x, y, options);
  }
  /// As NumPy's `add(x, y, out)`, `add(x, y, out, {.where = mask})`.
  template <std::derived_from<ndarray> Out>
  ndarray operator()(const Operand& x, const Operand& y, const Out& out) const {
    return call2(f(), x, y, {.out = out});
  }
  template <std::derived_from<ndarray> Out>
  ndarray operator()(const Operand& x, const Operand& y, const Out& out,
                     const UfuncOptions& options) const {
    return call2(f(), x, y, into(f(), out, options));
  }
  template <class X, class Y>
  requires TakingCalls<X, Y>
  auto operator()(const X& x, const Y& y) const { return record_fused(f(), x, y); }

  // See class ufunc.
  ndarray reduce(const ndarray& a, const Axes& axis = 0, const ReduceOptions& options = {}) const;
  template <std::same_as<ReduceOptions> O = ReduceOptions>
  ndarray reduce(const ndarray& a, O options) const {
    return f().reduce(a, std::move(options));
  }
  ndarray accumulate(const ndarray& a, Int axis = 0, const AccumulateOptions& options = {}) const;
  template <std::same_as<AccumulateOptions> O = AccumulateOptions>
  ndarray accumulate(const ndarray& a, O options) const {
    return f().accumulate(a, std::move(options));
  }
  ndarray reduceat(const ndarray& a, const ndarray& indices, Int axis = 0,
                   const AccumulateOptions& options = {}) const;
  template <std::same_as<AccumulateOptions> O = AccumulateOptions>
  ndarray reduceat(const ndarray& a, const ndarray& indices, O options) const {
    return f().reduceat(a, indices, std::move(options));
  }
  ndarray outer(const ndarray& a, const ndarray& b, const UfuncOptions& options = {}) const;
  // Of lists: `multiply.outer({1, 2}, {3, 4})`.
  ndarray reduce(const ArrayLike& a, const Axes& axis = 0) const;
  ndarray accumulate(const ArrayLike& a, Int axis = 0) const;
  ndarray reduceat(const ArrayLike& a, const ArrayLike& indices, Int axis = 0) const;
  ndarray outer(const ArrayLike& a, const ArrayLike& b) const;
  void at(const ndarray& a, const Index& index, const Operand& b) const;
  void at(const ndarray& a, std::span<const Index> index, const Operand& b) const;
  void at(const ndarray& a, std::span<const ndarray> index, const Operand& b) const;
  void at(const ndarray& a, std::initializer_list<ndarray> index, const Operand& b) const;
  template <class = void>
  void at(const ndarray& a, std::initializer_list<std::int64_t> index, const Operand& b) const {
    f().at(a, index, b);
  }
  void at(const ndarray& a, std::initializer_list<std::initializer_list<std::int64_t>> index,
          const Operand& b) const;
  void at(const ndarray& a, std::initializer_list<Index> index, const Operand& b) const;
  template <std::same_as<bool> B>
  void at(const ndarray& a, std::initializer_list<B> mask, const Operand& b) const {
    f().at(a, mask, b);
  }

 protected:
  using UfuncAttributes::UfuncAttributes;
};

/// Operations of three and four operands.
class CUPYXX_API TernaryUfunc : public UfuncAttributes {
 public:
  ndarray operator()(const Operand& x, const Operand& y, const Operand& z,
                     const UfuncOptions& options = {}) const;

 protected:
  using UfuncAttributes::UfuncAttributes;
};
class CUPYXX_API QuaternaryUfunc : public UfuncAttributes {
 public:
  ndarray operator()(const Operand& x, const Operand& y, const Operand& z, const Operand& w,
                     const UfuncOptions& options = {}) const;

 protected:
  using UfuncAttributes::UfuncAttributes;
};

/// Operations of two results.
class CUPYXX_API UnaryPairUfunc : public UfuncAttributes {
 public:
  ArrayTuple<2> operator()(const Operand& x, const std::array<ndarray, 2>& out = {}) const;
  /// With options, whose own `out` is ignored.
  ArrayTuple<2> operator()(const Operand& x, const std::array<ndarray, 2>& out,
                           const UfuncOptions& options) const;
  template <Recorded X>
  auto operator()(const X& x) const {
    return record_fused_pair(f(), x);
  }

 protected:
  using UfuncAttributes::UfuncAttributes;
};
class CUPYXX_API BinaryPairUfunc : public UfuncAttributes {
 public:
  ArrayTuple<2> operator()(const Operand& x, const Operand& y,
                           const std::array<ndarray, 2>& out = {}) const;
  /// With options, whose own `out` is ignored.
  ArrayTuple<2> operator()(const Operand& x, const Operand& y, const std::array<ndarray, 2>& out,
                           const UfuncOptions& options) const;
  template <class X, class Y>
  requires Recorded<X, Y>
  auto operator()(const X& x, const Y& y) const { return record_fused_pair(f(), x, y); }

 protected:
  using UfuncAttributes::UfuncAttributes;
};

template <int kInputs, int kOutputs>
struct UfuncForm;
template <>
struct UfuncForm<1, 1> {
  using Base = UnaryUfunc;
};
template <>
struct UfuncForm<2, 1> {
  using Base = BinaryUfunc;
};
template <>
struct UfuncForm<3, 1> {
  using Base = TernaryUfunc;
};
template <>
struct UfuncForm<4, 1> {
  using Base = QuaternaryUfunc;
};
template <>
struct UfuncForm<1, 2> {
  using Base = UnaryPairUfunc;
};
template <>
struct UfuncForm<2, 2> {
  using Base = BinaryPairUfunc;
};

}  // namespace internal

/// The public object of an operation; sees only the operation's name.
template <class Op, int kInputs = 1, int kOutputs = 1>
struct Ufunc : internal::UfuncForm<kInputs, kOutputs>::Base {
  constexpr Ufunc() : internal::UfuncForm<kInputs, kOutputs>::Base(&internal::ufunc_of<Op>) {}
};

}  // namespace cupyxx
