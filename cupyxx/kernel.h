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
// and `ptrdiff_t at[] = {j, k}; y[at]` the one at an index, of an array of any strides; `y.size()`,
// `y.ndim()`, `y.shape()[axis]` and `y.strides()[axis]` (bytes) exist. Raw arguments take no part
// in broadcasting and are never converted; indices are not checked.
//
// The text sees `i`, the number of the element in C order, and `n`, the number of elements, which
// is also CuPy's `_ind.size()`. These and names that begin with an underscore are reserved.
// `return` ends the element at hand, as `break` and `continue` do outside of loops. An output that
// no text names is a ValueError. Functions of a preamble need no
// `__device__`; mathematics is that of <math.h>, and `float16` is the 16-bit type. Complex numbers
// are `complex<float>` and `complex<double>`, with `real`, `imag`, `conj`, `abs`, `arg`, `norm`,
// `pow`, exponential and trigonometric functions.
//
// On a device NVRTC compiles the text. For host arrays the system's C++ compiler does (CUPYXX_CXX,
// CXX, or `c++`), so names that only CUDA has are a CompileError there. A text is compiled when it
// meets new types or a new layout; what was compiled is kept in memory and on disk
// (CUPYXX_CACHE_DIR). Wrong specifications throw ValueError or TypeError when the kernel is
// constructed, wrong calls when it is called, naming kernel and argument.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/core/shared.h"
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
  /// The options without a name: `ElementwiseKernel("T x", "T y", "y = f(x)", {.preamble = f})`.
  template <std::same_as<ElementwiseKernelOptions> O = ElementwiseKernelOptions>
  ElementwiseKernel(std::string_view in_params, std::string_view out_params,
                    std::string_view operation, const O& options)
      : ElementwiseKernel(in_params, out_params, operation, "kernel", options) {}

  /// Calls the kernel with arrays and numbers: all inputs, then all outputs or none (null arrays
  /// are made). Returns the first output; throws TypeError where others would be lost, as neither
  /// they are given nor call_all asks for them. An output that is given holds its old value until
  /// the text sets it. Inputs that overlap an output in another layout are copied first.
  template <class... T>
  ndarray operator()(const T&... arguments) const {
    const Operand list[sizeof...(T) + 1] = {Operand(arguments)..., Operand()};
    return call_for_one({list, sizeof...(T)}, {});
  }
  /// The same with options: `kernel({x, y}, {.size = 10})`.
  ndarray operator()(std::initializer_list<Operand> arguments,
                     const ElementwiseCallOptions& options) const {
    return call_for_one(internal::as_span(arguments), options);
  }
  /// The same without braces: `kernel(x, {.size = 10})`, `kernel(x, y, {.size = 10})`.
  template <std::convertible_to<Operand> X,
            std::same_as<ElementwiseCallOptions> O = ElementwiseCallOptions>
  ndarray operator()(const X& x, const O& options) const {
    return (*this)({Operand(x)}, options);
  }
  template <std::convertible_to<Operand> X, std::convertible_to<Operand> Y,
            std::same_as<ElementwiseCallOptions> O = ElementwiseCallOptions>
  ndarray operator()(const X& x, const Y& y, const O& options) const {
    return (*this)({Operand(x), Operand(y)}, options);
  }
  template <std::convertible_to<Operand> X, std::convertible_to<Operand> Y,
            std::convertible_to<Operand> Z,
            std::same_as<ElementwiseCallOptions> O = ElementwiseCallOptions>
  ndarray operator()(const X& x, const Y& y, const Z& z, const O& options) const {
    return (*this)({Operand(x), Operand(y), Operand(z)}, options);
  }
  /// Calls the kernel; returns all outputs.
  template <class... T>
  Arrays call_all(const T&... arguments) const {
    const Operand list[sizeof...(T) + 1] = {Operand(arguments)..., Operand()};
    return call({list, sizeof...(T)}, {});
  }
  Arrays call_all(std::initializer_list<Operand> arguments,
                  const ElementwiseCallOptions& options) const {
    return call(internal::as_span(arguments), options);
  }

  const std::string& name() const;

 private:
  Arrays call(std::span<const Operand> arguments, const ElementwiseCallOptions& options) const;
  ndarray call_for_one(std::span<const Operand> arguments,
                       const ElementwiseCallOptions& options) const;

  internal::Shared<const internal::user_kernel::ElementwiseSpecification> specification_;
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
/// number of the result. `_in_ind.size()` is n, `_out_ind.size()` how many results there are. With
/// raw arguments the reduced axes must be the first ones. Outputs are not raw.
class CUPYXX_API ReductionKernel {
 public:
  ReductionKernel(std::string_view in_params, std::string_view out_params,
                  std::string_view map_expr, std::string_view reduce_expr,
                  std::string_view post_map_expr, std::string_view identity,
                  std::string_view name = "reduce_kernel",
                  const ReductionKernelOptions& options = {});

