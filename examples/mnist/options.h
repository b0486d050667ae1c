// SPDX-License-Identifier: MIT
// The command line of train_mnist. Parsed here and not by a flags library, so that every mistake
// becomes one line that names the flag and its value.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cupyxx/device.h"

namespace mnist {

/// What the flags say.
struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::string device = "auto";
  std::int64_t epochs = 3;
  std::int64_t batchsize = 100;
  std::int64_t units = 100;
  std::string optimizer = "adam";
  std::string out = "result";
  std::string resume;  // empty: start anew
  std::uint64_t seed = 0;
  bool help = false;
};

/// The text of --help, with the default of each flag.
std::string usage();

/// Reads `--flag=value` and `--flag value`. Throws UsageError for unknown flags and bad values.
Options parse_options(std::span<const char* const> arguments);

/// The device that --device names, on a machine with so many CUDA devices; "auto" is the first of
/// them, or the host. Throws UsageError for a device that does not exist.
cupyxx::Device choose_device(const std::string& device, int cuda_devices);

/// Makes the folder of --out. Throws UserError when files cannot be written there: better now than
/// after the training.
void prepare_folder(const std::string& out);

}  // namespace mnist
