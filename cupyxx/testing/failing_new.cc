// SPDX-License-Identifier: MIT
#include "cupyxx/testing/failing_new.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

thread_local constinit std::int64_t t_countdown = 0;  // 0: none fails
thread_local constinit bool t_from_then_on = false;
thread_local constinit bool t_has_failed = false;
constinit std::atomic<std::int64_t> g_live{0};

/// What everything stands on.
bool is_of_the_system(const char* file) {
  for (const char* name : {"libstdc++", "libc.so", "libgcc", "libgomp", "libasan", "libtsan"}) {
    if (std::strstr(file, name) != nullptr) return true;
  }
  return false;
}

/// Whether the program asks, and not a library that it uses: those end the process (oneDNN) or do
/// what we do not know. What the standard library asks for is asked for by its caller.
[[gnu::noinline]] bool is_asked_by_program() {
  static const void* const program = [] {
    Dl_info info{};
    ::dladdr(reinterpret_cast<const void*>(&cupyxx::testing::live_news), &info);
    return info.dli_fbase;
  }();
  void* callers[64];
  const int count = ::backtrace(callers, 64);
  for (int i = 3; i < count; ++i) {  // behind this, is_refused() and operator new
    Dl_info info{};
    if (::dladdr(callers[i], &info) == 0) return false;
    // Also where a library is deeper in: it may share a template's code with the program.
    if (info.dli_fbase != program && !is_of_the_system(info.dli_fname)) return false;
  }
  return true;
}

[[gnu::noinline]] bool is_refused() {
  if (t_countdown == 0 || !is_asked_by_program() || --t_countdown != 0) return false;
  t_has_failed = true;
  if (t_from_then_on) t_countdown = 1;
  return true;
}

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  g_live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  g_live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(is_refused() ? nullptr : std::malloc(std::max<std::size_t>(size, 1)));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
  const std::size_t whole = (std::max<std::size_t>(size, 1) + step - 1) / step * step;
  return counted(is_refused() ? nullptr : std::aligned_alloc(step, whole));
}
// Whoever asks in this way does without: std::stable_sort.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* const memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory != nullptr) g_live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { give_back(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}

namespace cupyxx::testing {

FailingNew::FailingNew(std::int64_t n, bool from_then_on) {
  is_asked_by_program();  // asks for memory the first time
  t_from_then_on = from_then_on;
  t_has_failed = false;
  t_countdown = n;
}
FailingNew::~FailingNew() { t_countdown = 0; }

bool FailingNew::has_failed() { return t_has_failed; }

std::int64_t live_news() { return g_live.load(std::memory_order_relaxed); }

}  // namespace cupyxx::testing
