// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/diagnostics/memory_events.h"

// Clang has the header in a package of its own, which only those who sanitize need.
#if defined(__SANITIZE_ADDRESS__)
#define CUPYXX_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUPYXX_ASAN
#endif
#endif
#ifdef CUPYXX_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) \
  (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) \
  (static_cast<void>(address), static_cast<void>(size))
#endif

namespace cupyxx::internal::cpu {

namespace {

// A block is its Storage, padded to two cache lines, and the elements behind it.
constexpr std::size_t kHeader = 128;
static_assert(sizeof(Storage) <= kHeader);

// Classes: four per power of two, from 64 bytes.
constexpr int kClasses = 4 * 40;
constexpr int kThreadClasses = 4 * 9;  // up to 32 KiB: cached per thread
constexpr int kThreadDepth = 16;       // blocks per class and thread
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLimit = std::size_t{4} << 30;  // held for reuse at most

int class_of(std::size_t nbytes) {
  if (nbytes <= 64) return 0;
  const int log = std::bit_width(nbytes - 1) - 1;  // 2^log < nbytes <= 2^(log+1)
  const std::size_t quarter = std::size_t{1} << (log - 2);
  const auto step = static_cast<int>((nbytes - (std::size_t{1} << log) + quarter - 1) / quarter);
  return (log - 6) * 4 + step;
}

std::size_t class_bytes(int index) {
  const int log = 6 + index / 4;
  return (std::size_t{1} << log) +
         static_cast<std::size_t>(index % 4) * (std::size_t{1} << (log - 2));
}

struct FreeList {
  Storage* head = nullptr;
  int count = 0;
};

// Free blocks are chained through the mark that the pool owns.
Storage* next(const Storage* s) { return static_cast<Storage*>(s->block); }

struct Central {
  std::mutex mutex;
  FreeList lists[kClasses];
  std::size_t cached = 0;
  std::size_t held = 0;  // from the system, free or not
  std::size_t limit = 0;
  std::uint64_t system_calls = 0;
  std::atomic<std::uint64_t> used{0};
  std::atomic<std::uint64_t> peak{0};
  std::atomic<std::uint64_t> allocations{0};
};

Central& central() {
  static auto* pool = new Central;  // outlives every array
  return *pool;
}

void give_to_system(Storage* s, std::size_t bytes) {
  central().held -= bytes;
  s->~Storage();
  std::free(static_cast<void*>(s));
}

void give_to_central(Storage* s, int index) {
  Central& pool = central();
  const std::size_t bytes = class_bytes(index) + kHeader;
  const std::lock_guard lock(pool.mutex);
  if (pool.cached + bytes > kCacheLimit) {
    give_to_system(s, bytes);
    return;
  }
  s->block = pool.lists[index].head;
  pool.lists[index].head = s;
  pool.cached += bytes;
}

struct ThreadCache {
  FreeList lists[kThreadClasses];
};
thread_local constinit ThreadCache thread_cache;

struct ThreadFlush {
  ~ThreadFlush() {
    for (int i = 0; i < kThreadClasses; ++i) {
      FreeList& list = thread_cache.lists[i];
      while (list.head != nullptr) {
        Storage* s = list.head;
        list.head = next(s);
        give_to_central(s, i);
      }
      list.count = kThreadDepth;  // later frees of this thread go to the centre
    }
  }
};

// Under AddressSanitizer the elements of blocks that wait here cannot be touched, nor what lies
// behind the elements of the others; elsewhere this is nothing.
void close_elements(Storage* s, int index) {
  ASAN_POISON_MEMORY_REGION(reinterpret_cast<char*>(s) + kHeader, class_bytes(index));
}
void open_elements(Storage* s, int index, std::size_t nbytes) {
  close_elements(s, index);
  ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<char*>(s) + kHeader, nbytes);
}

void keep(Storage* s, int index) {
  close_elements(s, index);
  central().used.fetch_sub(class_bytes(index), std::memory_order_relaxed);
  if (index < kThreadClasses) {
    FreeList& list = thread_cache.lists[index];
    if (list.count < kThreadDepth) {
      static thread_local ThreadFlush flush;
      static_cast<void>(flush);
      s->block = list.head;
      list.head = s;
      ++list.count;
      return;
    }
  }
  give_to_central(s, index);
}

void destroy(Storage* s) {
  const int index = class_of(s->nbytes);
  if (!memory_is_watched()) [[likely]] {
    keep(s, index);
    return;
  }
  const MemoryEvent event{Device::cpu(), 0, class_bytes(index), s->data};
  announce_free(event);
  keep(s, index);
  announce_freed(event);
}

void release_cached(Central& pool) {
  for (int i = 0; i < kClasses; ++i) {
    const std::size_t bytes = class_bytes(i) + kHeader;
    while (pool.lists[i].head != nullptr) {
      Storage* s = pool.lists[i].head;
      pool.lists[i].head = next(s);
      pool.cached -= bytes;
      give_to_system(s, bytes);
    }
  }
}

[[noreturn]] void throw_out_of_memory(Central& pool, std::size_t nbytes) {
  throw OutOfMemoryError(message("allocate: cannot get ", nbytes, " bytes of host memory; used ",
                                 pool.used.load(), ", cached ", pool.cached, ", limit ",
                                 pool.limit == 0 ? std::string("none") : std::to_string(pool.limit),
                                 describe_holders(Device::cpu())));
}

Storage* from_system(Central& pool, std::size_t nbytes, int index) {
  const std::size_t bytes = class_bytes(index) + kHeader;
  if (pool.limit != 0 && pool.held + bytes > pool.limit) release_cached(pool);
  if (pool.limit != 0 && pool.held + bytes > pool.limit) throw_out_of_memory(pool, nbytes);
  // Huge pages halve the cost of the first touch.
  const std::size_t alignment = bytes >= 2 * kHugePage ? kHugePage : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    release_cached(pool);
    memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw_out_of_memory(pool, nbytes);
  }
  if (alignment == kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);
  pool.held += bytes;
  ++pool.system_calls;
  if (logs(LogLevel::debug)) {
    log_line("pool of cpu: %s from the system, %s together", bytes_text(bytes).c_str(),
             bytes_text(pool.held).c_str());
  }
  return new (memory) Storage;
}

