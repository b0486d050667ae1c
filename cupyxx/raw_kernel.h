// SPDX-License-Identifier: MIT
// Kernels in CUDA C++ with a grid of their own, for arrays on CUDA devices.
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
// not checked: arrays are passed as the address of their first element, whatever their strides.
//
// Sources are compiled by NVRTC at the first use on a device; what was compiled is kept in memory
// and on disk (CUPYXX_CACHE_DIR). A source that does not compile is a CompileError with the log
// and the ten numbered lines around the first error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

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
};

/// One argument of a raw kernel: an array (its address; None is a TypeError), a number of exactly
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
      : KernelArgument(Kind::pointer, &pointer, sizeof pointer, {}) {}
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
  explicit RawKernel(std::shared_ptr<const internal::raw_kernel::Function> function);

  std::shared_ptr<const internal::raw_kernel::Function> function_;
};

/// Options of a RawModule.
struct RawModuleOptions {
  /// Options for the compiler.
  std::vector<std::string> options = {};
  /// Only "nvrtc".
  std::string backend = "nvrtc";
  bool enable_cooperative_groups = false;
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

  std::shared_ptr<const internal::raw_kernel::Module> module_;
};

}  // namespace cupyxx
