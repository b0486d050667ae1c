// SPDX-License-Identifier: MIT
// Compiles bundled_programs() for architectures, through the disk cache, into one file:
//   make_bundle OUTPUT sm_90 [sm_100 ...]
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/bundled_programs.h"
#include "cupyxx/internal/jit/find.h"
#include "cupyxx/internal/jit/kernel.h"

namespace jit = cupyxx::internal::jit;

namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of one architecture

int run(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: make_bundle OUTPUT [ARCHITECTURE ...]\n");
    return 2;
  }
  const std::vector<jit::Program> programs = jit::bundled_programs();
  std::vector<std::pair<jit::Hash128, std::string>> kernels;
  for (int i = 2; i < argc && jit::nvrtc_available(); ++i) {
    const std::string architecture = argv[i];
    std::size_t bytes = 0;
    for (const jit::Program& program : programs) {
      kernels.emplace_back(jit::bundle_key(program, architecture),
                           jit::compile_cached(program, architecture));
      bytes += kernels.back().second.size();
    }
    std::fprintf(stderr, "make_bundle: %zu kernels for %s, %zu KiB, %llu of them compiled now\n",
                 programs.size(), architecture.c_str(), bytes >> 10,
                 static_cast<unsigned long long>(jit::cache_stats().compiled));
  }
  const std::string block = jit::write_bundle(std::move(kernels));
  std::fprintf(stderr, "make_bundle: %zu KiB in all\n", block.size() >> 10);
  if (argc > 2 && block.size() > kMostBytes * static_cast<std::size_t>(argc - 2)) {
    std::fprintf(stderr, "make_bundle: more than %zu MiB for an architecture\n", kMostBytes >> 20);
    return 1;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << block;
  return file.flush() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_bundle: %s\n", error.what());
    return 1;
  }
}
