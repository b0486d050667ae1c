// SPDX-License-Identifier: MIT
// Graphs: what a thread enqueues on a stream of the graph's own is recorded instead of run, and run
// as a whole later. What changes from run to run in the arguments of kernels (places in random
// streams, rates of optimizers) is brought up to date on the host before each run. Without CUDA the
// functions come from runtime_absent.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cupyxx/core/body.h"

namespace cupyxx::internal::gpu {

class Graph;

/// Something that was taken from a sequence during a capture and is taken anew by each run.
struct RandomPlace {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// A capture that is going on. It belongs to the thread that began it, whose current stream of the
/// device is the capture's own until it ends.
class Capture {
 public:
  /// Begins. Throws ValueError within another capture of this thread, CudaError.
  explicit Capture(int device);
  /// Forgets what was recorded unless end() gave it, and undoes the host's part.
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// Throws CudaError when something was enqueued that cannot be captured.
  std::unique_ptr<Graph> end();

  int device() const { return device_; }
  void* stream() const { return stream_; }
  /// What libraries enqueue on another stream of the device is recorded, too, from here on: after
  /// what has been recorded so far and beside what comes. Our kernels stay on the capture's stream.
  void fork(void* stream);
  /// What comes on the capture's stream waits for what the other one has got. Nothing where it does
  /// not take part.
  void join(void* stream);
  /// Whether work on a stream is recorded: on the capture's own, or on one between fork and join.
  bool records(void* stream) const;
  /// Kernels and copies recorded so far.
  std::size_t node_count() const;

  /// The counters of reductions in the graph, once one needs them.
  unsigned* tickets = nullptr;

  /// The graph keeps memory alive: what comes from outside of the capture.
  void keep(Storage* storage);
  /// Calls `step` on the host before each run, in the order of these calls.
  void before_run(std::function<void()> step);
  /// Calls `step`, which does not throw, when the capture ends without a graph: the later ones
  /// first.
  void undo(std::function<void()> step);
  /// The graph is out of date when `condition` is false.
  void require(std::function<bool()> condition);
  /// The kernel launched last has one parameter, a copy of these bytes; `refresh` brings them up to
  /// date before each run, after all steps.
  void vary(const void* argument, std::size_t nbytes, std::function<void(void*)> refresh);
  template <class Arguments, class Refresh>
  void vary(const Arguments& arguments, Refresh refresh) {
    vary(&arguments, sizeof arguments,
         [refresh](void* bytes) { refresh(*static_cast<Arguments*>(bytes)); });
  }

  /// Notes that the numbers from `place` on were taken; `take` takes as many again.
  void note_random(RandomPlace place, std::function<RandomPlace()> take);
  /// Where the numbers noted at `place` come from in the coming run; null when none were.
  std::shared_ptr<const RandomPlace> random_place(RandomPlace place) const;

 private:
  struct Random {
    RandomPlace recorded;
    std::shared_ptr<RandomPlace> now;
  };

  const int device_;
  void* outer_stream_ = nullptr;
  void* stream_ = nullptr;
  bool capturing_ = false;
  std::vector<void*> forked_;
  std::vector<Random> randoms_;
  std::vector<std::function<void()>> undo_;
  std::unique_ptr<Graph> graph_;
};

/// The capture of this thread, or null.
extern constinit thread_local Capture* t_capture;
inline Capture* current_capture() { return t_capture; }
/// The same where it is on a stream of its own that kernels would be recorded.
inline Capture* capture_on(void* stream) {
  return t_capture != nullptr && t_capture->stream() == stream ? t_capture : nullptr;
}
/// The same where anything on a stream would be recorded.
inline Capture* capture_that_records(void* stream) {
  return t_capture != nullptr && t_capture->records(stream) ? t_capture : nullptr;
}
/// Throws Error "capture: <what>" within a capture.
void refuse_in_capture(const char* what);

/// What a capture has recorded, ready to run.
class Graph {
 public:
  explicit Graph(int device);
  /// Waits for the runs.
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  int device() const;
  std::size_t node_count() const;
  /// Whether the arrays and parameters are still those of the capture.
  bool is_current() const;
  /// Brings the arguments up to date: the host's part of a run.
  void step();
  /// Enqueues the recorded work on a stream of the device.
  void launch(void* stream);

 private:
  friend class Capture;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupyxx::internal::gpu
