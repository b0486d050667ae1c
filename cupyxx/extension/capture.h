// SPDX-License-Identifier: MIT
// Captures of cuda::Graph, for code whose launches have numbers that change from run to run: rates,
// counts, places in random streams. A graph repeats a launch with the arguments that it had; what
// is said here brings them up to date.
//
//   kScale.launch(x.dtype(), grid, args, {&x});
//   if (const Capture capture = Capture::on(x.device().index)) {
//     capture.vary(args, [=](ScaleArgs& fresh) { fresh.factor = *factor; });
//   }
#pragma once

#include <cstddef>
#include <functional>

#include "cupyxx/export.h"
#include "cupyxx/ops/philox.h"

namespace cupyxx::internal::gpu {
class Capture;
}

namespace cupyxx::cuda {
class Stream;
}

namespace cupyxx::extension {

/// A capture that is going on in this thread, or none. To be asked for again in each call.
class CUPYXX_API Capture {
 public:
  /// That of this thread.
  static Capture current();
  /// That which records what this thread enqueues on the current stream of a CUDA device.
  static Capture on(int device);

  explicit operator bool() const { return capture_ != nullptr; }

  // The others are for captures that there are.

  /// Calls of libraries on `stream`, another one of the capture's device, are recorded from here
  /// on, too: after what has been recorded so far, and beside what comes on the current stream. Our
  /// own kernels are refused there. May be called again for a later beginning. Arrays that such a
  /// call uses live as long as the graph.
  void fork(const cuda::Stream& stream) const;
  /// What comes on the capture's stream waits for what `stream` has got. Nothing without a fork;
  /// the end of the capture joins what is left.
  void join(const cuda::Stream& stream) const;
  /// Kernels and copies recorded so far.
  std::size_t node_count() const;
  /// Calls `step` on the host before each run of the graph, in the order of these calls.
  void before_run(std::function<void()> step) const;
  /// Calls `step`, which does not throw, when the capture ends without a graph: the later ones
  /// first.
  void undo(std::function<void()> step) const;
  /// The graph is out of date when `condition` is false: a run throws.
  void require(std::function<bool()> condition) const;
  /// The kernel launched last has one parameter, a copy of these bytes; `refresh` brings them up to
  /// date before each run, after all steps.
  void vary(const void* argument, std::size_t nbytes, std::function<void(void*)> refresh) const;
  /// The same for a struct: calls `refresh(Args&)`.
  template <class Args, class Refresh>
  void vary(const Args& args, Refresh refresh) const {
    vary(&args, sizeof args, [refresh](void* bytes) { refresh(*static_cast<Args*>(bytes)); });
  }
  /// Where random numbers that this capture took at a place (random_place.h) come from in the
  /// coming run; an empty function where it took none there.
  std::function<random::PhiloxState()> random_place(const random::PhiloxState& recorded) const;

 private:
  explicit Capture(internal::gpu::Capture* capture) : capture_(capture) {}

  internal::gpu::Capture* capture_;
};

/// Throws Error "capture: <what>" within a capture of this thread: for what a graph cannot repeat.
CUPYXX_API void refuse_in_capture(const char* what);

}  // namespace cupyxx::extension