void note_use(std::size_t bytes) {
  Central& pool = central();
  const std::uint64_t used = pool.used.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::uint64_t peak = pool.peak.load(std::memory_order_relaxed);
  while (used > peak && !pool.peak.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
  pool.allocations.fetch_add(1, std::memory_order_relaxed);
}

Storage* take(std::size_t nbytes) {
  if (nbytes > (std::size_t{1} << 45)) {
    throw OutOfMemoryError(message("allocate: cannot get ", nbytes,
                                   " bytes of host memory; no machine has that much"));
  }
  const int index = class_of(nbytes);
  Storage* s = nullptr;
  if (index < kThreadClasses && thread_cache.lists[index].head != nullptr) {
    FreeList& list = thread_cache.lists[index];
    s = list.head;
    list.head = next(s);
    --list.count;
  } else {
    Central& pool = central();
    const std::lock_guard lock(pool.mutex);
    s = pool.lists[index].head;
    if (s != nullptr) {
      pool.lists[index].head = next(s);
      pool.cached -= class_bytes(index) + kHeader;
    } else {
      s = from_system(pool, nbytes, index);
    }
  }
  open_elements(s, index, nbytes);
  note_use(class_bytes(index));
  s->refs.store(1, std::memory_order_relaxed);
  s->device = Device::cpu();
  s->version.store(0, std::memory_order_relaxed);
  s->exposed.store(false, std::memory_order_relaxed);
  s->shown.store(false, std::memory_order_relaxed);
  s->data = reinterpret_cast<char*>(s) + kHeader;
  s->nbytes = nbytes;
  s->destroy = &destroy;
  return s;
}

}  // namespace

Storage* allocate(std::size_t nbytes) {
  if (!memory_is_watched()) [[likely]] {
    return take(nbytes);
  }
  MemoryEvent event{Device::cpu(), nbytes, 0, nullptr};
  announce_malloc(event);
  Storage* s = take(nbytes);
  event.mem_size = class_bytes(class_of(nbytes));
  event.ptr = s->data;
  announce_malloced(event);
  return s;
}

bool clear_pages(char* data, std::size_t nbytes) {
  constexpr std::size_t kLeast = std::size_t{32} << 20;  // what fits caches is better written
  if (nbytes < kLeast) return false;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t head = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  const std::size_t whole = (nbytes - head) / page * page;
  // Not of pages that are locked in memory.
  if (madvise(data + head, whole, MADV_DONTNEED) != 0) return false;
  std::memset(data, 0, head);
  std::memset(data + head + whole, 0, nbytes - head - whole);
  return true;
}

PoolStats pool_stats() {
  Central& pool = central();
  const std::lock_guard lock(pool.mutex);
  PoolStats stats;
  stats.used = pool.used.load();
  stats.cached = pool.cached;
  stats.peak = pool.peak.load();
  stats.allocations = pool.allocations.load();
  stats.system_calls = pool.system_calls;
  for (int i = kClasses - 1; i >= 0 && stats.largest_free == 0; --i) {
    if (pool.lists[i].head != nullptr) stats.largest_free = class_bytes(i);
  }
  stats.total = pool.held;
  stats.limit = pool.limit;
  return stats;
}

void free_all_blocks() {
  Central& pool = central();
  const std::lock_guard lock(pool.mutex);
  release_cached(pool);
}

void set_pool_limit(std::uint64_t bytes) {
  Central& pool = central();
  const std::lock_guard lock(pool.mutex);
  pool.limit = bytes;
}

}  // namespace cupyxx::internal::cpu
