// SPDX-License-Identifier: MIT
// The command line of train_mnist.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mnist {

/// What the flags say.
struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::string device = "auto";
  std::int64_t epochs = 3;
  std::int64_t batchsize = 100;
  std::int64_t units = 100;
  std::string optimizer = "adam";
  std::string capture = "no";
  std::string out = "result";
  std::string resume;  // empty: start anew
  std::uint64_t seed = 0;
  bool help = false;
};

/// The text of --help, with the default of each flag.
std::string usage();

/// Reads them. Throws UsageError for unknown flags and bad values.
Options parse_options(std::span<const char* const> arguments);

}  // namespace mnist
