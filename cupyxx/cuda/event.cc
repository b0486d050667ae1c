// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/event.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

struct Event::Impl {
  std::atomic<int> refs{1};
  int device = 0;
  void* event = nullptr;
  EventOptions options = {};
  std::atomic<bool> recorded{false};
  std::atomic<std::int64_t> time{0};  // on the host (device -1): nanoseconds when it was recorded

  bool on_host() const { return device < 0; }
  void mark() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    time.store(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
               std::memory_order_relaxed);
    recorded.store(true, std::memory_order_relaxed);
  }
};

Event::Event(const EventOptions& options) : impl_(nullptr) {
  if (options.interprocess && !options.disable_timing) {
    throw ValueError("Event: interprocess needs disable_timing");
  }
  if (gpu::device_count() == 0) {
    impl_ = new Impl{.device = -1, .options = options};
    return;
  }
  const int device = gpu::current_device();
  gpu::check_device("cuda", device);
  void* event = gpu::create_event(device, {.blocking = options.block,
                                           .timing = !options.disable_timing,
                                           .interprocess = options.interprocess});
  impl_ = new Impl{.device = device, .event = event, .options = options};
}

Event Event::from_handle(const EventHandle& handle) {
  const int device = gpu::current_device();
  gpu::check_device("cuda", device);
  char bytes[gpu::kIpcHandleBytes];
  std::copy(handle.begin(), handle.end(), bytes);
  void* event = gpu::import_event(device, bytes);
  return Event(new Impl{
      .device = device, .event = event, .options = {.disable_timing = true, .interprocess = true}});
}

Event::Event(const Event& other) : impl_(other.impl_) {
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
}

Event& Event::operator=(const Event& other) {
  Event copy(other);
  std::swap(impl_, copy.impl_);
  return *this;
}

Event::~Event() {
  if (impl_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!impl_->on_host()) gpu::destroy_event(impl_->device, impl_->event);
  delete impl_;
}

void* Event::ptr() const { return impl_->event; }

int Event::device() const { return impl_->device; }

bool Event::done() const { return impl_->on_host() || gpu::event_done(impl_->event); }

void Event::record() const {
  if (impl_->on_host()) return impl_->mark();
  gpu::record_event(impl_->device, impl_->event, gpu::current_stream(impl_->device));
  impl_->recorded.store(true, std::memory_order_relaxed);
}

void Event::record(const Stream& stream) const {
  if (stream.device() != impl_->device) {
    throw DeviceError(message("Event: the event is of cuda:", impl_->device,
                              ", the stream of cuda:", stream.device()));
  }
  if (impl_->on_host()) return impl_->mark();
  gpu::record_event(impl_->device, impl_->event, stream.ptr());
  impl_->recorded.store(true, std::memory_order_relaxed);
}

void Event::synchronize() const {
  if (!impl_->on_host()) gpu::synchronize_event(impl_->event);
}

EventHandle Event::export_handle() const {
  if (!impl_->options.interprocess) {
    throw ValueError("Event: only an event made with interprocess has a handle");
  }
  if (impl_->on_host()) gpu::check_device("Event", 0);
  char bytes[gpu::kIpcHandleBytes];
  gpu::export_event(impl_->event, bytes);
  EventHandle handle;
  std::copy(std::begin(bytes), std::end(bytes), handle.begin());
  return handle;
}

float get_elapsed_time(const Event& start, const Event& end) {
  if (start.device() != end.device()) {
    throw DeviceError(message("get_elapsed_time: events of two devices: cuda:", start.device(),
                              " and cuda:", end.device()));
  }
  for (const Event* event : {&start, &end}) {
    if (event->impl_->options.disable_timing) {
      throw ValueError("get_elapsed_time: an event was made with disable_timing");
    }
    if (!event->impl_->recorded.load(std::memory_order_relaxed)) {
      throw ValueError("get_elapsed_time: an event was never recorded");
    }
    if (!event->done()) throw ValueError("get_elapsed_time: an event has not finished");
  }
  if (start.impl_->on_host()) {
    const std::int64_t nanoseconds = end.impl_->time.load(std::memory_order_relaxed) -
                                     start.impl_->time.load(std::memory_order_relaxed);
    return static_cast<float>(static_cast<double>(nanoseconds) * 1e-6);
  }
  return gpu::elapsed_milliseconds(start.ptr(), end.ptr());
}

}  // namespace cupyxx::cuda
