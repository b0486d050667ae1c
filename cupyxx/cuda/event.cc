// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/event.h"

#include <atomic>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

struct Event::Impl {
  std::atomic<int> refs{1};
  int device = 0;
  void* event = nullptr;
};

Event::Event(const EventOptions& options) : impl_(nullptr) {
  const int device = gpu::current_device();
  gpu::check_device("cuda", device);
  void* event = gpu::create_event(device, {.blocking = options.block,
                                           .timing = !options.disable_timing,
                                           .interprocess = options.interprocess});
  impl_ = new Impl{.device = device, .event = event};
}

Event::Event(const Event& other) : impl_(other.impl_) {
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
}

Event& Event::operator=(const Event& other) {
  Event copy(other);
  Impl* mine = impl_;
  impl_ = copy.impl_;
  copy.impl_ = mine;
  return *this;
}

Event::~Event() {
  if (impl_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  gpu::destroy_event(impl_->device, impl_->event);
  delete impl_;
}

void* Event::ptr() const { return impl_->event; }

bool Event::done() const { return gpu::event_done(impl_->event); }

void Event::record() const {
  gpu::record_event(impl_->device, impl_->event, gpu::current_stream(impl_->device));
}

void Event::record(const Stream& stream) const { stream.record(*this); }

void Event::synchronize() const { gpu::synchronize_event(impl_->event); }

float get_elapsed_time(const Event& start, const Event& end) {
  return gpu::elapsed_milliseconds(start.ptr(), end.ptr());
}

}  // namespace cupyxx::cuda
