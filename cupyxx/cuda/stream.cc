// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/stream.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cupyxx/cuda/event.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

struct Stream::Impl {
  std::atomic<int> refs{1};
  int device = 0;  // -1: the host
  void* stream = nullptr;
  bool ours = false;
  // On the host: what was asked for, and what calls threw that no wait has thrown again.
  int priority = 0;
  std::mutex mutex = {};
  std::vector<std::exception_ptr> failures = {};

  bool on_host() const { return device < 0; }
  void throw_failure() {
    const std::unique_lock lock(mutex);
    if (failures.empty()) return;
    const std::exception_ptr first = failures.front();
    failures.erase(failures.begin());
    std::rethrow_exception(first);
  }
};

namespace {

// Where a new stream is; the host on a machine without devices.
int stream_device() {
  if (gpu::device_count() == 0) return -1;
  const int device = gpu::current_device();
  gpu::check_device("cuda", device);
  return device;
}

// What keeps streams of this thread alive: the current ones, and those of the option per_thread.
struct ThreadStreams {
  struct Entry {
    int device;
    Stream stream;
  };
  std::vector<Entry> current;
  std::vector<Entry> own;

  ~ThreadStreams() {
    for (const Entry& entry : current) {
      if (entry.device >= 0) gpu::set_current_stream(entry.device, nullptr);
    }
    ending = true;
  }
  static thread_local constinit bool ending;
};
thread_local constinit bool ThreadStreams::ending = false;

ThreadStreams& thread_streams() {
  static thread_local ThreadStreams streams;
  return streams;
}

Stream* find(std::vector<ThreadStreams::Entry>& entries, int device) {
  for (ThreadStreams::Entry& entry : entries) {
    if (entry.device == device) return &entry.stream;
  }
  return nullptr;
}

void make_current(const Stream& stream) {
  if (stream.device() >= 0) gpu::set_current_stream(stream.device(), stream.ptr());
  if (ThreadStreams::ending) return;
  ThreadStreams& streams = thread_streams();
  if (Stream* known = find(streams.current, stream.device())) {
    *known = stream;
  } else {
    streams.current.push_back({stream.device(), stream});
  }
}

void check_options(const StreamOptions& options) {
  const bool is_new = !options.null && !options.per_thread;
  if (options.null && options.per_thread) {
    throw ValueError("Stream: null and per_thread are two streams");
  }
  if (!is_new && (options.non_blocking || options.priority != 0)) {
    throw ValueError("Stream: a default stream takes no further options");
  }
}

}  // namespace

Stream::Stream(const StreamOptions& options) : impl_(nullptr) {
  check_options(options);
  const int device = stream_device();
  if (options.null && device < 0) {
    impl_ = host_null();
    return;
  }
  if (options.per_thread) {
    // A queue of our own with the meaning of cudaStreamPerThread, whose handle is the same in each
    // thread: memory could not tell one thread's queue from another's.
    ThreadStreams& streams = thread_streams();
    Stream* own = find(streams.own, device);
    if (own == nullptr) {
      streams.own.push_back({device, Stream()});
      own = &streams.own.back().stream;
    }
    impl_ = own->impl_;
    impl_->refs.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (device < 0) {
    impl_ = new Impl{.device = device, .priority = options.priority};
    return;
  }
  void* stream = options.null ? nullptr
                              : gpu::create_stream(device, {.non_blocking = options.non_blocking,
                                                            .priority = options.priority});
  impl_ = new Impl{.device = device, .stream = stream, .ours = !options.null};
}

Stream::Stream(const Stream& other) : impl_(other.impl_) {
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
}

Stream& Stream::operator=(const Stream& other) {
  Stream copy(other);
  std::swap(impl_, copy.impl_);
  return *this;
}

Stream::~Stream() {
  if (impl_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (impl_->ours) gpu::destroy_stream(impl_->device, impl_->stream);
  delete impl_;
}

void* Stream::ptr() const { return impl_->stream; }

int Stream::device() const { return impl_->device; }

int Stream::priority() const {
  return impl_->on_host() ? impl_->priority : gpu::stream_priority(impl_->device, impl_->stream);
}

bool Stream::done() const {
  return impl_->on_host() || gpu::stream_done(impl_->device, impl_->stream);
}

void Stream::synchronize() const {
  if (impl_->on_host()) return impl_->throw_failure();
  gpu::synchronize(impl_->device, impl_->stream);
}

void Stream::use() const { make_current(*this); }

Event Stream::record() const {
  std::optional<gpu::ChosenDevice> on;
  if (!impl_->on_host()) on.emplace("record", impl_->device);
  const Event event;
  event.record(*this);
  return event;
}

Event Stream::record(const Event& event) const {
  event.record(*this);
  return event;
}

void Stream::wait_event(const Event& event) const {
  if (impl_->on_host()) return;
  gpu::stream_wait_event(impl_->device, impl_->stream, event.ptr());
}

void Stream::wait_stream(const Stream& other) const {
  if (impl_->on_host()) return;
  gpu::order_streams(other.device(), other.ptr(), impl_->device, impl_->stream);
}

void Stream::enqueue(void (*call)(void*), void (*drop)(void*), void* state) const {
  if (impl_->on_host()) {
    try {
      call(state);
    } catch (...) {
      const std::lock_guard lock(impl_->mutex);
      impl_->failures.push_back(std::current_exception());
    }
    return drop(state);
  }
  gpu::launch_host_func(impl_->device, impl_->stream, {call, drop, state});
}

Stream::Impl* Stream::host_null() {
  static Impl& null = *new Impl{.device = -1};
  null.refs.fetch_add(1, std::memory_order_relaxed);
  return &null;
}

Stream Stream::current(int device) {
  void* stream = device < 0 ? nullptr : gpu::current_stream(device);
  if (!ThreadStreams::ending) {
    const Stream* known = find(thread_streams().current, device);
    if (known != nullptr && known->ptr() == stream) return *known;
  }
  if (device < 0) return Stream(host_null());
  return Stream(new Impl{.device = device, .stream = stream});
}

ExternalStream::ExternalStream(void* stream) : Stream(make(stream)) {}

Stream::Impl* ExternalStream::make(void* stream) {
  gpu::check_device("cuda", gpu::current_device());
  void* const checked = gpu::check_stream("ExternalStream", stream);
  return new Impl{.device = gpu::device_of_stream(checked), .stream = checked};
}

Stream get_current_stream() { return Stream::current(stream_device()); }

void* get_current_stream_ptr() { return gpu::current_stream(gpu::current_device()); }

void synchronize_current_stream() {
  if (gpu::device_count() == 0) return get_current_stream().synchronize();
  const int device = gpu::current_device();
  gpu::synchronize(device, gpu::current_stream(device));
}

std::pair<int, int> stream_priority_range() {
  if (gpu::device_count() == 0) return {0, 0};
  return gpu::stream_priority_range(gpu::current_device());
}

StreamScope::StreamScope(const Stream& stream) : previous_(Stream::current(stream.device())) {
  make_current(stream);
}

StreamScope::~StreamScope() { make_current(previous_); }

}  // namespace cupyxx::cuda
