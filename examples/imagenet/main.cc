// SPDX-License-Identifier: MIT
// Trains a network on labelled images of any number of classes:
//   train_imagenet --arch=nin --pixels=train.npy --labels=labels.npy --device=cuda:0
#include <algorithm>
#include <iomanip>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/imagenet/architectures.h"
#include "examples/imagenet/training.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/program/progress.h"
#include "examples/program/ranks.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;

struct Options {
  std::string arch = "nin", pixels, labels, test_pixels, test_labels;
  std::string precision = "float32", out = "result", resume;
  examples::RankFlags ranks;
  std::int64_t classes = 1000, epochs = 10, batchsize = 32;
  std::uint64_t seed = 0;
};

std::vector<examples::Flag> flags_of(Options& o) {
  static const std::string names = architecture_names();
  std::vector<examples::Flag> flags = {
      {"arch", &o.arch, names, "network"},
      {"pixels", &o.pixels, "FILE", "npy of pictures, (n, 3, h, w) uint8; without it made-up ones"},
      {"labels", &o.labels, "FILE", "npy of their classes, (n,)"},
      {"test_pixels", &o.test_pixels, "FILE", "pictures to measure with, by default the same"},
      {"test_labels", &o.test_labels, "FILE", "their classes"},
      {"classes", &o.classes, "N", "how many there are", 1'000'000},
      {"precision", &o.precision, "float32|tf32|bfloat16|float16", "of products and convolutions"},
      {"epochs", &o.epochs, "N", "passes over the pictures", 1'000'000},
      {"batchsize", &o.batchsize, "N", "pictures in a step", 1'000'000},
      {"out", &o.out, "FOLDER", "gets snapshot.npz and model.npz after each pass"},
      {"resume", &o.resume, "FOLDER", "continues from its snapshot.npz"},
      {"seed", &o.seed, "N", "of all random numbers"}};
  const auto where = examples::rank_flags(o.ranks);
  flags.insert(flags.begin() + 6, where.begin(), where.end());
  return flags;
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

/// What is random at the beginning is the same on every rank and in every run.
struct Beginning {
  std::unique_ptr<Network> model;
  Images images;
};

Beginning begin(const Options& options) {
  const auto turn = examples::Ranks::turn();
  cp::random::seed(options.seed);
  Beginning beginning{make_network(options.arch, options.classes), {}};
  if (cp::current_device().is_cuda()) {
    const cp::DeviceScope on_host(cp::Device::cpu());
    cp::random::seed(options.seed);
  }
  beginning.images = training_images(options, beginning.model->insize());
  return beginning;
}

int train(const Options& options, const examples::Ranks& ranks) {
  check_pair("pixels", options.pixels, "labels", options.labels);
  check_pair("test_pixels", options.test_pixels, "test_labels", options.test_labels);
  ranks.check_batch("batchsize", options.batchsize);
  const cp::DeviceScope scope(ranks.device());
  const chainerxx::PrecisionScope precision(cp::precision_of(options.precision));
  if (ranks.is_first()) examples::prepare_folder(options.out);
  const auto [model, images] = begin(options);
  const Images test = test_images(options, model->insize(), images);

  Training training(
      *model,
      {.batchsize = options.batchsize, .seed = options.seed, .communicator = ranks.communicator()});
  if (!options.resume.empty()) training.load(options.resume);
  std::ostream& out = ranks.out();
  out << "training " << options.arch << " on " << ranks.device().name() << ranks.others() << ": "
      << images.size() << " pictures" << std::endl;
  for (std::int64_t epoch = training.passes(images) + 1; epoch <= options.epochs; ++epoch) {
    const double start = examples::steady_seconds();
    const double loss = training.pass(images);
    const double seconds = examples::steady_seconds() - start;
    const std::int64_t seen = images.size() / options.batchsize * options.batchsize;
    out << std::fixed << std::setprecision(4) << "epoch " << epoch << ": loss " << loss
        << ", test accuracy " << training.accuracy(test) << ", " << std::setprecision(1)
        << static_cast<double>(seen) / seconds << " pictures/s" << std::endl;
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
  return examples::run_program(line, argc, argv, [&] {
    return examples::run_ranks(options.ranks,
                               [&](const auto& ranks) { return imagenet::train(options, ranks); });
  });
}
