// SPDX-License-Identifier: MIT
// Trains a network on labelled images of any number of classes:
//   train_imagenet --arch=nin --pixels=train.npy --labels=labels.npy --device=cuda:0
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/imagenet/architectures.h"
#include "examples/imagenet/training.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;

struct Options {
  std::string arch = "nin", pixels, labels, test_pixels, test_labels;
  std::string device = "auto", precision = "float32", out = "result", resume;
  std::int64_t classes = 1000, epochs = 10, batchsize = 32;
  std::uint64_t seed = 0;
};

std::vector<examples::Flag> flags_of(Options& o) {
  static const std::string names = architecture_names();
  return {
      {"arch", &o.arch, names, "network"},
      {"pixels", &o.pixels, "FILE", "npy of pictures, (n, 3, h, w) uint8; without it made-up ones"},
      {"labels", &o.labels, "FILE", "npy of their classes, (n,)"},
      {"test_pixels", &o.test_pixels, "FILE", "pictures to measure with, by default the same"},
      {"test_labels", &o.test_labels, "FILE", "their classes"},
      {"classes", &o.classes, "N", "how many there are", 1'000'000},
      examples::device_flag(o.device),
      {"precision", &o.precision, "float32|tf32|bfloat16|float16", "of products and convolutions"},
      {"epochs", &o.epochs, "N", "passes over the pictures", 1'000'000},
      {"batchsize", &o.batchsize, "N", "pictures in a step", 1'000'000},
      {"out", &o.out, "FOLDER", "gets model.npz and optimizer.npz after each pass"},
      {"resume", &o.resume, "FOLDER", "continues from such files"},
      {"seed", &o.seed, "N", "of all random numbers"}};
}

void check_pair(const char* first, const std::string& pixels, const char* second,
                const std::string& labels) {
  if (pixels.empty() == labels.empty()) return;
  throw examples::UsageError(cupyxx::message("--", first, " and --", second, " go together"));
}

Images training_images(const Options& options, std::int64_t insize) {
  if (!options.pixels.empty()) {
    return open_images(options.pixels, options.labels, insize, options.classes);
  }
  constexpr std::int64_t kBatches = 8, kClasses = 10;
  return made_up_images(kBatches * options.batchsize, insize, std::min(kClasses, options.classes));
}

Images test_images(const Options& options, std::int64_t insize, const Images& otherwise) {
  if (options.test_pixels.empty()) return otherwise;
  return open_images(options.test_pixels, options.test_labels, insize, options.classes);
}

int train(const Options& options) {
  check_pair("pixels", options.pixels, "labels", options.labels);
  check_pair("test_pixels", options.test_pixels, "test_labels", options.test_labels);
  const cp::Device device = examples::choose_device(options.device, cp::cuda::device_count());
  const cp::DeviceScope scope(device);
  const chainerxx::PrecisionScope precision(cp::precision_of(options.precision));
  examples::prepare_folder(options.out);
  cp::random::seed(options.seed);
  const std::unique_ptr<Network> model = make_network(options.arch, options.classes);
  const Images images = training_images(options, model->insize());
  const Images test = test_images(options, model->insize(), images);

  Training training(*model, {.batchsize = options.batchsize, .seed = options.seed});
  if (!options.resume.empty()) training.load(options.resume);
  std::cout << "training " << options.arch << " on " << device.name() << ": " << images.size()
            << " pictures" << std::endl;
  std::cout << std::fixed << std::setprecision(4);
  for (std::int64_t epoch = training.passes(images) + 1; epoch <= options.epochs; ++epoch) {
    const double loss = training.pass(images);
    std::cout << "epoch " << epoch << ": loss " << loss << ", test accuracy "
              << training.accuracy(test) << std::endl;
    training.save(options.out);
  }
  return 0;
}

}  // namespace
}  // namespace imagenet

int main(int argc, char** argv) {
  imagenet::Options options;
  const examples::CommandLine line = {"train_imagenet", "trains a network on labelled pictures.",
                                      imagenet::flags_of(options), ""};
  return examples::run_program(line, argc, argv, [&] { return imagenet::train(options); });
}
