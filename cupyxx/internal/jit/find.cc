// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/find.h"

#include <atomic>
#include <chrono>

#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/counters.h"
#include "cupyxx/internal/jit/headers.h"
#include "cupyxx/internal/jit/includes.h"
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

std::atomic<std::uint64_t> g_bundle_hits{0};
std::atomic<std::uint64_t> g_disk_hits{0};
std::atomic<std::uint64_t> g_compiled{0};
std::atomic<std::uint64_t> g_host_disk_hits{0};
std::atomic<std::uint64_t> g_host_compiled{0};
std::atomic<void (*)(const Program&)> g_on_miss{nullptr};

}  // namespace

void count_disk_hit() { g_disk_hits.fetch_add(1, std::memory_order_relaxed); }
void count_compiled() { g_compiled.fetch_add(1, std::memory_order_relaxed); }
void count_host_disk_hit() { g_host_disk_hits.fetch_add(1, std::memory_order_relaxed); }
void count_host_compiled() { g_host_compiled.fetch_add(1, std::memory_order_relaxed); }

void set_miss_hook(void (*hook)(const Program&)) { g_on_miss.store(hook); }

Hash128 source_key(const Program& program, std::string_view architecture) {
  Hasher hasher;
  hasher.add(program.text).add(included_headers(program.text).hash);
  for (const std::string& option : compile_options(program, architecture)) hasher.add(option);
  if (!program.options.empty()) hasher.add(hash_of_includes(program.text, program.options));
  return hasher.result();
}

Hash128 bundle_key(const Program& program, std::string_view architecture) {
  return source_key(program, architecture);
}

std::string disk_name(const Program& program, std::string_view architecture) {
  const std::string& compiler = nvrtc_identity();
  if (compiler.empty()) return "";
  return Hasher().add(source_key(program, architecture)).add(compiler).result().hex() + ".cubin";
}

std::string_view find_cubin(const Program& program, std::string_view architecture,
                            const Bundle& bundle, DiskCache& cache, std::string& storage) {
  if (bundle.size() > 0) {
    if (auto cubin = bundle.find(bundle_key(program, architecture))) {
      g_bundle_hits.fetch_add(1, std::memory_order_relaxed);
      if (logs(LogLevel::debug)) log_line("kernel %s: from the bundle", program.name.c_str());
      storage = std::move(*cubin);
      return storage;
    }
  }
  if (const auto on_miss = g_on_miss.load(std::memory_order_relaxed)) on_miss(program);
  const std::string name = disk_name(program, architecture);
  if (!name.empty()) {
    if (auto cubin = cache.find(name)) {
      count_disk_hit();
      if (logs(LogLevel::debug)) {
        log_line("kernel %s: from %s/%s", program.name.c_str(), cache.directory().c_str(),
                 name.c_str());
      }
      storage = std::move(*cubin);
      return storage;
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  storage = compile(program, architecture);
  if (logs(LogLevel::info)) {
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - begin;
    log_line("kernel %s: compiled for %s in %.0f ms, %zu bytes", program.name.c_str(),
             std::string(architecture).c_str(), taken.count(), storage.size());
  }
  count_compiled();
  if (!name.empty()) cache.store(name, storage);
  return storage;
}

std::string compile_cached(const Program& program, std::string_view architecture) {
  std::string cubin;
  find_cubin(program, architecture, Bundle({}), DiskCache::instance(), cubin);
  return cubin;
}

CacheStats cache_stats() {
  return {.bundle_hits = g_bundle_hits.load(std::memory_order_relaxed),
          .disk_hits = g_disk_hits.load(std::memory_order_relaxed),
          .compiled = g_compiled.load(std::memory_order_relaxed),
          .host_disk_hits = g_host_disk_hits.load(std::memory_order_relaxed),
          .host_compiled = g_host_compiled.load(std::memory_order_relaxed)};
}

}  // namespace cupyxx::internal::jit
