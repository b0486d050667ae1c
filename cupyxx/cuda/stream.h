// SPDX-License-Identifier: MIT
// CUDA streams. Each thread has one current stream per device; operations run on it.
//
//   cupyxx::cuda::Stream stream({.non_blocking = true});
//   {
//     cupyxx::cuda::StreamScope scope(stream);
//     c = a + b;                             // enqueued on `stream`
//   }
//   stream.synchronize();
//
// Memory follows streams by itself. An array may be freed while streams still use it: it is handed
// out again only after their work. When an array is used for the first time on another stream than
// the one it was made on, that stream waits for the work that the array's own has been given by
// then; later changes are ordered with events.
//
// On a machine without CUDA devices streams and events stand for the host, so that the same program
// runs there: work is done when its call returns, callbacks run at once, and events take the time
// of the host's clock. What needs a device (ExternalStream, graphs, handles for other processes)
// still throws DeviceError.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cupyxx/cuda/event.h"
#include "cupyxx/export.h"

namespace cupyxx::cuda {

/// Options of a new stream.
struct StreamOptions {
  bool null = false;          ///< the device's default stream instead of a new one
  bool non_blocking = false;  ///< does not wait for the default stream
  int priority = 0;           ///< smaller numbers go first; see stream_priority_range()
  bool per_thread = false;    ///< this thread's own default stream on the device
};

/// A queue of work on the CUDA device that was current when it was made. Copies share the queue;
/// the last one destroys it after its work is done.
class CUPYXX_API Stream {
 public:
  /// Throws ValueError for options that exclude each other and priorities the device does not have.
  explicit Stream(const StreamOptions& options = {});
  /// The default stream of the current device.
  static Stream null() { return Stream({.null = true}); }
  Stream(const Stream&);
  Stream& operator=(const Stream&);
  ~Stream();

  /// The cudaStream_t; null for the default stream and on the host.
  void* ptr() const;
  /// -1 for the host.
  int device() const;
  int priority() const;
  /// Whether all work has finished.
  bool done() const;
  /// Waits for all work, and throws what went wrong in it.
  void synchronize() const;
  /// Makes it the current stream of this thread on its device, until another one is.
  void use() const;
  /// Records an event here, a new one or the given one; returns it.
  Event record() const;
  Event record(const Event& event) const;
  /// Lets later work wait for the event, of any device.
  void wait_event(const Event& event) const;
  /// Lets later work wait for what another stream has been given so far.
  void wait_stream(const Stream& other) const;
  /// Calls `f()` on a thread of the driver when the work so far has finished, on the host at once.
  /// It must not call CUDA (allocate or launch); what it throws is thrown again by the next wait
  /// for this stream.
  template <class F>
  void launch_host_func(F f) const {
    using State = std::decay_t<F>;
    enqueue([](void* state) { (*static_cast<State*>(state))(); },
            [](void* state) { delete static_cast<State*>(state); }, new State(std::move(f)));
  }
  /// The same for `callback(stream, error, argument)`; error is 0, since a stream in error makes
  /// no calls.
  template <class F, class A = std::nullptr_t>
  void add_callback(F callback, A argument = {}) const {
    launch_host_func([stream = *this, callback = std::move(callback),
                      argument = std::move(argument)]() mutable { callback(stream, 0, argument); });
  }

  /// Whether both are the same queue.
  friend bool operator==(const Stream& a, const Stream& b) {
    return a.ptr() == b.ptr() && a.device() == b.device() &&
           (a.device() >= 0 || a.impl_ == b.impl_);
  }

 protected:
  struct Impl;
  explicit Stream(Impl* impl) : impl_(impl) {}

 private:
  friend CUPYXX_API Stream get_current_stream();
  friend class StreamScope;
  static Stream current(int device);
  static Impl* host_null();
  void enqueue(void (*call)(void*), void (*drop)(void*), void* state) const;

  Impl* impl_;
};

/// A cudaStream_t of somebody else, who keeps it alive while arrays remember it: until those used
/// on it are freed.
class CUPYXX_API ExternalStream : public Stream {
 public:
  /// Throws ValueError for a Stream's handle that is gone, and for cudaStreamPerThread, which is
  /// another queue in each thread.
  explicit ExternalStream(void* stream);

 private:
  static Impl* make(void* stream);
};

/// The current stream of this thread on its current device.
CUPYXX_API Stream get_current_stream();
/// The same as a raw cudaStream_t; null without CUDA.
CUPYXX_API void* get_current_stream_ptr();
/// Waits for the current stream of this thread and throws what went wrong in it.
CUPYXX_API void synchronize_current_stream();
/// The priorities of streams of the current device: the last and the first to go, such as 0 and -5;
/// 0 and 0 on the host.
CUPYXX_API std::pair<int, int> stream_priority_range();

/// Makes a stream current on its device until the end of the scope.
class CUPYXX_API StreamScope {
 public:
  [[nodiscard("give it a name")]] explicit StreamScope(const Stream& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Stream previous_;
};

}  // namespace cupyxx::cuda
