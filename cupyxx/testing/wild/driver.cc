// SPDX-License-Identifier: MIT
#include "cupyxx/testing/wild/driver.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <set>
#include <span>
#include <string_view>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/testing/failing_new.h"
#include "cupyxx/testing/wild/rows.h"

namespace cupyxx::testing::wild {
namespace {

std::vector<Row>& registered() {
  static std::vector<Row> rows;
  return rows;
}

bool is_any(std::string_view routine, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (routine.find(name) != routine.npos) return true;
  }
  return false;
}

// Results that are not a function of the arguments' values alone, or not uniquely.
bool has_free_values(std::string_view routine) {
  constexpr std::string_view kNames[] = {
      "::empty(",        "::empty_like(",   "::svd(",       "::eig(",         "::eigh(",
      "::eigvals(",      "::qr(",           "::lstsq(",     "::pinv(",        "::matrix_rank(",
      "::cond(",         "::pad(",          "::polyfit",    "ndarray::view(", "::roots(",
      "::inv(",          "::solve(",        "::tensorinv(", "::tensorsolve(", "::partition(",
      "::argpartition(", "::searchsorted(", "::digitize(",  "::interp("};
  return is_any(routine, kNames);
}

// Where one term is infinite or NaN, the order of the others decides what comes out.
constexpr std::string_view kSums[] = {
    "fft::",         "cumprod",    "cumsum",     "cumulative",  "prod(",     "sum(",
    "mean(",         "average(",   "var(",       "std(",        "cov(",      "corrcoef(",
    "dot(",          "matmul(",    "matvec(",    "vecmat(",     "vecdot(",   "inner(",
    "outer(",        "einsum(",    "tensordot(", "kron(",       "gemm(",     "convolve(",
    "correlate(",    "trapz(",     "trapezoid(", "det(",        "logdet(",   "norm(",
    "matrix_power(", "multi_dot(", "poly",       "percentile(", "quantile(", "median(",
    "logsumexp(",    "softmax(",   "ufunc::",    "histogram"};

// Whether a call or one of its steps ended with this kind of error.
bool mentions(const Outcome& outcome, std::string_view kind) {
  for (const std::string& text : outcome.texts) {
    if (text.find(kind) != text.npos) return true;
  }
  return outcome.error_kind() == kind;
}

// Of several things that are wrong the host finds one first, a device another; a device finds
// nothing wrong in numbers that no element needs.
bool is_other_order(const Outcome& host, const Outcome& device) {
  const auto is_late = [](const std::string& kind) {
    return kind == "cupyxx::IndexError" || kind == "cupyxx::ValueError";
  };
  constexpr const char* kRounding = "cupyxx::linalg::LinAlgError";
  if (mentions(host, kRounding) || mentions(device, kRounding)) return true;
  bool is_empty = !device.arrays.empty();
  for (const ndarray& a : device.arrays) is_empty = is_empty && a.size() == 0;
  return is_late(host.error_kind()) && (is_empty || !device.error.empty());
}

// What says where an array is, or how it came there.
bool is_of_the_device(std::string_view routine) {
  constexpr std::string_view kNames[] = {"ndarray::device(", "ndarray::version(", "ndarray::base(",
                                         "ndarray::get(",    "ndarray::to_cpu(",  "asnumpy(",
                                         "memory_of("};
  return is_any(routine, kNames);
}

char g_now[512];

std::string text_of(const Outcome& outcome) {
  if (!outcome.error.empty()) return "  " + outcome.error + "\n";
  std::string text = "  returned";
  for (const std::string& one : outcome.texts) text += " " + one.substr(0, 200);
  for (const ndarray& a : outcome.arrays) text += "\n  " + array2string(a).substr(0, 400);
  return text + "\n";
}

// Names the call that does not end.
void stop(int) {
  [[maybe_unused]] auto n = write(2, g_now, std::strlen(g_now));
  std::_Exit(3);
}

// What is larger is refused, and not filled for seconds. Sanitizers reserve addresses that they
// never use, and have a limit of their own.
void limit_memory(std::int64_t gibibytes, Device device) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (gibibytes == 0) return;
  // CUDA reserves addresses, too, but no data.
  const auto resource = device.is_cpu() ? RLIMIT_AS : RLIMIT_DATA;
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(gibibytes) << 30);
  setrlimit(resource, &limit);
#else
  static_cast<void>(gibibytes);
  static_cast<void>(device);
