// SPDX-License-Identifier: MIT
// How far the training is: a bar that is drawn again and again on a terminal, nothing between the
// epochs' lines elsewhere.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "cupyxx/export.h"

namespace chainerxx::training {

/// A number with the name that it has in a line of progress.
struct NamedValue {
  std::string_view name;
  double value;
};

/// Where the output goes.
struct Terminal {
  bool is_terminal = false;
  int columns = 80;
};

/// Standard output, as the system describes it.
CUPYXX_API Terminal standard_output();

/// Seconds from some fixed point.
CUPYXX_API double steady_seconds();

/// Writes the progress of a number of passes over a number of items.
class CUPYXX_API Progress {
 public:
  using Clock = double (*)();

  /// Of `epochs` passes over `count` items, whose name is what the speed is given in. The clock
  /// gives seconds.
  Progress(std::ostream& out, const Terminal& terminal, std::int64_t epochs, std::int64_t count,
           std::string items, Clock clock = steady_seconds);
  /// The same on standard output.
  Progress(std::int64_t epochs, std::int64_t count, std::string items);

  /// Notes the pass that begins, counted from 0, and the items of it that an earlier run saw.
  void start_epoch(std::int64_t epoch, std::int64_t done = 0);
  /// Notes that another pass begins without a line for the one before.
  void go_on(std::int64_t epoch);
  /// Notes a step. True when the bar should be drawn: ten times a second, on terminals only. Ask
  /// before reading loss and accuracy, since on a GPU that waits for the step.
  bool step(std::int64_t batchsize);
  /// Draws the bar with what is known of this epoch so far, and the time left.
  void draw(std::span<const NamedValue> values);
  /// Replaces the bar by the line of a finished epoch.
  void finish_epoch(std::span<const NamedValue> values);
  /// Takes the bar away.
  void clear();

 private:
  std::ostream& out_;
  Terminal terminal_;
  std::int64_t epochs_;
  std::int64_t count_;
  std::string items_;
  Clock clock_;

  std::int64_t epoch_ = 0;
  std::int64_t seen_ = 0;        // of this epoch
  std::int64_t seen_here_ = 0;   // of this epoch in this run
  double training_seconds_ = 0;  // of this run, for all items_here_
  std::int64_t items_here_ = 0;  // in this run, without this epoch
  double epoch_start_ = 0;
  double drawn_ = 0;
  bool bar_stands_ = false;
};

/// "0:07", "12:34" or "1:02:03".
CUPYXX_API std::string format_duration(double seconds);

}  // namespace chainerxx::training
