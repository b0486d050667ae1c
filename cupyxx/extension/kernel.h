// SPDX-License-Identifier: MIT
// Device kernels of a library beside cupyxx. A kernel is a template in a device-safe header of the
// library; an object beside its launch says which:
//
//   const Kernel<kernels::SoftmaxArgs> kSoftmaxRows{kLibrary, "softmax_rows", "softmax.h",
//                                                   "softmax<T, 32>"};
//   ...
//   kSoftmaxRows.launch(x.dtype(), grid, args, {&x, &out});
//
// The library's list of these objects is what its bundle is made of (bundle_maker.h).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/extension/grid.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/extension/type_name.h"

namespace cupyxx {
class ndarray;
}

namespace cupyxx::extension {

class KernelFamily;

/// What the kernels of a library have in common. Make it `constinit`: kernels add themselves before
/// main() begins.
struct KernelLibrary {
  static constexpr int kMostTypes = 4;

  const char* name;         ///< for messages
  const char* folder;       ///< of the headers with the kernels, "chainerxx/internal/kernels/"
  const char* scope;        ///< the namespace that `call` of a kernel is written in
  dtype types[kMostTypes];  ///< what T may be; unspecified ones at the end
  void (*add_texts)();      ///< calls add_device_texts() with all headers; may come often
  mutable const KernelFamily* kernels = nullptr;  ///< all of them; see KernelFamily::next()

  bool has(dtype type) const {
    return std::find(types, types + kMostTypes, type) != types + kMostTypes;
  }
};

/// The kernels of one template, for all types of a library.
class CUPYXX_API KernelFamily {
 public:
  KernelFamily(const KernelFamily&) = delete;
  KernelFamily& operator=(const KernelFamily&) = delete;

  const char* name() const { return name_; }
  /// The most of a block; 0 where any number will do.
  unsigned threads() const { return threads_; }
  /// The next one of the library, or null.
  const KernelFamily* next() const { return next_; }
  /// The name for one type, "softmax_rows_float32", as errors have it.
  std::string name_of(dtype type) const;
  /// The machine code for a type and an architecture, "sm_90" or "compute_90", without a device:
  /// for tests that all kernels compile. It is kept on disk. Throws DtypeError, CompileError with
  /// the log and the numbered source, and Error where can_compile() is false.
  std::string compile(dtype type, std::string_view architecture) const;
  /// Whether there is a compiler for kernels, NVRTC.
  static bool can_compile();
  /// The complete program for a type, for the bundle's maker. Throws DtypeError.
  internal::jit::Program program(dtype type) const;
  /// Kernel::launch for who does not know the type of the arguments.
  void launch_with(dtype type, const Grid& grid, const void* args,
                   std::initializer_list<const ndarray*> arrays) const;

 protected:
  KernelFamily(const KernelLibrary& library, const char* name, const char* file, const char* call,
               std::string_view args, unsigned threads);
  ~KernelFamily() = default;

 private:
  int type_index(dtype type) const;

  const KernelLibrary* library_;  // null before the object is made
  const char* name_;
  const char* file_;
  const char* call_;
  std::string_view args_;
  unsigned threads_;
  const KernelFamily* next_;
  mutable KernelSlot slots_[KernelLibrary::kMostTypes];
};

/// A kernel that takes an Args, a struct of a device-safe header. Its objects have static storage.
template <class Args>
class Kernel final : public KernelFamily {
  static_assert(std::is_trivially_copyable_v<Args>);

 public:
  /// `call` is what the kernel does with `args` and the element type T: "softmax<T, 32>"; `threads`
  /// the most of a block, where registers must be left for all of them.
  Kernel(const KernelLibrary& library, const char* name, const char* file, const char* call,
         unsigned threads = 0)
      : KernelFamily(library, name, file, call, type_name<Args>(), threads) {}

  /// Enqueues the kernel on the current stream of the arrays' device. `arrays` are those it
  /// touches, so that their memory stays alive; the first is not None. Throws DtypeError,
  /// CudaError, CompileError.
  void launch(dtype type, const Grid& grid, const Args& args,
              std::initializer_list<const ndarray*> arrays) const {
    launch_with(type, grid, &args, arrays);
  }
};

}  // namespace cupyxx::extension
