// SPDX-License-Identifier: MIT
#include "conformance/command_line.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace conformance {
namespace {

/// The value of "--name=value", or null for another argument.
const char* flag_value(const char* argument, std::string_view name) {
  const std::string_view text(argument);
  return text.starts_with(name) ? argument + name.size() : nullptr;
}

/// "I/N": the I-th of N parts, from 0.
void parse_shard(const char* text, RunOptions& options) {
  char rest = 0;
  if (std::sscanf(text, "%d/%d%c", &options.shard, &options.shards, &rest) != 2 ||
      options.shard < 0 || options.shard >= options.shards) {
    throw std::invalid_argument(std::string("--shard must be I/N with 0 <= I < N: ") + text);
  }
}

RunOptions parse(int argc, char** argv, const char* default_folder) {
  // `bazel run` starts in a folder of its own; paths are the user's.
  const char* user_folder = std::getenv("BUILD_WORKING_DIRECTORY");
  RunOptions options;
  options.folder = default_folder;
  for (int i = 1; i < argc; ++i) {
    if (const char* value = flag_value(argv[i], "--cases=")) {
      const bool is_relative = user_folder != nullptr && value[0] != '/';
      options.folder = is_relative ? std::string(user_folder) + "/" + value : value;
    } else if (const char* device = flag_value(argv[i], "--device=")) {
      options.device = cupyxx::Device::parse(device);
    } else if (const char* only = flag_value(argv[i], "--only=")) {
      options.only = std::regex(only);
    } else if (const char* shard = flag_value(argv[i], "--shard=")) {
      parse_shard(shard, options);
    } else if (std::string_view(argv[i]) == "--groups") {
      options.by_group = true;
    } else {
      throw std::invalid_argument(std::string("unknown argument: ") + argv[i]);
    }
  }
  return options;
}

}  // namespace

int run_main(int argc, char** argv, const char* program, const char* default_folder, Run run) {
  try {
    const Count count = run(parse(argc, argv, default_folder), std::cout);
    std::cout << count.passed << " passed, " << count.failed << " failed, " << count.skipped
              << " skipped" << std::endl;
    return count.failed == 0 && count.passed != 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return 2;
  }
}

}  // namespace conformance
