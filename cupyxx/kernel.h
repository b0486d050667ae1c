// SPDX-License-Identifier: MIT
// Kernels written as text, for arrays on CUDA devices and on the host.
//
//   const cupyxx::ElementwiseKernel squared_diff(
//       "T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
//   auto d = squared_diff(a, b);            // broadcasts; b may be a number
//   squared_diff(a, b, d);                  // into an array that is there
//
// Arguments are `type name`, separated by commas. A type is a NumPy dtype name ("float32"), or one
// letter that stands for a type: equal letters are equal types, found from the outputs that are
// given, else from the inputs, which promote as NumPy promotes (an input of another type is
// converted where that is safe, and is an error otherwise). A letter of outputs only makes these
// outputs obligatory. The text may use the letters as types.
//
// `raw type name` is an argument that the text indexes: `y[k]` is element k in C order, `y(j, k)`
// the one at an index, of an array of any strides; `y.size()`, `y.ndim()`, `y.shape()[axis]` and
// `y.strides()[axis]` (bytes) exist. Raw arguments take no part in broadcasting and are never
// converted; indices are not checked.
//
// The text sees `i`, the number of the element in C order, and `n`, the number of elements. These
// and names that begin with an underscore are reserved. Functions of a preamble need no
// `__device__`; mathematics is that of <math.h>, and `float16` is the 16-bit type.
//
// On a device NVRTC compiles the text. For host arrays the system's C++ compiler does (CUPYXX_CXX,
// CXX, or `c++`), so names that only CUDA has are a CompileError there. A text is compiled when it
// meets new types or a new layout; what was compiled is kept in memory and on disk
// (CUPYXX_CACHE_DIR). Wrong specifications throw ValueError or TypeError when the kernel is
// constructed, wrong calls when it is called, naming kernel and argument.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal::user_kernel {
struct ElementwiseSpecification;
struct ReductionSpecification;
}  // namespace internal::user_kernel

/// Options of an ElementwiseKernel.
struct ElementwiseKernelOptions {
  /// Merge axes where the arrays allow it. Without, the axes stay what they are.
  bool reduce_dims = true;
  /// Text before the kernel: functions, types.
  std::string preamble = {};
  /// Options for NVRTC; for arrays on the host those that mean something there.
  std::vector<std::string> options = {};
  /// Text before the loop over elements, once per thread.
  std::string loop_prep = {};
  /// Text behind the loop.
  std::string after_loop = {};
};

/// Options of one call of an ElementwiseKernel.
struct ElementwiseCallOptions {
  /// The number of elements, for calls whose arrays are all raw.
  std::int64_t size = -1;
};

/// A text that runs for each element of its arguments. Copies share what was compiled; threads may
/// call one kernel at the same time.
class CUPYXX_API ElementwiseKernel {
 public:
  ElementwiseKernel(std::string_view in_params, std::string_view out_params,
                    std::string_view operation, std::string_view name = "kernel",
                    const ElementwiseKernelOptions& options = {});

  /// Calls the kernel with arrays and numbers: all inputs, then all outputs or none (null arrays
  /// are made). Returns the first output. An output that is given holds its old value until the
  /// text sets it. Inputs that overlap an output in another layout are copied first.
  template <class... T>
  ndarray operator()(const T&... arguments) const {
    const Operand list[sizeof...(T) + 1] = {Operand(arguments)..., Operand()};
    return call({list, sizeof...(T)}, {}).front();
  }
  /// The same with options: `kernel({x, y}, {.size = 10})`.
  ndarray operator()(std::initializer_list<Operand> arguments,
                     const ElementwiseCallOptions& options) const {
    return call({arguments.begin(), arguments.size()}, options).front();
  }
  /// Calls the kernel; returns all outputs.
  template <class... T>
  std::vector<ndarray> call_all(const T&... arguments) const {
    const Operand list[sizeof...(T) + 1] = {Operand(arguments)..., Operand()};
    return call({list, sizeof...(T)}, {});
  }
  std::vector<ndarray> call_all(std::initializer_list<Operand> arguments,
                                const ElementwiseCallOptions& options) const {
    return call({arguments.begin(), arguments.size()}, options);
  }

  const std::string& name() const;

 private:
  std::vector<ndarray> call(std::span<const Operand> arguments,
                            const ElementwiseCallOptions& options) const;

  std::shared_ptr<const internal::user_kernel::ElementwiseSpecification> specification_;
};

/// Options of a ReductionKernel.
struct ReductionKernelOptions {
  /// The type of `a` and `b`: a letter, a NumPy name or a C++ type. By default that of the first
  /// output.
  std::string reduce_type = {};
  /// Merge axes where the arrays allow it.
  bool reduce_dims = true;
  /// Text before the kernel: functions, types.
  std::string preamble = {};
  /// Options for the compiler.
  std::vector<std::string> options = {};
};

/// Options of one call of a ReductionKernel.
struct ReductionCallOptions {
  Axes axis = {};
  bool keepdims = false;
  /// The first output.
  ndarray out = {};
};

/// A reduction from texts. Of each element `map_expr` makes a value, `reduce_expr` combines two
/// values `a` and `b`, and the statement `post_map_expr` sets the outputs from the last `a`:
///
///   const cupyxx::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0",
///                                        "l2norm");
///   auto y = l2norm(x, {.axis = 1});
///
/// The combination must be associative and commutative; its order depends on the shape and the kind
/// of device only, so results repeat bit by bit. The identity is combined in once and is the result
/// of no elements; where it is empty, reducing no elements is a ValueError. In `map_expr` `i` is
/// the number of the element in C order and `n` how many there are; in `post_map_expr` `i` is the
/// number of the result. With raw arguments the reduced axes must be the first ones. Outputs are
/// not raw.
class CUPYXX_API ReductionKernel {
 public:
  ReductionKernel(std::string_view in_params, std::string_view out_params,
                  std::string_view map_expr, std::string_view reduce_expr,
                  std::string_view post_map_expr, std::string_view identity,
                  std::string_view name = "reduce_kernel",
                  const ReductionKernelOptions& options = {});

  /// Reduces the broadcast inputs over `axis` (all axes by default); returns the first output.
  ndarray operator()(const Operand& x, const ReductionCallOptions& options = {}) const {
    return call({&x, 1}, options).front();
  }
  /// The same for several inputs, followed by all outputs or none: `kernel({x, y}, {.axis = 0})`.
  ndarray operator()(std::initializer_list<Operand> arguments,
                     const ReductionCallOptions& options = {}) const {
    return call({arguments.begin(), arguments.size()}, options).front();
  }
  /// Calls the kernel; returns all outputs.
  std::vector<ndarray> call_all(std::initializer_list<Operand> arguments,
                                const ReductionCallOptions& options = {}) const {
    return call({arguments.begin(), arguments.size()}, options);
  }

  const std::string& name() const;

 private:
  std::vector<ndarray> call(std::span<const Operand> arguments,
                            const ReductionCallOptions& options) const;

  std::shared_ptr<const internal::user_kernel::ReductionSpecification> specification_;
};

}  // namespace cupyxx
