// SPDX-License-Identifier: MIT
#include "cupyxx/internal/diagnostics/memory_events.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "cupyxx/extension/environment.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/call_site.h"

namespace cupyxx::internal {

constinit std::atomic<int> g_memory_watchers{0};

namespace {

thread_local std::vector<MemoryListener*> t_listeners;

// What the allocation is for, as text: made only while memory is watched.
thread_local std::string t_note;

struct Holder {
  Device device;
  std::size_t mem_size = 0;
  std::string what;
  CallSite site;
};

struct Holders {
  std::mutex mutex;
  bool tracking = false;
  std::unordered_map<const void*, Holder> live;
};

Holders& holders() {
  static Holders& all = *new Holders;
  return all;
}

// Read once, before the first question whether memory is watched can matter.
[[maybe_unused]] const bool g_tracked_from_the_start = [] {
  return extension::environment_switch("CUPYXX_MEMORY_TRACK", false) && !track_memory(true);
}();

void start_holding(const MemoryEvent& event) {
  Holders& all = holders();
  Holder holder{event.device, event.mem_size, t_note, CallSite::here()};
  const std::lock_guard lock(all.mutex);
  if (all.tracking) all.live.insert_or_assign(event.ptr, std::move(holder));
}

void stop_holding(const void* ptr) {
  Holders& all = holders();
  const std::lock_guard lock(all.mutex);
  if (all.tracking) all.live.erase(ptr);
}

template <class Tell>
void tell_all(Tell tell) noexcept {
  for (MemoryListener* listener : t_listeners) {
    try {
      tell(*listener);
    } catch (...) {
      // The memory is there, or has gone: nobody could act on it.
    }
  }
}

}  // namespace

void add_listener(MemoryListener* listener) {
  t_listeners.push_back(listener);
  g_memory_watchers.fetch_add(1, std::memory_order_relaxed);
}

void remove_listener(MemoryListener* listener) {
  // The latest, for a hook that was entered twice.
  const auto at = std::find(t_listeners.rbegin(), t_listeners.rend(), listener);
  if (at == t_listeners.rend()) return;
  t_listeners.erase(std::next(at).base());
  g_memory_watchers.fetch_sub(1, std::memory_order_relaxed);
}

void announce_alloc(const MemoryEvent& event, bool after) {
  if (!after) {
    for (MemoryListener* listener : t_listeners) listener->before_alloc(event);
  } else {
    tell_all([&](MemoryListener& listener) { listener.after_alloc(event); });
  }
}

void announce_malloc(const MemoryEvent& event) {
  for (MemoryListener* listener : t_listeners) listener->before_malloc(event);
}

void announce_malloced(const MemoryEvent& event) noexcept {
  try {
    start_holding(event);
  } catch (...) {
    // One holder less in the list.
  }
  tell_all([&](MemoryListener& listener) { listener.after_malloc(event); });
}

void announce_free(const MemoryEvent& event) noexcept {
  stop_holding(event.ptr);
  tell_all([&](MemoryListener& listener) { listener.before_free(event); });
}

void announce_freed(const MemoryEvent& event) noexcept {
  tell_all([&](MemoryListener& listener) { listener.after_free(event); });
}

void AllocationNote::set(const char* operation, dtype type, int ndim, const std::int64_t* shape) {
  t_note = operation;
  t_note += " (";
  for (int i = 0; i < ndim; ++i) {
    if (i > 0) t_note += ", ";
    t_note += std::to_string(shape[i]);
  }
  t_note += ndim == 1 ? ",) " : ") ";
  t_note += type.name();
  set_ = true;
}

void AllocationNote::clear() { t_note.clear(); }

bool track_memory(bool on) {
  Holders& all = holders();
  const std::lock_guard lock(all.mutex);
  if (all.tracking == on) return on;
  all.tracking = on;
  all.live.clear();
  g_memory_watchers.fetch_add(on ? 1 : -1, std::memory_order_relaxed);
  return !on;
}

std::string describe_holders(Device device) {
  struct Group {
    std::size_t bytes = 0;
    std::size_t count = 0;
    const Holder* one = nullptr;
  };
  constexpr std::size_t kShown = 5;
  Holders& all = holders();
  std::vector<std::pair<Group, Holder>> shown;
  {
    const std::lock_guard lock(all.mutex);
    if (!all.tracking) return "";
    std::unordered_map<std::uint64_t, Group> groups;
    for (const auto& [ptr, holder] : all.live) {
      if (!(holder.device == device)) continue;
      const std::uint64_t key =
          holder.site.hash() ^ std::hash<std::string>{}(holder.what) * 0x9e3779b97f4a7c15u;
      Group& group = groups[key];
      group.bytes += holder.mem_size;
      group.count += 1;
      group.one = &holder;
    }
    std::vector<Group> sorted;
    sorted.reserve(groups.size());
    for (const auto& [key, group] : groups) sorted.push_back(group);
    std::sort(sorted.begin(), sorted.end(),
              [](const Group& a, const Group& b) { return a.bytes > b.bytes; });
    if (sorted.size() > kShown) sorted.resize(kShown);
    for (const Group& group : sorted) shown.emplace_back(group, *group.one);
  }
  std::string text = shown.empty() ? "; nothing tracked is held" : "; top holders:";
  for (const auto& [group, holder] : shown) {
    text += "\n  " + bytes_text(group.bytes) + " in " + std::to_string(group.count) +
            (group.count == 1 ? " block" : " blocks");
    if (!holder.what.empty()) text += " of " + holder.what;
    const std::string line = user_line(holder.site);
    if (!line.empty()) text += ", from " + line;
  }
  return text;
}

}  // namespace cupyxx::internal
