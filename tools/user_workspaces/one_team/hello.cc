// SPDX-License-Identifier: MIT
// One OpenMP runtime and one team for our loops, oneDNN's and OpenBLAS's, whatever the compiler.
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace {

/// The OpenMP runtimes of this process, without their versions.
std::set<std::string> runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    for (const char* name : {"libgomp", "libomp", "libiomp5"}) {
      if (line.find(std::string("/") + name + ".") != std::string::npos ||
          line.find(std::string("/") + name + "-") != std::string::npos) {
        found.insert(name);
      }
    }
  }
  return found;
}

/// The processors that this process may use, fewer where its cgroup has a quota.
int processors() {
  cpu_set_t set;
  double count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  std::ifstream limit("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  if (limit >> quota >> period) count = std::min(count, std::ceil(quota / period));
  return static_cast<int>(count);
}

}  // namespace

int main() {
  namespace cp = cupyxx;
  namespace F = chainerxx::functions;
  auto a = cp::random::normal({512, 512}, {.dtype = cp::float32});
  auto b = cp::dot(a, a);                                         // oneDNN
  auto c = cp::linalg::inv(cp::array({{2.0, 1.0}, {1.0, 3.0}}));  // LAPACK
  auto d = cp::exp(cp::ones({1 << 21})).sum();                    // our loops
  F::Convolution2D convolution(3, 8, 3);
  auto e = convolution(chainerxx::Variable(cp::ones({4, 3, 32, 32}, cp::float32)));

  for (const std::string& name : runtimes()) std::cout << name << '\n';
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  const bool one_team = threads <= processors() && (threads > 1 || processors() == 1);
  std::cout << (one_team ? "one team" : "threads: " + std::to_string(threads)) << '\n';
}
