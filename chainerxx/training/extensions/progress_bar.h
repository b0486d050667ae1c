// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>

#include "chainerxx/training/extension.h"
#include "chainerxx/training/progress.h"

namespace chainerxx::training::extensions {

/// Options of ProgressBar.
struct ProgressBarOptions {
  /// Unless given that of the trainer's stop trigger.
  std::optional<TrainingLength> training_length = {};
  std::int64_t update_interval = 1;  ///< updates between two looks at the clock
};

/// A line on a terminal, drawn ten times a second at most: epoch, a bar, steps a second, time left.
/// Elsewhere nothing.
///
///   epoch 3/20 [=======>            ]  37%  1523 iters/s  0:42 left
class CUPYXX_API ProgressBar final : public Extension {
 public:
  /// On standard output.
  explicit ProgressBar(const ProgressBarOptions& options = {});
  /// Elsewhere, with a clock that gives seconds.
  ProgressBar(std::ostream& out, const Terminal& terminal, const ProgressBarOptions& options = {},
              Progress::Clock clock = steady_seconds);

  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "ProgressBar"; }
  /// Behind what prints lines.
  int default_priority() const override { return -200; }
  void initialize(Trainer& trainer) override;
  /// Takes the bar away.
  void finalize(Trainer& trainer) override;

 private:
  void start(const Trainer& trainer);

  std::ostream* out_;
  Terminal terminal_;
  ProgressBarOptions options_;
  Progress::Clock clock_;
  TrainingLength length_;
  std::unique_ptr<Progress> progress_;
  std::int64_t iteration_ = 0;  // of the latest look
  std::int64_t epoch_ = 0;      // that the line shows
};

}  // namespace chainerxx::training::extensions
