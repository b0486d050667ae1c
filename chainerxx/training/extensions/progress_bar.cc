// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {

namespace {

/// What a training may be long, an endless one too.
std::int64_t whole(double count) {
  return static_cast<std::int64_t>(std::min(std::ceil(count), 0x1p53));
}

}  // namespace

ProgressBar::ProgressBar(const ProgressBarOptions& options)
    : ProgressBar(std::cout, standard_output(), options) {}

ProgressBar::ProgressBar(std::ostream& out, const Terminal& terminal,
                         const ProgressBarOptions& options, Progress::Clock clock)
    : out_(&out), terminal_(terminal), options_(options), clock_(clock) {
  if (options.update_interval < 1) {
    throw cupyxx::ValueError(
        cupyxx::message("ProgressBar: an interval of ", options.update_interval, " updates"));
  }
}

void ProgressBar::initialize(Trainer& trainer) {
  const std::optional<TrainingLength> length =
      options_.training_length ? options_.training_length : trainer.training_length();
  if (!length) {
    throw cupyxx::ValueError(
        "ProgressBar: the stop trigger does not say how long the training takes; "
        "{.training_length = ...} does");
  }
  length_ = *length;
  progress_.reset();
}

/// A line of epochs needs to know how many steps one has, which the first step shows.
void ProgressBar::start(const Trainer& trainer) {
  const Updater& updater = trainer.updater();
  std::int64_t epochs = 1, steps = 0, done = 0;
  iteration_ = updater.iteration();  // speed counts from here on
  if (length_.unit == Unit::iteration) {
    steps = whole(length_.count);
    done = iteration_;
    epoch_ = 0;
  } else {
    epochs = whole(length_.count);
    const double detail = std::max(updater.epoch_detail(), 1e-9);
    steps = std::llround(static_cast<double>(updater.iteration()) / detail);
    epoch_ = updater.epoch();
    done = std::llround((updater.epoch_detail() - static_cast<double>(epoch_)) *
                        static_cast<double>(steps));
  }
  progress_ = std::make_unique<Progress>(*out_, terminal_, epochs, steps, "iters", clock_);
  progress_->start_epoch(epoch_, done);
}

void ProgressBar::operator()(Trainer& trainer) {
  if (!terminal_.is_terminal) return;
  const std::int64_t iteration = trainer.updater().iteration();
  if (iteration % options_.update_interval != 0) return;
  if (progress_ == nullptr) start(trainer);
  const bool is_time = progress_->step(iteration - iteration_);
  iteration_ = iteration;
  if (is_time) progress_->draw({});
  if (length_.unit == Unit::epoch && trainer.updater().epoch() != epoch_) {
    epoch_ = trainer.updater().epoch();
    progress_->go_on(epoch_);
  }
}

void ProgressBar::finalize(Trainer& /*trainer*/) {
  if (progress_ != nullptr) progress_->clear();
}

}  // namespace chainerxx::training::extensions
