// SPDX-License-Identifier: MIT
#include "chainerxx/function_hooks/function_hooks.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/device.h"

namespace chainerxx {
namespace {

double now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Waits for what has been enqueued where the arrays live.
void wait_for(ArraySpan arrays) {
  for (const ndarray& a : arrays) {
    if (a.is_none()) continue;
    if (a.device().is_cuda()) cupyxx::cuda::synchronize_current_stream();
    return;
  }
  if (cupyxx::current_device().is_cuda()) cupyxx::cuda::synchronize_current_stream();
}

}  // namespace

void TimerHook::start(const Function& function, ArraySpan inputs) {
  wait_for(inputs);
  running_.push_back({&function, now()});
}

void TimerHook::stop(const Function& function, ArraySpan inputs) {
  wait_for(inputs);
  // Those behind it have ended with an exception.
  while (!running_.empty() && running_.back().function != &function) running_.pop_back();
  if (running_.empty()) return;
  const Running ended = running_.back();
  running_.pop_back();
  const double took = now() - ended.start;
  if (!running_.empty()) running_.back().within += took;
  const std::string name = function.label();
  auto place = std::find_if(summary_.begin(), summary_.end(),
                            [&](const Summary& s) { return s.name == name; });
  if (place == summary_.end()) place = summary_.insert(place, Summary{.name = name});
  place->time += took - ended.within;
  ++place->occurrence;
}

void TimerHook::forward_preprocess(const Function& f, ArraySpan in) { start(f, in); }
void TimerHook::forward_postprocess(const Function& f, ArraySpan in) { stop(f, in); }
void TimerHook::backward_preprocess(const Function& f, ArraySpan in, ArraySpan) { start(f, in); }
void TimerHook::backward_postprocess(const Function& f, ArraySpan in, ArraySpan) { stop(f, in); }

double TimerHook::total_time() const {
  double total = 0;
  for (const Summary& each : summary_) total += each.time;
  return total;
}

void TimerHook::print_report() const { print_report(std::cout); }

PrintHook::PrintHook() : PrintHook(std::cout) {}

void TimerHook::print_report(std::ostream& out) const {
  std::vector<Summary> sorted = summary_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Summary& a, const Summary& b) { return a.time > b.time; });
  std::size_t width = 12;
  for (const Summary& each : sorted) width = std::max(width, each.name.size());
  const auto flags = out.flags();
  const auto precision = out.precision();
  out << std::left << std::setw(static_cast<int>(width)) << "FunctionName" << std::right
      << std::setw(16) << "ElapsedTime/ms" << std::setw(12) << "Occurrence" << '\n';
  for (const Summary& each : sorted) {
    out << std::left << std::setw(static_cast<int>(width)) << each.name << std::right << std::fixed
        << std::setprecision(3) << std::setw(16) << each.time * 1e3 << std::setw(12)
        << each.occurrence << '\n';
  }
  out.flags(flags);
  out.precision(precision);
}

void PrintHook::print(const char* way, const Function& function, ArraySpan arrays) {
  *out_ << way << ' ' << function.label();
  const char* before = " ";
  for (const ndarray& a : arrays) {
    *out_ << before;
    before = ", ";
    if (a.is_none()) {
      *out_ << "None";
    } else {
      *out_ << a.shape().str() << ' ' << a.dtype().name();
    }
  }
  *out_ << '\n';
}

void PrintHook::forward_preprocess(const Function& f, ArraySpan in) { print("forward", f, in); }
void PrintHook::backward_preprocess(const Function& f, ArraySpan, ArraySpan gy) {
  print("backward", f, gy);
}

}  // namespace chainerxx
