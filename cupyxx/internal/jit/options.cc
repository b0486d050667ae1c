// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

// "--std=c++17" -> "std": one and two dashes mean the same.
std::string_view key_of(std::string_view option) {
  while (!option.empty() && option.front() == '-') option.remove_prefix(1);
  const std::string_view key = option.substr(0, option.find('='));
  return key == "arch" ? "gpu-architecture" : key;
}

}  // namespace

std::vector<std::string> compile_options(const Program& program, std::string_view architecture) {
  std::vector<std::string> options;
  for (const std::string& own :
       {std::string("--std=c++20"), std::string("-default-device"), std::string("--fmad=false"),
        "--gpu-architecture=" + std::string(architecture)}) {
    bool replaced = false;
    for (const std::string& option : program.options) replaced |= key_of(option) == key_of(own);
    if (!replaced) options.push_back(own);
  }
  options.insert(options.end(), program.options.begin(), program.options.end());
  return options;
}

}  // namespace cupyxx::internal::jit