  /// Reduces the broadcast inputs over `axis` (all axes by default); returns the first output.
  ndarray operator()(const Operand& x, const ReductionCallOptions& options = {}) const;
  /// The same for several inputs, followed by all outputs or none: `kernel({x, y}, {.axis = 0})`.
  ndarray operator()(std::initializer_list<Operand> arguments,
                     const ReductionCallOptions& options = {}) const {
    return call_for_one(internal::as_span(arguments), options);
  }
  /// The same without braces: `kernel(x, y)`, `kernel(x, y, {.axis = 0})`.
  template <std::convertible_to<Operand> X, std::convertible_to<Operand> Y>
  ndarray operator()(const X& x, const Y& y, const ReductionCallOptions& options = {}) const {
    const Operand list[] = {Operand(x), Operand(y)};
    return call_for_one(list, options);
  }
  template <std::convertible_to<Operand> X, std::convertible_to<Operand> Y,
            std::convertible_to<Operand> Z>
  ndarray operator()(const X& x, const Y& y, const Z& z,
                     const ReductionCallOptions& options = {}) const {
    const Operand list[] = {Operand(x), Operand(y), Operand(z)};
    return call_for_one(list, options);
  }
  /// Calls the kernel; returns all outputs.
  Arrays call_all(std::initializer_list<Operand> arguments,
                  const ReductionCallOptions& options = {}) const {
    return call(internal::as_span(arguments), options);
  }

  const std::string& name() const;

 private:
  Arrays call(std::span<const Operand> arguments, const ReductionCallOptions& options) const;
  ndarray call_for_one(std::span<const Operand> arguments,
                       const ReductionCallOptions& options) const;

  internal::Shared<const internal::user_kernel::ReductionSpecification> specification_;
};

// ---- Kernels in CUDA C++ with a grid of their own, for arrays on CUDA devices.
//
//   const cupyxx::RawKernel axpy(R"(
//   extern "C" __global__ void axpy(int n, float a, const float* x, float* y) {
//     const int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i < n) y[i] += a * x[i];
//   })", "axpy");
//   axpy(n / 256 + 1, 256, n, 2.0f, x, y);        // grid, block, arguments
//
// Each call is checked before it is launched: the number of arguments and their sizes against what
// the driver knows of the kernel; their types against the source (or the mangled name); the device
// of the arrays. What is wrong is a TypeError, DtypeError, ValueError or OverflowError that names
// kernel, parameter, what was expected and what was given. What a kernel does with its pointers is
// not checked: arrays are passed as the address of their first element. An array that is not
// C-contiguous is a ValueError, as nearly every kernel would read wrong elements, unless the call
// or the kernel says that it takes any layout: `.any_layout = true`. (CuPy passes such arrays.)
//
// Sources are compiled by NVRTC at the first use on a device; what was compiled is kept in memory
// and on disk (CUPYXX_CACHE_DIR). A source that does not compile is a CompileError with the log
// and the ten numbered lines around the first error.

namespace internal::raw_kernel {
struct Function;
struct Module;
}  // namespace internal::raw_kernel

/// The extents of a grid, a block or a cluster: a number, or up to three.
struct Dim3 {
  std::int64_t x = 1, y = 1, z = 1;

