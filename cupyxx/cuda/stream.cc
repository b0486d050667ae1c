// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/stream.h"

#include <atomic>

#include "cupyxx/cuda/event.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

struct Stream::Impl {
  std::atomic<int> refs{1};
  int device = 0;
  void* stream = nullptr;
};

Stream::Stream(const StreamOptions& options) : impl_(nullptr) {
  const int device = gpu::current_device();
  gpu::check_device("cuda", device);
  void* stream = options.null ? nullptr : gpu::create_stream(device, options.non_blocking);
  impl_ = new Impl{.device = device, .stream = stream};
}

Stream::Stream(const Stream& other) : impl_(other.impl_) {
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
}

Stream& Stream::operator=(const Stream& other) {
  Stream copy(other);
  Impl* mine = impl_;
  impl_ = copy.impl_;
  copy.impl_ = mine;
  return *this;
}

Stream::~Stream() {
  if (impl_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (impl_->stream) gpu::destroy_stream(impl_->device, impl_->stream);
  delete impl_;
}

void* Stream::ptr() const { return impl_->stream; }

int Stream::device() const { return impl_->device; }

bool Stream::done() const { return gpu::stream_done(impl_->device, impl_->stream); }

void Stream::synchronize() const { gpu::synchronize(impl_->device, impl_->stream); }

Event Stream::record() const {
  const Event event;
  record(event);
  return event;
}

void Stream::record(const Event& event) const {
  gpu::record_event(impl_->device, event.ptr(), impl_->stream);
}

void Stream::wait_event(const Event& event) const {
  gpu::stream_wait_event(impl_->device, impl_->stream, event.ptr());
}

void* get_current_stream_ptr() { return gpu::current_stream(gpu::current_device()); }

void synchronize_current_stream() {
  if (gpu::device_count() == 0) return;
  const int device = gpu::current_device();
  gpu::synchronize(device, gpu::current_stream(device));
}

StreamScope::StreamScope(const Stream& stream)
    : stream_(stream), previous_(gpu::current_stream(stream.device())) {
  gpu::set_current_stream(stream_.device(), stream_.ptr());
}

StreamScope::~StreamScope() { gpu::set_current_stream(stream_.device(), previous_); }

}  // namespace cupyxx::cuda
