// SPDX-License-Identifier: MIT
// How far the training is: a bar that is drawn again and again on a terminal, nothing between the
// epochs' lines elsewhere.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace mnist {

/// What an epoch ended with.
struct EpochResult {
  double train_loss = 0;
  double train_accuracy = 0;
  double test_loss = 0;
  double test_accuracy = 0;
};

/// Where the output goes.
struct Terminal {
  bool is_terminal = false;
  int columns = 80;
};

/// Standard output, as the system describes it.
Terminal standard_output();

/// Seconds from some fixed point.
double steady_seconds();

/// Writes the progress of `epochs` passes over `images` images. The clock gives seconds.
class Progress {
 public:
  using Clock = double (*)();

  Progress(std::ostream& out, const Terminal& terminal, std::int64_t epochs, std::int64_t images,
           Clock clock = steady_seconds);

  /// Notes the pass that begins, counted from 0, and the images of it that an earlier run saw.
  void start_epoch(std::int64_t epoch, std::int64_t images_done = 0);
  /// Notes a step. True when the bar should be drawn: ten times a second, on terminals only. Ask
  /// before reading loss and accuracy, since on a GPU that waits for the step.
  bool step(std::int64_t batchsize);
  /// Draws the bar with the means over this epoch so far.
  void draw(double loss, double accuracy);
  /// Replaces the bar by the line of a finished epoch.
  void finish_epoch(const EpochResult& result);
  /// Takes the bar away.
  void clear();

 private:
  std::ostream& out_;
  Terminal terminal_;
  std::int64_t epochs_;
  std::int64_t images_;
  Clock clock_;

  std::int64_t epoch_ = 0;
  std::int64_t seen_ = 0;         // images of this epoch
  std::int64_t seen_here_ = 0;    // images of this epoch in this run
  double training_seconds_ = 0;   // of this run, for all images_here_
  std::int64_t images_here_ = 0;  // in this run, without this epoch
  double epoch_start_ = 0;
  double drawn_ = 0;
  bool bar_stands_ = false;
};

/// "0:07", "12:34" or "1:02:03".
std::string format_duration(double seconds);

}  // namespace mnist