  template <class T>
  requires std::is_integral_v<T>
  constexpr Dim3(T width)  // NOLINT(google-explicit-constructor)
      : x(static_cast<std::int64_t>(width)) {}
  constexpr Dim3(std::int64_t width, std::int64_t height, std::int64_t depth = 1)
      : x(width), y(height), z(depth) {}
};

/// How a kernel is launched.
struct LaunchOptions {
  Dim3 grid = 1;   ///< blocks
  Dim3 block = 1;  ///< threads of each block
  /// Dynamic shared memory in bytes; more than 48 KiB is asked of the device by itself.
  std::int64_t shared_mem = 0;
  /// Blocks that share memory: compute capability 9.0 and above.
  Dim3 cluster = 1;
  /// Arrays need not be C-contiguous: the kernel is told their strides, or does without.
  bool any_layout = false;
};

/// One argument of a raw kernel: an array (its address; None is a TypeError, an array that is not
/// C-contiguous a ValueError unless any layout is taken), a number of exactly
/// its C++ type, a struct by value, a pointer, or `none` for a null pointer. Integers also become
/// another integer type of the parameter where that holds their value. Refers to its value for the
/// length of the call.
class CUPYXX_API KernelArgument {
 public:
  enum class Kind : std::uint8_t { array, number, structure, pointer };

  KernelArgument(const ndarray& a);  // NOLINT(google-explicit-constructor)
  KernelArgument(None) : kind_(Kind::pointer), size_(sizeof(void*)) {}  // NOLINT
  KernelArgument(std::nullptr_t) : KernelArgument(none) {}              // NOLINT
  template <class T>
  requires std::is_arithmetic_v<T> KernelArgument(T value)  // NOLINT(google-explicit-constructor)
      : KernelArgument(Kind::number, &value, sizeof value, dtype_of<T>()) {}
  KernelArgument(half value)  // NOLINT(google-explicit-constructor)
      : KernelArgument(Kind::number, &value, sizeof value, float16) {}
  KernelArgument(bfloat16 value)  // NOLINT(google-explicit-constructor)
      : KernelArgument(Kind::number, &value, sizeof value, bfloat16_) {}
  /// A number of a dtype: `Scalar(3, cupyxx::uint8)`; a weak one has its own (int64, float64).
  KernelArgument(const Scalar& value);  // NOLINT(google-explicit-constructor)
  template <class T>
  KernelArgument(T* pointer)  // NOLINT(google-explicit-constructor)
      : KernelArgument(Kind::pointer, &pointer, sizeof(void*), {}) {}
  template <class T>
  requires(std::is_class_v<T>&& std::is_trivially_copyable_v<T> && !std::is_base_of_v<Scalar, T>)
      KernelArgument(const T& value)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::structure), size_(sizeof value), address_(&value) {}

  Kind kind() const { return kind_; }
  const ndarray& array() const { return *array_; }
  cupyxx::dtype dtype() const { return dtype_; }
  std::size_t size() const { return size_; }
  /// The bytes of the argument.
  const void* address() const { return address_ != nullptr ? address_ : bits_; }

 private:
  KernelArgument(Kind kind, const void* value, std::size_t size, cupyxx::dtype type);

  Kind kind_;
  cupyxx::dtype dtype_;
  std::size_t size_ = 0;
  const ndarray* array_ = nullptr;
  const void* address_ = nullptr;  // of a struct
  unsigned char bits_[16] = {};
};

/// What the compiler made of a kernel, for the current device.
struct KernelAttributes {
  int max_threads_per_block = 0;
  int num_regs = 0;                    ///< registers of each thread
  std::int64_t shared_size_bytes = 0;  ///< static shared memory of each block
  std::int64_t const_size_bytes = 0;
  std::int64_t local_size_bytes = 0;  ///< of each thread
  int binary_version = 0;             ///< 90
  int ptx_version = 0;
  bool cache_mode_ca = false;
  int max_dynamic_shared_size_bytes = 0;     ///< what a launch may ask for without a change
  int preferred_shared_memory_carveout = 0;  ///< percent, -1 for the driver's choice
};

