// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundle_maker.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <utility>

#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/find.h"

namespace cupyxx::internal::jit {
namespace {

constexpr std::size_t kMostBytes = std::size_t{9} << 20;  // of one architecture

int write_file(int argc, char** argv, const std::vector<Program>& programs) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s OUTPUT [ARCHITECTURE ...]\n", argv[0]);
    return 2;
  }
  std::vector<std::pair<Hash128, std::string>> kernels;
  for (int i = 2; i < argc && nvrtc_available(); ++i) {
    const std::string architecture = argv[i];
    std::size_t bytes = 0;
    for (const Program& program : programs) {
      kernels.emplace_back(bundle_key(program, architecture),
                           compile_cached(program, architecture));
      bytes += kernels.back().second.size();
    }
    std::fprintf(stderr, "make_bundle: %zu kernels for %s, %zu KiB, %llu of them compiled now\n",
                 programs.size(), architecture.c_str(), bytes >> 10,
                 static_cast<unsigned long long>(cache_stats().compiled));
  }
  const std::string block = write_bundle(std::move(kernels));
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

int make_bundle(int argc, char** argv, const std::vector<Program>& programs) {
  try {
    return write_file(argc, argv, programs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_bundle: %s\n", error.what());
    return 1;
  }
}

}  // namespace cupyxx::internal::jit
