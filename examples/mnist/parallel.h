// SPDX-License-Identifier: MIT
// What the two programs for several devices share: their command line and their loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"

namespace mnist {

/// One network that learns on several devices.
class Trainer {
 public:
  virtual ~Trainer() = default;
  /// Learns from images (n, pixels) with labels (n,) that live on the first device. Returns the
  /// mean loss, a single element there.
  virtual cupyxx::ndarray step(const cupyxx::ndarray& images, const cupyxx::ndarray& labels) = 0;
  /// The scores (n, 10) of images on the first device.
  virtual chainerxx::Variable predict(const cupyxx::ndarray& images) = 0;
};

/// What the flags say.
struct ParallelOptions {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::vector<cupyxx::Device> devices;  // empty: cuda:0,cuda:1
  std::int64_t epochs = 3;
  std::int64_t batchsize = 100;
  std::int64_t units = 1000;
  std::uint64_t seed = 0;
  bool help = false;
};

/// Reads `--flag=value`. Throws UsageError for unknown flags and bad values.
ParallelOptions parse_parallel_options(std::span<const char* const> arguments);

using MakeTrainer = std::function<std::unique_ptr<Trainer>(const ParallelOptions&, std::int64_t)>;

/// The whole program: reads the flags and the images, trains what `make` returns for the options
/// and the number of pixels, prints a line per epoch and one for the result. Returns the exit code.
int train_in_parallel(const char* program, std::span<const char* const> arguments,
                      const MakeTrainer& make);

/// Moves all arrays of a set.
void move(chainerxx::FunctionSet& model, cupyxx::Device device);

}  // namespace mnist
