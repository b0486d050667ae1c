// SPDX-License-Identifier: MIT
// The command lines of the programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/device.h"
#include "examples/program/flags.h"
#include "examples/program/optimizers.h"

namespace mnist {

/// What the flags of train_mnist say.
struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::string device = "auto";
  std::int64_t epochs = 3;
  std::int64_t batchsize = 100;
  std::int64_t units = 100;
  std::string optimizer = "adam";
  std::string capture = "no";
  std::string parallel = "no";
  std::string out = "result";
  std::string resume;  // empty: start anew
  std::uint64_t seed = 0;
};

inline examples::CommandLine command_line(Options& o) {
  return {"train_mnist",
          "trains a network of three layers on images of 28 x 28 pixels.",
          {{"data", &o.data, "FOLDER", "IDX files, compressed or not"},
           examples::device_flag(o.device),
           {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
           {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
           {"units", &o.units, "N", "width of the two hidden layers", 65'536},
           examples::optimizer_flag(o.optimizer),
           {"capture", &o.capture, "yes|no", "steps on a GPU as CUDA graphs"},
           {"parallel", &o.parallel, "yes|no", "a share of each batch for each process of mpirun"},
           {"out", &o.out, "FOLDER", "gets the model, the picture and snapshots"},
           {"resume", &o.resume, "FILE", "continues from a snapshot"},
           {"seed", &o.seed, "N", "of all random numbers"}},
          "Ctrl-C saves a snapshot, from which --resume continues to the same result."};
}

/// What the flags of the programs for several devices say.
struct ParallelOptions {
  std::vector<cupyxx::Device> devices = {cupyxx::Device::cuda(0), cupyxx::Device::cuda(1)};
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::int64_t epochs = 3;
  std::int64_t batchsize = 100;
  std::int64_t units = 1000;
  std::uint64_t seed = 0;
};

inline examples::CommandLine command_line(const char* program, ParallelOptions& o) {
  constexpr std::int64_t kMaxUnits = 65'536, kMinUnits = 2;  // a half of them must be one
  return {program,
          "trains a network of three layers on several devices.",
          {examples::devices_flag(o.devices),
           {"data", &o.data, "FOLDER", "IDX files, compressed or not"},
           {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
           {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
           {"units", &o.units, "N", "width of the two hidden layers", kMaxUnits, kMinUnits},
           {"seed", &o.seed, "N", "of all random numbers"}},
          ""};
}

}  // namespace mnist
