// SPDX-License-Identifier: MIT
// Sources of several kernels, as users write them: compiled with the user's options only, their C++
// names lowered, loaded from source or from machine code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

class DiskCache;

struct ModuleSource {
  std::string name;  // for messages
  std::string text;
  std::vector<std::string> options = {};
  std::vector<std::string> name_expressions = {};
};

/// Machine code (or PTX, where an option asks for a virtual architecture), and the mangled names of
/// the name expressions.
struct ModuleImage {
  std::string data;
  std::vector<std::string> lowered;
};

/// Compiles by NVRTC; needs no device. Throws CompileError, or Error when NVRTC is absent.
ModuleImage compile_module(const ModuleSource& source, std::string_view architecture);
/// The options that compile_module() passes: ours for the language, the architecture and the
/// toolkit's headers, unless the user's set the same, then the user's.
std::vector<std::string> module_options(const ModuleSource& source, std::string_view architecture);
/// The same through a disk cache. Files that the source includes count in the key.
ModuleImage find_module(const ModuleSource& source, std::string_view architecture,
                        DiskCache& cache);

/// "sm_90", the architecture of a device.
std::string architecture_of(int device);

/// Machine code on a device; lives for ever.
struct Module;
/// `name` is for messages. Images that are equal share what was loaded. Throws CudaError.
const Module* load_module(int device, const std::string& name, std::string_view image);
/// A kernel by its exact name; null when there is none. `shown` is its name in messages.
const Kernel* find_kernel(const Module* module, const std::string& name, const std::string& shown);
/// The exact names of all kernels.
std::vector<std::string> kernel_names(const Module* module);
/// The address and size of a global variable; null when there is none.
void* find_global(const Module* module, const std::string& name, std::size_t* nbytes);

/// Where a parameter lies in a kernel's argument buffer.
struct ParameterPlace {
  std::size_t offset = 0;
  std::size_t size = 0;
};
/// What the driver knows of a kernel's parameters. False where it is too old to tell.
bool kernel_parameters(const Kernel* kernel, std::vector<ParameterPlace>* places);

/// Blocks of `threads` threads that one multiprocessor can hold.
int active_blocks(int device, const Kernel* kernel, int threads, std::size_t shared_bytes);
/// Sets a limit of dynamic shared memory, or a share of the cache in percent (-1: no preference).
void set_dynamic_shared(int device, const Kernel* kernel, int bytes);
void set_carveout(int device, const Kernel* kernel, int percent);

}  // namespace cupyxx::internal::jit
