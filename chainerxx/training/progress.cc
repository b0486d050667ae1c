// SPDX-License-Identifier: MIT
#include "chainerxx/training/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iostream>
#include <utility>

namespace chainerxx::training {
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

double rate(std::int64_t items, double seconds) {
  return seconds > 0 ? static_cast<double>(items) / seconds : 0;
}

/// "  loss 0.5153  accuracy 0.8178".
std::string text_of(std::span<const NamedValue> values) {
  std::string text;
  for (const NamedValue& one : values) {
    text += "  " + std::string(one.name) + format(" %.4f", one.value);
  }
  return text;
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
                   std::int64_t count, std::string items, Clock clock)
    : out_(out),
      terminal_(terminal),
      epochs_(epochs),
      count_(count),
      items_(std::move(items)),
      clock_(clock) {}

Progress::Progress(std::int64_t epochs, std::int64_t count, std::string items)
    : Progress(std::cout, standard_output(), epochs, count, std::move(items)) {}

void Progress::start_epoch(std::int64_t epoch, std::int64_t done) {
  epoch_ = epoch;
  seen_ = done;
  seen_here_ = 0;
  epoch_start_ = drawn_ = clock_();
}

void Progress::go_on(std::int64_t epoch) {
  const double now = clock_();
  training_seconds_ += now - epoch_start_;
  items_here_ += seen_here_;
  epoch_ = epoch;
  seen_ = seen_here_ = 0;
  epoch_start_ = now;
}

bool Progress::step(std::int64_t batchsize) {
  seen_ += batchsize;
  seen_here_ += batchsize;
  return terminal_.is_terminal && clock_() - drawn_ >= kRedraw;
}

void Progress::draw(std::span<const NamedValue> values) {
  drawn_ = clock_();
  const double speed = rate(items_here_ + seen_here_, training_seconds_ + drawn_ - epoch_start_);
  const double left = static_cast<double>(epochs_ - epoch_) * static_cast<double>(count_) -
                      static_cast<double>(seen_);
  const double part = count_ > 0 ? static_cast<double>(seen_) / static_cast<double>(count_) : 1;

  const std::string head = format("epoch %lld/%lld ", static_cast<long long>(epoch_ + 1),
                                  static_cast<long long>(epochs_));
  const std::string tail =
      format(" %3.0f%%", 100 * part) + text_of(values) + format("  %.0f ", speed) + items_ +
      "/s  " + (speed > 0 ? format_duration(left / speed) : std::string("-:--")) + " left";

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

void Progress::finish_epoch(std::span<const NamedValue> values) {
  const double seconds = clock_() - epoch_start_;
  clear();
  out_ << format("epoch %lld/%lld", static_cast<long long>(epoch_ + 1),
                 static_cast<long long>(epochs_))
       << text_of(values) << format("  %.0f ", rate(seen_here_, seconds)) << items_ << "/s\n"
       << std::flush;
  training_seconds_ += seconds;
  items_here_ += seen_here_;
}

void Progress::clear() {
  if (bar_stands_) out_ << kClearLine << std::flush;
  bar_stands_ = false;
}

}  // namespace chainerxx::training
