// SPDX-License-Identifier: MIT
// Kernels by source: found in the bundle, in this process, in the disk cache, or compiled by NVRTC,
// in that order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/extension/grid.h"

namespace cupyxx::internal::jit {

/// A loaded kernel; lives for ever. Usable on every device of its architecture.
struct Kernel;

/// A program of one kernel. The text may include the device-safe headers of this repository by
/// their full path ("cupyxx/ops/exp_log.h"); `entry` is an extern "C" __global__ function.
struct Program {
  std::string name;  // for messages: "add_float32"
  std::string text;
  std::string entry = "kernel";
  std::vector<std::string> options = {};  // beside the library's own
  // Not 0: it calls await_kernel_before() and allow_next_kernel() (kernels/cluster.h), and begins
  // early with at most so many blocks for each multiprocessor.
  double overlaps = 0;
};

/// The kernel of a program on a device. Throws CompileError with the log and the numbered source.
const Kernel* load(int device, const Program& program);

/// Whether the bundle has a program for a device.
bool is_bundled(int device, const Program& program);

/// Compiles a program for an architecture ("sm_90") without a device; returns the cubin. Throws
/// CompileError, or Error when NVRTC is absent. For tests and for the bundle tool.
std::string compile(const Program& program, std::string_view architecture);
/// The same through the disk cache, so that tests may compile many programs again and again.
std::string compile_cached(const Program& program, std::string_view architecture);
/// Whether NVRTC can be loaded.
bool nvrtc_available();

/// What a generated entry does first: it waits for the kernel before it on its stream, and for all
/// that it stored. A kernel whose text has this is launched while the one before it ends
/// (programmatic dependent launch).
inline constexpr char kWaitForKernelBefore[] =
    "#if __CUDA_ARCH__ >= 900\n"
    "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
    "#endif\n";

using LaunchShape = extension::Grid;

/// Enqueues a kernel that takes one parameter, a struct, by value; the stream's device must be
/// current. A failure throws CudaError with
/// the kernel's name, grid and stream.
void launch(const Kernel* kernel, const LaunchShape& shape, void* stream, const void* argument);

/// The same for a kernel of several parameters: the address of each.
void launch_with(const Kernel* kernel, const LaunchShape& shape, void* stream, void** arguments);

/// The address on a device of a global variable of a program. Throws ValueError.
void* find_global(int device, const Program& program, const char* name, std::size_t* nbytes);

/// What the compiler made of a kernel.
struct KernelInfo {
  int max_threads_per_block = 0;
  int registers = 0;
  std::size_t shared_bytes = 0;  // static
  std::size_t constant_bytes = 0;
  std::size_t local_bytes = 0;
  int binary_version = 0;  // 90
  int ptx_version = 0;
  bool caches_in_l1 = false;
  int dynamic_shared_bytes = 0;  // what a launch may ask for
  int carveout = 0;              // percent of the cache as shared memory; -1: the driver's choice
};
KernelInfo kernel_info(int device, const Kernel* kernel);

/// What the caches did in this process.
struct CacheStats {
  std::uint64_t bundle_hits = 0, disk_hits = 0, compiled = 0;
  std::uint64_t host_disk_hits = 0, host_compiled = 0;  // by the C++ compiler
};
CacheStats cache_stats();
/// Has a function called with each program that is looked for and not in the bundle; null: none.
void set_miss_hook(void (*hook)(const Program&));

}  // namespace cupyxx::internal::jit
