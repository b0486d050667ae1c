// SPDX-License-Identifier: MIT
// Elementwise operations of the program's own with ufuncs' rules; CuPy's `cupy.ufunc(name, nin,
// nout, ops)` and `create_ufunc`.
//
//   const auto squared_diff = cupyxx::create_ufunc(
//       "squared_diff", {"ee->e", "ff->f", "dd->d"}, "out0 = (in0 - in1) * (in0 - in1)");
//   auto d = squared_diff(a, 2);                        // the first signature that fits
//   squared_diff(a, b, {.out = c, .where = mask});
//
// A loop is a signature of dtype codes ("ff->f") and a text for each element, in which in0, in1 ...
// are the inputs, out0 ... the results, and in0_type ... out0_type their types. As for built-in
// operations, the first loop runs to whose types all inputs may be cast safely, C++ numbers being
// weak, and the inputs are converted to them. The texts run on the host and on devices as those of
// an ElementwiseKernel do.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {

/// One signature of a user's ufunc and its text; without a text it is create_ufunc's.
struct UfuncLoop {
  std::string types;
  std::string routine;

  UfuncLoop(const char* signature,  // NOLINT(google-explicit-constructor)
            std::string_view text = {})
      : types(signature), routine(text) {}
  UfuncLoop(std::string_view signature,  // NOLINT(google-explicit-constructor)
            std::string_view text = {})
      : types(signature), routine(text) {}
};

/// Options of user_ufunc and create_ufunc.
struct UserUfuncOptions {
  std::string preamble = {};  ///< text before the loops: functions, types
  std::string doc = {};       ///< one line on what it computes
};

/// An elementwise operation of one to three inputs and one or two results, made from texts. Copies
/// share what was compiled; threads may call one at the same time.
class CUPYXX_API user_ufunc {
 public:
  /// Throws ValueError for names that are no identifiers, no loops, other numbers of inputs or
  /// results, signatures that do not have them, and loops without a text; TypeError for unknown
  /// dtype codes.
  user_ufunc(std::string_view name, int nin, int nout, const std::vector<UfuncLoop>& ops,
             const UserUfuncOptions& options = {});

  const std::string& name() const;
  int nin() const;
  int nout() const;
  int nargs() const { return nin() + nout(); }
  /// The signatures, as given: "ff->f".
  std::vector<std::string> types() const;
  const std::string& doc() const;

  /// Calls it with all inputs; returns the first result. Throws TypeError for another number of
  /// inputs and for None, DtypeError when no loop fits, ShapeError when they do not broadcast.
  template <class... X>
  requires(sizeof...(X) > 0 && (std::is_constructible_v<Operand, const X&> && ...)) ndarray
  operator()(const X&... x) const {
    const Operand list[] = {Operand(x)...};
    return call_list(list, {}, {}).front();
  }
  ndarray operator()(const Operand& x, const UfuncOptions& options) const;
  ndarray operator()(const Operand& x, const Operand& y, const UfuncOptions& options) const;
  ndarray operator()(const Operand& x, const Operand& y, const Operand& z,
                     const UfuncOptions& options) const;
  /// Calls it; returns all results.
  template <class... X>
  requires(sizeof...(X) > 0 && (std::is_constructible_v<Operand, const X&> &&
                                ...)) std::vector<ndarray> call_all(const X&... x)
  const {
    const Operand list[] = {Operand(x)...};
    return call_list(list, {}, {});
  }
  /// The same as ufunc::call: `out` is empty or holds `nout` arrays or null handles.
  std::vector<ndarray> call(std::span<const Operand* const> inputs, std::span<const ndarray> out,
                            const UfuncOptions& options) const;

 private:
  struct Impl;
  std::vector<ndarray> call_list(std::span<const Operand> inputs, std::span<const ndarray> out,
                                 const UfuncOptions& options) const;

  std::shared_ptr<const Impl> impl_;
};

/// A user_ufunc whose numbers of inputs and results are those of its first signature, and whose
/// loops without a text have `routine`.
CUPYXX_API user_ufunc create_ufunc(std::string_view name, const std::vector<UfuncLoop>& ops,
                                   std::string_view routine = {},
                                   const UserUfuncOptions& options = {});

}  // namespace cupyxx
