// SPDX-License-Identifier: MIT
// CUDA graphs: work that is recorded once and enqueued again as a whole, for a few microseconds on
// the host however many kernels it has.
//
//   const Graph graph = Graph::capture([&] { y.set(exp(x) * w); });
//   graph.launch();                          // y follows what x and w hold now
//
// The arrays that the work uses are those of the capture: write new values into them. Memory that
// it allocates and arrays from outside stay reserved until the last copy of the graph is gone. Each
// run draws random numbers further on in their stream, as the work itself would have.
#pragma once

#include <cstddef>
#include <utility>

#include "cupyxx/core/owned.h"
#include "cupyxx/core/shared.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/export.h"

namespace cupyxx {
namespace internal::gpu {
class Capture;
class Graph;
}  // namespace internal::gpu

namespace cuda {

/// Recorded work of one device. Copies share it. Runs do not overlap each other; one thread at a
/// time may launch it. Arrays that the work made have their memory in the graph: each run
/// overwrites them.
class CUPYXX_API Graph {
 public:
  /// No work.
  Graph() = default;
  /// Records what `work()` enqueues on this thread's current device, without running it. Kernels
  /// and handles that it needs should exist: call it once before. Throws ValueError within another
  /// capture; Error when the work waits for the device, copies from or to the host or leaves the
  /// current stream; whatever `work` throws. Nothing is recorded then.
  template <class F>
  static Graph capture(F&& work);

  /// Enqueues the work on the current stream of its device, or on a stream. Throws ValueError when
  /// there is none, when it is out of date, for a stream of another device.
  void launch() const;
  void launch(const Stream& stream) const;
  /// Enqueues the work as it was captured: with the random numbers that the capture took, once,
  /// instead of the next ones.
  void launch_recorded() const;
  /// Whether what was captured is still what the work would do: the parameters of an optimizer have
  /// not been replaced.
  bool is_current() const;
  bool is_none() const { return graph_ == nullptr; }
  /// Kernels, copies and fills in it.
  std::size_t node_count() const;
  int device() const;

 private:
  friend class GraphCapture;
  void launch_on(void* stream) const;

  internal::Shared<internal::gpu::Graph> graph_;
};

/// A capture between two places of a program: from the constructor to end(). When it goes out of
/// scope before, what was recorded is forgotten. This thread's current stream is the capture's own
/// meanwhile.
class CUPYXX_API GraphCapture {
 public:
  GraphCapture();
  ~GraphCapture();
  GraphCapture(const GraphCapture&) = delete;
  GraphCapture& operator=(const GraphCapture&) = delete;

  /// Throws ValueError when it was called before.
  Graph end();

 private:
  internal::Owned<internal::gpu::Capture> capture_;
};

template <class F>
Graph Graph::capture(F&& work) {
  GraphCapture capture;
  std::forward<F>(work)();
  return capture.end();
}

/// Whether this thread is within a capture.
CUPYXX_API bool is_capturing();

}  // namespace cuda
}  // namespace cupyxx