#endif
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "wildXXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    const DeviceScope host{Device()};
    save(path_ + "/a.npy", arange(6));
    save(path_ + "/b.npy", ones({2, 3}, float32));
    savez(path_ + "/c.npz", {{"x", arange(3)}, {"y", zeros({0, 2})}});
    savetxt(path_ + "/d.txt", ones({2, 2}));
    save_safetensors(path_ + "/f.safetensors", {{"w", arange(4)}});
    savetxt(path_ + "/e.bin", ones({1}));
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What the program holds: objects, and bytes of arrays on the host and on the device.
struct Holdings {
  std::int64_t objects;
  std::int64_t bytes;
};
Holdings held(Device device) {
  std::uint64_t bytes = pool_stats(Device()).used;
  if (!device.is_cpu()) bytes += pool_stats(device).used;
  return {testing::live_news(), static_cast<std::int64_t>(bytes)};
}

// A call that holds more at its end each time that it is made. Tables, and what the first call of a
// kind keeps, do not grow with every further one.
std::string leak(Device device, const std::function<void()>& call) {
  constexpr int kTimes = 20;
  Holdings now{};
  for (int i = 0; i < kTimes; ++i) {
    const Holdings before = held(device);
    call();
    const Holdings after = held(device);
    now = {after.objects - before.objects, after.bytes - before.bytes};
    if (now.objects <= 0 && now.bytes <= 0) return {};
  }
  return "leaks " + std::to_string(now.objects) + " objects and " + std::to_string(now.bytes) +
         " bytes of arrays";
}

}  // namespace

Rows::Rows(std::initializer_list<Row> rows) {
  registered().insert(registered().end(), rows.begin(), rows.end());
}

std::span<const Row> all_rows() {
  static const bool kSorted = [] {
    std::sort(registered().begin(), registered().end(),
              [](const Row& a, const Row& b) { return std::strcmp(a.routine, b.routine) < 0; });
    return true;
  }();
  static_cast<void>(kSorted);
  return registered();
}

Report run(const DriverOptions& options) {
  Report report;
  std::set<std::string> routines;
  std::map<std::string, std::int64_t> known;
  const auto rows = all_rows();
  Folder folder;
  std::signal(SIGALRM, stop);
  std::set_terminate([] {
    [[maybe_unused]] auto n = write(2, g_now, std::strlen(g_now));
    std::abort();
  });
  limit_memory(options.gibibytes, options.device);
  for (std::int64_t i = options.first; i < options.first + options.calls; ++i) {
    const Row& row = rows[static_cast<std::size_t>(i) % rows.size()];
    if (std::string_view(row.routine).find(options.only) == std::string_view::npos) continue;
    const std::uint64_t seed = options.seed * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(i);
    const std::string call = "call " + std::to_string(i) + " " + row.routine;
    std::strncpy(g_now, ("stopped in " + call + "\n").c_str(), sizeof(g_now) - 1);
    if (options.verbose) std::cerr << call << std::endl;
    bool free_values = false;
    const auto made = [&](Device device) {
      const DeviceScope scope(device);
      random::seed(seed);
      Draw draw(seed, device, folder.path());
      draw.target = row.target;
      draw.verbose = options.verbose;
      alarm(static_cast<unsigned>(options.seconds_a_call));
      Outcome outcome = row.call(draw);
      alarm(0);
      free_values = draw.has_free_values;
      return outcome;
    };
    const auto find = [&](const std::string& what) {
      ++report.finding_count;
      const std::string kind =
          std::string(row.routine) + what.substr(0, what.find_first_of("0123456789"));
      if (known[kind]++ > 0) return;
      report.findings.push_back(call + ": " + what);
      std::cout << "FOUND " << report.findings.back() << std::endl;
    };
    ++report.calls;
    routines.insert(row.routine);
    const Holdings before = held(Device());
    Outcome host = made(Device());
    if (options.verbose) std::cerr << text_of(host);
    report.returned += host.error.empty();
    if (!host.defect.empty()) find(host.defect);
    if (options.device.is_cpu()) {
      host = {};
      const Holdings after = held(Device());
      if (after.objects <= before.objects && after.bytes <= before.bytes) continue;
      const std::string leaked = leak(Device(), [&] { made(Device()); });
      if (!leaked.empty()) find(leaked);
      continue;
    }
    const Outcome device = made(options.device);
    if (!device.defect.empty()) find("on the device, " + device.defect);
    const bool values = !free_values && !has_free_values(row.routine);
    // How much memory there is differs, too.
    const bool lacked =
        mentions(host, "cupyxx::OutOfMemoryError") || mentions(device, "cupyxx::OutOfMemoryError");
    const bool other = lacked || is_of_the_device(row.routine) || is_other_order(host, device);
    const std::string apart =
        other ? "" : difference(host, device, values, is_any(row.routine, kSums));
    report.compared += values && host.error.empty();
    if (!apart.empty()) find("host and device differ: " + apart);
  }
  report.routines = routines.size();
  return report;
}

}  // namespace cupyxx::testing::wild
