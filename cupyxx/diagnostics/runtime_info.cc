// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>

#include "cupyxx/cuda/allocator.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/diagnostics.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/libraries.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/version.h"

extern char** environ;

namespace cupyxx {

namespace {

using internal::bytes_text;

class Writer {
 public:
  void line(std::string_view name, std::string_view value) {
    constexpr std::size_t kColumn = 28;
    std::string padded(name);
    padded.resize(std::max(padded.size(), kColumn), ' ');
    os_ << padded << ": " << value << "\n";
  }
  std::string str() const { return os_.str(); }

 private:
  std::ostringstream os_;
};

// "13.0" for 13000.
std::string cuda_version_text(int version) {
  if (version == 0) return "none";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string pool_text(const PoolStats& stats) {
  return bytes_text(stats.used) + " used, " + bytes_text(stats.cached) + " cached, " +
         bytes_text(stats.peak) + " peak, limit " +
         (stats.limit > 0 ? bytes_text(stats.limit) : "none") + ", " +
         std::to_string(stats.allocations) + " allocations, " + std::to_string(stats.system_calls) +
         " from the system";
}

void write_versions(Writer& out) {
  out.line("cupyxx", version);
  out.line("compiler", __VERSION__);
  out.line("CUDA runtime", cuda_version_text(cuda::runtime_version()));
  out.line("CUDA driver", cuda_version_text(cuda::driver_version()));
  for (const internal::LibraryInfo& library : internal::describe_libraries()) {
    std::string text = library.version.empty() ? "" : library.version + ", ";
    text += library.path.empty() ? "not found" : library.path;
    if (!library.path.empty()) text += library.loaded ? " (loaded)" : " (not loaded yet)";
    out.line(library.name, text);
  }
}

void write_host(Writer& out) {
  out.line("CPU loops", internal::cpu::arch_name(internal::cpu::arch()));
  out.line("CPU threads", std::to_string(internal::cpu::thread_count()));
  out.line("host pool", pool_text(pool_stats(Device::cpu())));
}

void write_devices(Writer& out) {
  const int count = cuda::device_count();
  out.line("CUDA devices", std::to_string(count));
  for (int i = 0; i < count; ++i) {
    const internal::gpu::DeviceInfo& info = internal::gpu::device_info(i);
    const std::string name = "device " + std::to_string(i);
    out.line(name, std::string(info.name) + ", compute capability " +
                       std::to_string(info.compute_capability / 10) + "." +
                       std::to_string(info.compute_capability % 10) + ", " +
                       bytes_text(info.total_memory) + ", " + std::to_string(info.multiprocessors) +
                       " multiprocessors");
    out.line(name + " pool", pool_text(pool_stats(Device::cuda(i))));
  }
  if (count > 0) {
    out.line("pinned pool", pool_text(cuda::get_default_pinned_memory_pool().stats()));
  }
}

void write_caches(Writer& out) {
  const KernelCacheInfo info = kernel_cache_info();
  out.line("kernel bundle", std::to_string(internal::jit::Bundle::instance().size()) +
                                " kernels, " + std::to_string(info.bundle_hits) + " used");
  out.line("kernel cache", info.directory.empty()
                               ? "none"
                               : info.directory + ", " + std::to_string(info.entries) +
                                     " entries, " + bytes_text(info.bytes) + " of " +
                                     bytes_text(info.limit));
  out.line("kernels from the cache", std::to_string(info.disk_hits) + " on devices, " +
                                         std::to_string(info.host_disk_hits) + " on the host");
  out.line("kernels compiled", std::to_string(info.compiled) + " on devices, " +
                                   std::to_string(info.host_compiled) + " on the host");
}

void write_environment(Writer& out) {
  static constexpr std::string_view kPrefixes[] = {"CUPYXX_", "CHAINERXX_", "CUPY_",    "CHAINER_",
                                                   "CUDA_",   "OMP_",       "OPENBLAS_"};
  std::vector<std::string_view> set;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                    [&](std::string_view prefix) { return text.starts_with(prefix); })) {
      set.push_back(text);
    }
  }
  std::sort(set.begin(), set.end());
  for (const std::string_view text : set) {
    const std::size_t equals = text.find('=');
    out.line(text.substr(0, equals), text.substr(equals + 1));
  }
}

}  // namespace

std::string config_text() {
  Writer out;
  write_versions(out);
  write_host(out);
  write_devices(out);
  write_caches(out);
  write_environment(out);
  return out.str();
}

void show_config(std::ostream& os) { os << config_text(); }

void show_config() { show_config(std::cout); }

}  // namespace cupyxx
