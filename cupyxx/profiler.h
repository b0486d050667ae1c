// SPDX-License-Identifier: MIT
// How long a function takes, on the host and on the device apart, and ranges for profilers.
//
//   std::cout << cupyxx::profiler::benchmark([&] { y = cp::exp(x); }, {.name = "exp"});
//   // exp : CPU: 3.412 us +/- 0.211 (min: 3.260 / max: 9.914) GPU-0: 4.130 us +/- 0.090 (...)
#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/cuda/nvtx.h"
#include "cupyxx/export.h"

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
struct Times {
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
