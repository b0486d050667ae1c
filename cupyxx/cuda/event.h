// SPDX-License-Identifier: MIT
// Marks in CUDA streams, for waiting and timing.
#pragma once

#include "cupyxx/export.h"

namespace cupyxx::cuda {

class Stream;

/// Options of a new event.
struct EventOptions {
  bool block = false;  ///< waiting threads sleep instead of spinning
  bool disable_timing = false;
  bool interprocess = false;  ///< needs disable_timing
};

/// A mark in a stream. Copies share it.
class CUPYXX_API Event {
 public:
  explicit Event(const EventOptions& options = {});
  Event(const Event&);
  Event& operator=(const Event&);
  ~Event();

  /// The cudaEvent_t.
  void* ptr() const;
  /// Whether the work before the mark has finished.
  bool done() const;
  /// Records it on the current stream, or on the given one.
  void record() const;
  void record(const Stream& stream) const;
  /// Waits for the work before the mark.
  void synchronize() const;

 private:
  struct Impl;
  Impl* impl_;
};

/// Milliseconds between two finished events.
CUPYXX_API float get_elapsed_time(const Event& start, const Event& end);

}  // namespace cupyxx::cuda
