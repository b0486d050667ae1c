// SPDX-License-Identifier: MIT
#include "examples/mnist/options.h"

#include <vector>

#include "examples/program/flags.h"

namespace mnist {
namespace {

std::vector<examples::Flag> flags_of(Options& o) {
  return {
      {"data", &o.data, "FOLDER", "IDX files, compressed or not"},
      examples::device_flag(o.device),
      {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
      {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
      {"units", &o.units, "N", "width of the two hidden layers", 65'536},
      {"optimizer", &o.optimizer, "adam|sgd|momentum_sgd", "rule of the updates"},
      {"capture", &o.capture, "yes|no", "steps on a GPU as CUDA graphs"},
      {"out", &o.out, "FOLDER", "gets the model, the picture and snapshots"},
      {"resume", &o.resume, "FILE", "continues from a snapshot"},
      {"seed", &o.seed, "N", "of all random numbers"},
  };
}

}  // namespace

std::string usage() {
  Options defaults;
  return "train_mnist trains a network of three layers on images of 28 x 28 pixels.\n\n" +
         examples::describe_flags(flags_of(defaults)) +
         "\nCtrl-C saves a snapshot, from which --resume continues to the same result.\n";
}

Options parse_options(std::span<const char* const> arguments) {
  Options options;
  options.help = examples::parse_flags(flags_of(options), arguments);
  return options;
}

}  // namespace mnist
