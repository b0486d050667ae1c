// SPDX-License-Identifier: MIT
// What libFuzzer calls. One program has all targets; the environment names one: FUZZ_TARGET=npy.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cupyxx/testing/fuzz/target.h"

namespace {

using cupyxx::fuzz::Target;
using cupyxx::fuzz::targets;

const Target* chosen = nullptr;

}  // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

__attribute__((visibility("default"))) int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("FUZZ_TARGET");
  for (const Target* target : targets()) {
    if (name != nullptr && std::strcmp(target->name, name) == 0) chosen = target;
  }
  if (chosen != nullptr) return 0;
  // What a script asks for first.
  for (const Target* target : targets()) std::printf("%s\n", target->name);
  std::exit(name == nullptr ? 0 : 2);
}

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                                                  std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

__attribute__((visibility("default"))) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                           std::size_t size,
                                                                           std::size_t room,
                                                                           unsigned) {
  size = LLVMFuzzerMutate(data, size, room);
  return chosen->mutate == nullptr ? size : chosen->mutate(data, size, room);
}

}  // extern "C"
