// SPDX-License-Identifier: MIT
// What a program can learn about itself: times, what it runs on, its cache of kernels.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/cuda/nvtx.h"
#include "cupyxx/export.h"

// ---- How long a function takes, on the host and on the device apart, and ranges for profilers.
//
//   std::cout << cupyxx::profiler::benchmark([&] { y = cp::exp(x); }, {.name = "exp"});
//   // exp : CPU: 3.412 us +/- 0.211 (min: 3.260 / max: 9.914) GPU-0: 4.130 us +/- 0.090 (...)

namespace cupyxx::profiler {

/// Options of benchmark().
struct BenchmarkOptions {
  std::string name = "benchmark";
  std::int64_t n_repeat = 10000;
  std::int64_t n_warmup = 10;  ///< calls before, that are not counted: compiling, filling pools
  /// Seconds after which no further call begins.
  double max_duration = std::numeric_limits<double>::infinity();
};

/// What single calls took.
struct CUPYXX_API Times {
  std::vector<double> seconds;  ///< of each call

  double mean() const;
  /// Standard deviation.
  double std() const;
  double min() const;
  double median() const;
  double max() const;
};

/// Times of a function.
struct BenchmarkResult {
  std::string name;
  /// From the call to its return: what the host has to do.
  Times cpu = {};
  /// Between two events around the call on the current stream. The wait for the first kernel is in
  /// it, so a call that enqueues slowly cannot take less than on the host. Empty without a device.
  Times gpu = {};
  int device = -1;  ///< the CUDA device; -1 for none

  /// One line: "name : CPU: mean us +/- std (min: .. / max: ..) us GPU-0: ...".
  CUPYXX_API std::string str() const;
};
CUPYXX_API std::ostream& operator<<(std::ostream& os, const BenchmarkResult& result);

namespace internal {
CUPYXX_API BenchmarkResult run(void (*call)(void*), void* f, const BenchmarkOptions& options);
}  // namespace internal

/// Calls `f()` many times, waiting for the device after each call. The device counts when a CUDA
/// device is the current one. Throws ValueError for less than one call and negative warm-ups; what
/// `f` throws passes through.
template <class F>
BenchmarkResult benchmark(F&& f, const BenchmarkOptions& options = {}) {
  using Function = std::remove_reference_t<F>;
  const auto call = [](void* function) { (*static_cast<Function*>(function))(); };
  return internal::run(call, const_cast<void*>(static_cast<const void*>(std::addressof(f))),
                       options);
}

/// A range on a profiler's timeline until the end of the scope. With `sync` the device is waited
/// for at both ends, so that the range covers the work that was enqueued in it.
class CUPYXX_API time_range {
 public:
  explicit time_range(const std::string& message, int id_color = -1, bool sync = false);
  ~time_range();
  time_range(const time_range&) = delete;
  time_range& operator=(const time_range&) = delete;

 private:
  bool sync_;
};

}  // namespace cupyxx::profiler

// ---- What this process runs on and with: versions, devices, caches, pools, environment.

namespace cupyxx {

/// The description as text, one "name : value" per line. Opens no library and makes no context on
/// a device: libraries that are not loaded yet are described by the file that would be.
CUPYXX_API std::string config_text();
/// Prints it to std::cout, or to a stream.
CUPYXX_API void show_config();
CUPYXX_API void show_config(std::ostream& os);

// ---- Where this process found its kernels, and the folder in which compiled ones are kept:
// CUPYXX_CACHE_DIR, else CUPY_CACHE_DIR, else cupyxx in the user's cache folder. It grows to
// CUPYXX_CACHE_SIZE bytes at most ("2G"; the default is 512 MiB).

/// What the caches of kernels hold, and what this process took from them.
struct KernelCacheInfo {
  // Of this process: where kernels came from.
  std::uint64_t bundle_hits = 0;     ///< built with the program
  std::uint64_t disk_hits = 0;       ///< found in the folder
  std::uint64_t compiled = 0;        ///< by NVRTC
  std::uint64_t host_disk_hits = 0;  ///< for arrays on the host, found in the folder
  std::uint64_t host_compiled = 0;   ///< by the C++ compiler

  // Of the folder.
  std::string directory;  ///< empty: nothing is kept
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;
};

/// Counts since the start of the process; looks into the folder.
CUPYXX_API KernelCacheInfo kernel_cache_info();
/// Removes all kernels from the folder. Those in use stay in use.
CUPYXX_API void clear_kernel_cache();

/// Prints a few lines.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const KernelCacheInfo& info);

}  // namespace cupyxx
