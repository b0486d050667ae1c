// SPDX-License-Identifier: MIT
#include "examples/mnist/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ostream>

namespace mnist {
namespace {

constexpr double kRedraw = 0.1;  // seconds
constexpr const char* kClearLine = "\r\x1b[K";

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

double rate(std::int64_t images, double seconds) {
  return seconds > 0 ? static_cast<double>(images) / seconds : 0;
}

}  // namespace

Terminal standard_output() {
  Terminal terminal;
  terminal.is_terminal = isatty(STDOUT_FILENO) != 0;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  return terminal;
}

double steady_seconds() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 1e9)));
  const long long hours = whole / 3600;
  const long long minutes = whole / 60 % 60;
  return hours > 0 ? format("%lld:%02lld:%02lld", hours, minutes, whole % 60)
                   : format("%lld:%02lld", minutes, whole % 60);
}

Progress::Progress(std::ostream& out, const Terminal& terminal, std::int64_t epochs,
                   std::int64_t images, Clock clock)
    : out_(out), terminal_(terminal), epochs_(epochs), images_(images), clock_(clock) {}

void Progress::start_epoch(std::int64_t epoch, std::int64_t images_done) {
  epoch_ = epoch;
  seen_ = images_done;
  seen_here_ = 0;
  epoch_start_ = drawn_ = clock_();
}

bool Progress::step(std::int64_t batchsize) {
  seen_ += batchsize;
  seen_here_ += batchsize;
  return terminal_.is_terminal && clock_() - drawn_ >= kRedraw;
}

void Progress::draw(double loss, double accuracy) {
  drawn_ = clock_();
  const double speed = rate(images_here_ + seen_here_, training_seconds_ + drawn_ - epoch_start_);
  const std::int64_t left = (epochs_ - epoch_) * images_ - seen_;
  const double part = images_ > 0 ? static_cast<double>(seen_) / static_cast<double>(images_) : 1;

  const std::string head = format("epoch %lld/%lld ", static_cast<long long>(epoch_ + 1),
                                  static_cast<long long>(epochs_));
  const std::string tail =
      format(" %3.0f%%  loss %.4f  accuracy %.4f  %.0f images/s  ", 100 * part, loss, accuracy,
             speed) +
      (speed > 0 ? format_duration(static_cast<double>(left) / speed) : std::string("-:--")) +
      " left";

  // A line that reaches the last column would wrap and leave its first row behind.
  const int room = terminal_.columns - 1 - static_cast<int>(head.size() + tail.size());
  const int width = std::min(room - 2, 40);
  std::string line = head;
  if (width >= 5) {
    const int full = static_cast<int>(part * width);
    std::string bar(static_cast<std::size_t>(full), '=');
    if (full < width) bar += '>';
    bar.resize(static_cast<std::size_t>(width), ' ');
    line += "[" + bar + "]";
  }
  line += tail;
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(terminal_.columns - 1, 1))));
  out_ << kClearLine << line << std::flush;
  bar_stands_ = true;
}

void Progress::finish_epoch(const EpochResult& result) {
  const double seconds = clock_() - epoch_start_;
  clear();
  out_ << format(
              "epoch %lld/%lld  loss %.4f  accuracy %.4f  test loss %.4f  test accuracy %.4f"
              "  %.0f images/s\n",
              static_cast<long long>(epoch_ + 1), static_cast<long long>(epochs_),
              result.train_loss, result.train_accuracy, result.test_loss, result.test_accuracy,
              rate(seen_here_, seconds))
       << std::flush;
  training_seconds_ += seconds;
  images_here_ += seen_here_;
}

void Progress::clear() {
  if (bar_stands_) out_ << kClearLine << std::flush;
  bar_stands_ = false;
}

}  // namespace mnist