/// Options of a RawKernel.
struct RawKernelOptions {
  /// Options for the compiler.
  std::vector<std::string> options = {};
  /// Only "nvrtc".
  std::string backend = "nvrtc";
  /// Launches may synchronise the whole grid (cooperative_groups::this_grid()).
  bool enable_cooperative_groups = false;
  /// What LaunchOptions says of one call, of all.
  bool any_layout = false;
};

/// One kernel. Copies share what was compiled; threads may call one kernel at the same time.
/// Nothing is compiled before the first use, which needs a CUDA device.
class CUPYXX_API RawKernel {
 public:
  /// `name` is an extern "C" function of `code`, or a C++ one: "ns::axpy", "axpy<float>".
  RawKernel(std::string_view code, std::string_view name, const RawKernelOptions& options = {});

  /// Enqueues the kernel on the current stream of the arrays' device (of the current device where
  /// there is no array).
  template <class... T>
  void operator()(const Dim3& grid, const Dim3& block, const T&... arguments) const {
    launch({.grid = grid, .block = block}, arguments...);
  }
  /// The same with CuPy's tuple of arguments: `kernel({5}, {5}, {x, y, z})`.
  void operator()(const Dim3& grid, const Dim3& block,
                  std::initializer_list<KernelArgument> arguments) const;
  template <class... T>
  void launch(const LaunchOptions& options, const T&... arguments) const {
    const KernelArgument list[sizeof...(T) + 1] = {KernelArgument(arguments)..., none};
    launch_list(options, {list, sizeof...(T)});
  }
  /// The same for a list made at run time.
  void launch_list(const LaunchOptions& options, std::span<const KernelArgument> arguments) const;

  const std::string& name() const;
  /// Compiles and loads the kernel for the current device.
  void compile() const;
  KernelAttributes attributes() const;
  /// Lets launches on the current device ask for this much dynamic shared memory.
  void set_max_dynamic_shared_size_bytes(int bytes) const;
  /// Asks for a share of the cache as shared memory: percent, or -1.
  void set_preferred_shared_memory_carveout(int percent) const;
  /// Blocks of a size that one multiprocessor can run at a time.
  int max_active_blocks(const Dim3& block, std::int64_t shared_mem = 0) const;
  /// The block size that fills a multiprocessor best.
  int best_block_size(std::int64_t shared_mem = 0) const;

 private:
  friend class RawModule;
  explicit RawKernel(internal::Shared<const internal::raw_kernel::Function> function);

  internal::Shared<const internal::raw_kernel::Function> function_;
};

/// Options of a RawModule.
struct RawModuleOptions {
  /// Options for the compiler.
  std::vector<std::string> options = {};
  /// Only "nvrtc".
  std::string backend = "nvrtc";
  bool enable_cooperative_groups = false;
  /// As of a RawKernel, of all functions.
  bool any_layout = false;
  /// C++ names that get_function() and get_global() will ask for: "axpy<float>", "ns::table".
  /// Templates must be listed; other functions need not.
  std::vector<std::string> name_expressions = {};
};

/// A source, or machine code, of several kernels.
class CUPYXX_API RawModule {
 public:
  explicit RawModule(std::string_view code, const RawModuleOptions& options = {});
  /// Reads PTX, cubin or fatbin (or a source, where the name ends in .cu). Throws IOError.
  static RawModule load(const std::string& path, const RawModuleOptions& options = {});
  /// The same from memory.
  static RawModule from_image(std::string_view image, const RawModuleOptions& options = {});

  /// A kernel: an extern "C" name, a name expression, or a mangled name. That it exists is checked
  /// when it is compiled.
  RawKernel get_function(std::string_view name) const;
  /// A `__device__` or `__constant__` variable on the current device as an array over its memory,
  /// one-dimensional. Throws ValueError for an unknown name and for a size that `dtype` does not
  /// divide.
  ndarray get_global(std::string_view name, cupyxx::dtype dtype = uint8) const;
  /// Compiles and loads the module for the current device.
  void compile() const;

 private:
  RawModule() = default;

  internal::Shared<const internal::raw_kernel::Module> module_;
};

}  // namespace cupyxx

#include "cupyxx/memoize.h"
