// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cupyxx/internal/jit/includes.h"
#include "cupyxx/internal/jit/module.h"
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

// "--std=c++17" -> "std": one and two dashes mean the same.
std::string_view key_of(std::string_view option) {
  while (!option.empty() && option.front() == '-') option.remove_prefix(1);
  const std::string_view key = option.substr(0, option.find('='));
  return key == "arch" ? "gpu-architecture" : key;
}

// Our options that the user's do not replace, then the user's.
std::vector<std::string> merged(const std::vector<std::string>& ours,
                                const std::vector<std::string>& users) {
  std::vector<std::string> options;
  for (const std::string& own : ours) {
    bool replaced = false;
    for (const std::string& option : users) replaced |= key_of(option) == key_of(own);
    if (!replaced) options.push_back(own);
  }
  options.insert(options.end(), users.begin(), users.end());
  return options;
}

}  // namespace

std::vector<std::string> compile_options(const Program& program, std::string_view architecture) {
  return merged({"--std=c++20", "-default-device", "--fmad=false",
                 "--gpu-architecture=" + std::string(architecture)},
                program.options);
}

bool runs_as_compiled_for(const Program& program, std::string_view architecture) {
  const std::string own = "--gpu-architecture=" + std::string(architecture);
  const std::vector<std::string> options = compile_options(program, architecture);
  return std::find(options.begin(), options.end(), own) != options.end();
}

std::vector<std::string> module_options(const ModuleSource& source, std::string_view architecture) {
  std::vector<std::string> options =
      merged({"--std=c++20", "--gpu-architecture=" + std::string(architecture)}, source.options);
  // Behind the user's folders.
  for (const std::string& folder : toolkit_headers()) options.push_back("--include-path=" + folder);
  return options;
}

}  // namespace cupyxx::internal::jit
