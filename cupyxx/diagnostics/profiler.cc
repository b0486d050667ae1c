// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <ostream>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/diagnostics.h"
#include "cupyxx/error.h"

namespace cupyxx::profiler {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The events around a call; nothing when no device counts.
struct DeviceClock {
  cuda::Event begin, end;
  DeviceClock() : end(cuda::EventOptions{.block = true}) {}
};

std::string times_text(const char* label, const Times& times) {
  char text[160];
  std::snprintf(text, sizeof text, "%s: %9.3f us +/- %6.3f (min: %9.3f / max: %9.3f) us", label,
                times.mean() * 1e6, times.std() * 1e6, times.min() * 1e6, times.max() * 1e6);
  return text;
}

}  // namespace

double Times::mean() const {
  if (seconds.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double Times::std() const {
  const double m = mean();
  double squares = 0;
  for (const double s : seconds) squares += (s - m) * (s - m);
  return std::sqrt(squares / static_cast<double>(seconds.size()));
}

double Times::min() const {
  return seconds.empty() ? mean() : *std::min_element(seconds.begin(), seconds.end());
}

double Times::max() const {
  return seconds.empty() ? mean() : *std::max_element(seconds.begin(), seconds.end());
}

double Times::median() const {
  if (seconds.empty()) return mean();
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::string BenchmarkResult::str() const {
  char head[64];
  std::snprintf(head, sizeof head, "%-20s: ", name.c_str());
  // Names longer than the column are kept whole.
  std::string text = (name.size() > 20 ? name + ": " : head) + times_text("CPU", cpu);
  if (device >= 0) text += "  " + times_text(("GPU-" + std::to_string(device)).c_str(), gpu);
  return text;
}

std::ostream& operator<<(std::ostream& os, const BenchmarkResult& result) {
  return os << result.str();
}

namespace internal {

BenchmarkResult run(void (*call)(void*), void* f, const BenchmarkOptions& options) {
  if (options.n_repeat < 1) {
    throw ValueError(
        message("benchmark: at least one call is needed; n_repeat ", options.n_repeat));
  }
  if (options.n_warmup < 0) {
    throw ValueError(message("benchmark: negative n_warmup; ", options.n_warmup));
  }
  BenchmarkResult result{.name = options.name};
  std::optional<DeviceClock> clock;
  if (current_device().is_cuda()) {
    result.device = current_device().index;
    clock.emplace();
  }
  for (std::int64_t i = 0; i < options.n_warmup; ++i) call(f);
  if (clock) cuda::synchronize_current_stream();
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < options.n_repeat; ++i) {
    if (i > 0 && seconds_since(start) > options.max_duration) break;
    if (clock) clock->begin.record();
    const Clock::time_point begin = Clock::now();
    call(f);
    result.cpu.seconds.push_back(seconds_since(begin));
    if (!clock) continue;
    clock->end.record();
    cuda::synchronize_current_stream();
    result.gpu.seconds.push_back(
        static_cast<double>(cuda::get_elapsed_time(clock->begin, clock->end)) * 1e-3);
  }
  return result;
}

}  // namespace internal

time_range::time_range(const std::string& message, int id_color, bool sync) : sync_(sync) {
  if (sync_) cuda::synchronize_current_stream();
  cuda::nvtx::RangePush(message, id_color);
}

time_range::~time_range() {
  try {
    if (sync_) cuda::synchronize_current_stream();
  } catch (...) {
    // What went wrong is thrown again by the next wait.
  }
  cuda::nvtx::RangePop();
}

}  // namespace cupyxx::profiler
