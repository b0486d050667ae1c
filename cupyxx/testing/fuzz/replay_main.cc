// SPDX-License-Identifier: MIT
// Runs the linked target over files: those of its corpus, in every build and without libFuzzer.
//   REPLAY FILE...
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "cupyxx/testing/fuzz/target.h"

int main(int argc, char** argv) {
  using cupyxx::fuzz::targets;
  if (targets().size() != 1 || argc < 2) {
    std::fprintf(stderr, "usage: %s FILE..., with one target linked in\n", argv[0]);
    return 2;
  }
  targets()[0]->run({});
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    if (!file.is_open()) cupyxx::fuzz::fail(std::string("cannot open ") + argv[i]);
    std::printf("%s: %zu bytes\n", argv[i], bytes.size());
    std::fflush(stdout);
    targets()[0]->run(bytes);
  }
  return 0;
}
