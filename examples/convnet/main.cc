// SPDX-License-Identifier: MIT
// Trains a convolutional network on small images, in any precision:
//   train_convnet --device=cuda:0 --precision=bfloat16
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/dataset.h"
#include "examples/program/epochs.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto", precision = "float32";
  std::int64_t epochs = 5, batchsize = 100;
  std::uint64_t seed = 0;
};

/// Two convolutions of 3x3 with batch normalisation, for images that become half as large.
struct Block : chainerxx::FunctionSet {
  Block(std::int64_t in, std::int64_t out)
      : conv1(add("conv1", F::Convolution2D(in, out, 3, {.pad = 1, .nobias = true}))),
        conv2(add("conv2", F::Convolution2D(out, out, 3, {.pad = 1, .nobias = true}))),
        norm1(add("norm1", F::BatchNormalization(out))),
        norm2(add("norm2", F::BatchNormalization(out))) {}

  Variable operator()(const Variable& x) const {
    return F::max_pooling_2d(norm2.relu(conv2(norm1.relu(conv1(x)))), 2);
  }

  F::Convolution2D &conv1, &conv2;
  F::BatchNormalization &norm1, &norm2;
};

struct Network : chainerxx::FunctionSet {
  explicit Network(std::int64_t classes)
      : block1(add<Block>("block1", 1, 32)),
        block2(add<Block>("block2", 32, 64)),
        hidden(add("hidden", F::Linear(64 * 7 * 7, 128))),
        scores(add("scores", F::Linear(128, classes))) {}

  /// The scores of images of 28 x 28 pixels, (n, 784).
  Variable operator()(const cp::ndarray& images) const {
    const Variable x(images.reshape({-1, 1, 28, 28}));
    return scores(F::dropout(F::relu(hidden(block2(block1(x)))), 0.5));
  }

  Block &block1, &block2;
  F::Linear &hidden, &scores;
};

int train(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  const chainerxx::PrecisionScope precision(cp::precision_of(options.precision));
  constexpr int kClasses = 10;
  const examples::TrainingData data(options.data, kClasses, 28);
  data.check_batchsize(options.batchsize);

  cp::random::seed(options.seed);
  Network model(kClasses);
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  if (options.precision == "float16") optimizer.scale_loss();
  auto step = chainerxx::capture([&](const cp::ndarray& x, const cp::ndarray& t) {
    const auto loss = [&] { return F::softmax_cross_entropy(model(x), Variable(t)); };
    return optimizer.update(loss).data();
  });

  std::cout << "training in " << options.precision << " on " << cp::current_device().name()
            << std::endl;
  examples::train_epochs(
      {.learn = [&](const examples::Dataset& batch) { return step(batch.images, batch.labels); },
       .predict = [&](const cp::ndarray& images) { return model(images); }},
      data, options.epochs, options.batchsize, std::cout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "train_convnet",
      "trains a convolutional network on images of 28 x 28 pixels.",
      {{"data", &o.data, "FOLDER", "IDX files, compressed or not"},
       examples::device_flag(o.device),
       {"precision", &o.precision, "float32|tf32|bfloat16|float16", "of products and convolutions"},
       {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
       {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
