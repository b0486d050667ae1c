// SPDX-License-Identifier: MIT
// Universal functions: elementwise operations as objects, as in NumPy.
//
//   auto c = cupyxx::add(a, 2);
//   cupyxx::exp(a, {.out = b});
//   const cupyxx::ufunc& f = cupyxx::exp;              // type-erased
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {
struct OpInfo;
}  // namespace internal

/// Options of an elementwise call, in NumPy's keyword order.
struct UfuncOptions {
  ndarray out = {};                      ///< receives the result; broadcast shape exactly;
                                         ///< float16 is rounded once, to the dtype of `out`
  ndarray where = {};                    ///< bool: elements that are computed; others keep `out`
  Casting casting = Casting::same_kind;  ///< rule for the inputs and for `out`
  cupyxx::dtype dtype = {};              ///< chooses the loop by its output dtype
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

  const internal::OpInfo& op() const { return *op_; }

 private:
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
CUPYXX_API std::array<ndarray, 2> call1_2(const ufunc& f, const Operand& x,
                                          const std::array<ndarray, 2>& out);
CUPYXX_API std::array<ndarray, 2> call2_2(const ufunc& f, const Operand& x, const Operand& y,
                                          const std::array<ndarray, 2>& out);

}  // namespace internal

/// The public object of an operation; sees only the operation's name.
template <class Op, int kInputs = 1, int kOutputs = 1>
struct Ufunc;

template <class Op>
struct Ufunc<Op, 1, 1> {
  ndarray operator()(const Operand& x, const UfuncOptions& options = {}) const {
    return internal::call1(internal::ufunc_of<Op>(), x, options);
  }
  operator const ufunc&() const { return internal::ufunc_of<Op>(); }
};

template <class Op>
struct Ufunc<Op, 2, 1> {
  ndarray operator()(const Operand& x, const Operand& y, const UfuncOptions& options = {}) const {
    return internal::call2(internal::ufunc_of<Op>(), x, y, options);
  }
  operator const ufunc&() const { return internal::ufunc_of<Op>(); }
};

template <class Op>
struct Ufunc<Op, 1, 2> {
  std::array<ndarray, 2> operator()(const Operand& x,
                                    const std::array<ndarray, 2>& out = {}) const {
    return internal::call1_2(internal::ufunc_of<Op>(), x, out);
  }
  operator const ufunc&() const { return internal::ufunc_of<Op>(); }
};

template <class Op>
struct Ufunc<Op, 2, 2> {
  std::array<ndarray, 2> operator()(const Operand& x, const Operand& y,
                                    const std::array<ndarray, 2>& out = {}) const {
    return internal::call2_2(internal::ufunc_of<Op>(), x, y, out);
  }
  operator const ufunc&() const { return internal::ufunc_of<Op>(); }
};

}  // namespace cupyxx
