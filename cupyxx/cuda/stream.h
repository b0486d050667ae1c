// SPDX-License-Identifier: MIT
// CUDA streams. Each thread has one current stream per device; operations run on it.
#pragma once

#include "cupyxx/export.h"

namespace cupyxx::cuda {

class Event;

/// Options of a new stream.
struct StreamOptions {
  bool null = false;          ///< the device's default stream instead of a new one
  bool non_blocking = false;  ///< does not wait for the default stream
};

/// A queue of work on the device that was current when it was made. Copies share the queue; the
/// last one destroys it after its work is done.
class CUPYXX_API Stream {
 public:
  explicit Stream(const StreamOptions& options = {});
  Stream(const Stream&);
  Stream& operator=(const Stream&);
  ~Stream();

  /// The cudaStream_t; null for the default stream.
  void* ptr() const;
  int device() const;
  /// Whether all work has finished.
  bool done() const;
  /// Waits for all work, and throws what went wrong in it.
  void synchronize() const;
  /// Records an event here.
  Event record() const;
  void record(const Event& event) const;
  /// Lets later work wait for the event.
  void wait_event(const Event& event) const;

 private:
  struct Impl;
  Impl* impl_;
};

/// The current stream of this thread on its current device, as a raw cudaStream_t.
CUPYXX_API void* get_current_stream_ptr();
/// Waits for the current stream of this thread and throws what went wrong in it. Nothing happens
/// when no CUDA device is in use.
CUPYXX_API void synchronize_current_stream();

/// Makes a stream current until the end of the scope.
class CUPYXX_API StreamScope {
 public:
  explicit StreamScope(const Stream& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Stream stream_;
  void* previous_;
};

}  // namespace cupyxx::cuda
