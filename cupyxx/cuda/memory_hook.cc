// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/memory_hook.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <unordered_map>

#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/call_site.h"
#include "cupyxx/internal/diagnostics/memory_events.h"

namespace cupyxx::cuda {

using internal::CallSite;
using internal::MemoryEvent;

MemoryHook::~MemoryHook() = default;

// ---- The hook as a listener of the pools.

struct MemoryHookScope::Listener final : internal::MemoryListener {
  explicit Listener(MemoryHook& h) : hook(h) {}

  static MemoryHookEvent convert(const MemoryEvent& e) {
    return {e.device, e.size, e.mem_size, e.ptr};
  }
  void before_alloc(const MemoryEvent& e) override { hook.alloc_preprocess(convert(e)); }
  void after_alloc(const MemoryEvent& e) override { hook.alloc_postprocess(convert(e)); }
  void before_malloc(const MemoryEvent& e) override { hook.malloc_preprocess(convert(e)); }
  void after_malloc(const MemoryEvent& e) override { hook.malloc_postprocess(convert(e)); }
  void before_free(const MemoryEvent& e) override { hook.free_preprocess(convert(e)); }
  void after_free(const MemoryEvent& e) override { hook.free_postprocess(convert(e)); }

  MemoryHook& hook;
};

MemoryHookScope::MemoryHookScope(MemoryHook& hook) : listener_(new Listener(hook)) {
  internal::add_listener(listener_.get());
}

MemoryHookScope::~MemoryHookScope() { internal::remove_listener(listener_.get()); }

// ---- Printing.

DebugPrintHook::DebugPrintHook() : os_(std::cerr) {}

void DebugPrintHook::alloc_postprocess(const MemoryHookEvent& event) {
  os_ << "alloc  device=" << event.device.name() << " mem_size=" << event.mem_size
      << " ptr=" << event.ptr << "\n";
}

void DebugPrintHook::malloc_postprocess(const MemoryHookEvent& event) {
  os_ << "malloc device=" << event.device.name() << " size=" << event.size
      << " mem_size=" << event.mem_size << " ptr=" << event.ptr << "\n";
}

void DebugPrintHook::free_postprocess(const MemoryHookEvent& event) {
  os_ << "free   device=" << event.device.name() << " mem_size=" << event.mem_size
      << " ptr=" << event.ptr << "\n";
}

// ---- Profile by line.

struct LineProfileHook::Impl {
  struct Total {
    CallSite site;
    std::uint64_t calls = 0, used = 0, acquired = 0;
  };
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Total> totals;
  // What the system gave since the last allocation; the allocation that asked for it follows.
  std::uint64_t acquired = 0;
};

LineProfileHook::LineProfileHook() : impl_(new Impl) {}

LineProfileHook::~LineProfileHook() = default;

void LineProfileHook::alloc_postprocess(const MemoryHookEvent& event) {
  const std::lock_guard lock(impl_->mutex);
  impl_->acquired += event.mem_size;
}

void LineProfileHook::malloc_postprocess(const MemoryHookEvent& event) {
  const CallSite site = CallSite::here();
  const std::lock_guard lock(impl_->mutex);
  Impl::Total& total = impl_->totals[site.hash()];
  total.site = site;
  total.calls += 1;
  total.used += event.mem_size;
  total.acquired += impl_->acquired;
  impl_->acquired = 0;
}

std::vector<LineProfileHook::Line> LineProfileHook::lines() const {
  std::vector<Impl::Total> totals;
  {
    const std::lock_guard lock(impl_->mutex);
    for (const auto& [hash, total] : impl_->totals) totals.push_back(total);
  }
  std::vector<Line> lines;
  for (const Impl::Total& total : totals) {
    // Different ways through the libraries may start at one line.
    const std::string where = internal::user_line(total.site);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& known) { return known.where == where; });
    if (line == lines.end()) line = lines.insert(lines.end(), Line{.where = where});
    line->calls += total.calls;
    line->used += total.used;
    line->acquired += total.acquired;
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.used != b.used ? a.used > b.used : a.where < b.where;
  });
  return lines;
}

void LineProfileHook::print_report(std::ostream& os) const {
  Line sum{.where = "all"};
  const auto print = [&os](const Line& line) {
    char numbers[96];
    std::snprintf(
        numbers, sizeof numbers, "%12s %12s %9llu  ", internal::bytes_text(line.used).c_str(),
        internal::bytes_text(line.acquired).c_str(), static_cast<unsigned long long>(line.calls));
    os << numbers << line.where << "\n";
  };
  os << "        used     acquired     calls  line\n";
  for (const Line& line : lines()) {
    print(line);
    sum.calls += line.calls;
    sum.used += line.used;
    sum.acquired += line.acquired;
  }
  print(sum);
}

bool set_memory_tracking(bool on) { return internal::track_memory(on); }

std::string memory_holders(cupyxx::Device device) {
  const std::string text = internal::describe_holders(device);
  return text.empty() ? text : text.substr(2);
}

}  // namespace cupyxx::cuda
