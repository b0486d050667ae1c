// SPDX-License-Identifier: MIT
#include "cupyxx/extension/measured_choice.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/extension/kept_text.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::extension {
namespace {

namespace gpu = internal::gpu;

constexpr float kNever = std::numeric_limits<float>::infinity();

class TimedEvent {
 public:
  explicit TimedEvent(int device)
      : device_(device), event_(gpu::create_event(device, {.timing = true})) {}
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() { gpu::destroy_event(device_, event_); }

  void* get() const { return event_; }

 private:
  int device_;
  void* event_;
};

/// Milliseconds of a run: the better of two series, of which the second is long enough to be told
/// from noise.
float time_of(int device, const std::function<bool()>& run) {
  constexpr int kWarm = 2, kFew = 5, kMany = 20;
  constexpr float kShort = 1;  // milliseconds of the few
  void* const stream = gpu::current_stream(device);
  const TimedEvent begin(device), end(device);
  const auto series = [&](int count) {
    gpu::record_event(device, begin.get(), stream);
    for (int i = 0; i < count; ++i) {
      if (!run()) return kNever;
    }
    gpu::record_event(device, end.get(), stream);
    gpu::synchronize_event(end.get());
    return gpu::elapsed_milliseconds(begin.get(), end.get());
  };
  if (series(kWarm) == kNever) return kNever;
  const float few = series(kFew);
  const float each = few / kFew;
  return few >= kShort ? each : std::min(each, series(kMany) / kMany);
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

bool tunes() {
  static const bool wanted = environment_switch("CUPYXX_TUNE", false);
  return wanted;
}

std::size_t measured_choice(std::string_view key, const std::vector<std::string>& names,
                            const std::function<float(std::size_t)>& time) {
  if (const auto earlier = find_kept_text(key)) {
    const std::size_t place = place_of(names, *earlier);
    if (place < names.size()) return place;
  }
  std::size_t best = 0;
  float least = kNever;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float found = time(i);
    if (found >= least) continue;
    least = found;
    best = i;
  }
  if (least != kNever) keep_text(key, names[best]);
  return best;
}

std::size_t measured_choice(std::string_view key, const std::vector<std::string>& names, int device,
                            const std::function<bool(std::size_t)>& run) {
  const bool is_captured = static_cast<bool>(Capture::current());
  return measured_choice(key, names, [&](std::size_t i) {
    return is_captured ? kNever : time_of(device, [&] { return run(i); });
  });
}

}  // namespace cupyxx::extension
