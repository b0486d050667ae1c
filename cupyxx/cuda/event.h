// SPDX-License-Identifier: MIT
// Marks in CUDA streams, for waiting and timing.
#pragma once

#include <array>

#include "cupyxx/export.h"

namespace cupyxx::cuda {

class Stream;

/// Options of a new event.
struct EventOptions {
  bool block = false;  ///< waiting threads sleep instead of spinning
  bool disable_timing = false;
  bool interprocess = false;  ///< needs disable_timing
};

/// The bytes that name an event in another process.
using EventHandle = std::array<char, 64>;

/// A mark in a stream of the CUDA device that was current when it was made; on a machine without
/// devices, a moment of the host. Copies share it.
class CUPYXX_API Event {
 public:
  /// Throws ValueError for options that exclude each other.
  explicit Event(const EventOptions& options = {});
  /// The event that another process has exported, for waiting.
  static Event from_handle(const EventHandle& handle);
  Event(const Event&);
  Event& operator=(const Event&);
  ~Event();

  /// The cudaEvent_t; null on the host.
  void* ptr() const;
  /// -1 for the host.
  int device() const;
  /// Whether the work before the mark has finished; true for an event that was never recorded.
  bool done() const;
  /// Records it on the current stream, or on the given one, which must be of the same device
  /// (ValueError).
  void record() const;
  void record(const Stream& stream) const;
  /// Waits for the work before the mark.
  void synchronize() const;
  /// For another process; events made with `interprocess` only (ValueError), and not on the host
  /// (DeviceError).
  EventHandle export_handle() const;

 private:
  friend CUPYXX_API float get_elapsed_time(const Event& start, const Event& end);
  struct Impl;
  explicit Event(Impl* impl) : impl_(impl) {}
  Impl* impl_;
};

/// Milliseconds between two finished events. Throws ValueError for events without timing, of two
/// devices, never recorded or not finished.
CUPYXX_API float get_elapsed_time(const Event& start, const Event& end);

}  // namespace cupyxx::cuda
