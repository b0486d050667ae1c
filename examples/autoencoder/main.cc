// SPDX-License-Identifier: MIT
// Learns to press an image of 784 pixels into a few numbers and to unfold it again.
//   train_autoencoder --code=32 --epochs=10 --out=autoencoder.png
#include <iomanip>
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/dataset.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/program/picture.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::slice;

struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto", out;
  std::int64_t epochs = 5, batchsize = 100, code = 32, images = 60'000;
  std::uint64_t seed = 0;
};

struct Autoencoder : chainerxx::FunctionSet {
  Autoencoder(std::int64_t pixels, std::int64_t code)
      : e1(add("e1", F::Linear(pixels, 256))),
        e2(add("e2", F::Linear(256, code))),
        d1(add("d1", F::Linear(code, 256))),
        d2(add("d2", F::Linear(256, pixels))) {}

  Variable encode(const Variable& x) const { return e2(F::relu(e1(x))); }
  Variable decode(const Variable& z) const { return F::sigmoid(d2(F::relu(d1(z)))); }
  Variable operator()(const Variable& x) const { return decode(encode(x)); }

  F::Linear &e1, &e2, &d1, &d2;
};

/// The mean squared error of a pixel, over all images.
double error_of(const Autoencoder& model, const cp::ndarray& images) {
  const chainerxx::NoGradScope no_graph;
  const Variable x(images);
  return F::mean_squared_error(model(x), x).item<double>();
}

int train(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  examples::prepare_file("out", options.out);
  const examples::Dataset all = examples::read_dataset(options.data, "train", 10, 28);
  const cp::ndarray images = all.images(slice(0, options.images));
  const cp::ndarray test = examples::read_dataset(options.data, "t10k", 10, 28).images;

  if (images.shape(0) < options.batchsize) {
    throw examples::UsageError(cp::message("--batchsize=", options.batchsize, ": more than the ",
                                           images.shape(0), " training images"));
  }

  cp::random::seed(options.seed);
  Autoencoder model(all.pixels(), options.code);
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  auto step = chainerxx::capture([&](const cp::ndarray& batch) {
    const Variable x(batch);
    return optimizer.update([&] { return F::mean_squared_error(model(x), x); }).data();
  });

  std::cout << images.shape(0) << " images on " << cp::current_device().name() << ", "
            << options.code << " numbers for each\n"
            << "of the mean image: error " << std::fixed << std::setprecision(5)
            << cp::square(test - images.mean(0)).mean().item<double>() << std::endl;
  for (std::int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const cp::ndarray order = cp::random::permutation(images.shape(0));
    cp::ndarray sum = cp::zeros({}, cp::float32);
    std::int64_t steps = 0;
    for (std::int64_t i = 0; i + options.batchsize <= images.shape(0); i += options.batchsize) {
      sum += step(images(order(slice(i, i + options.batchsize))));
      ++steps;
    }
    std::cout << "epoch " << epoch << ": error " << sum.item<double>() / static_cast<double>(steps)
              << ", of test images " << error_of(model, test) << std::endl;
  }

  if (!options.out.empty()) {  // images above, what is made of them below
    const chainerxx::NoGradScope no_graph;
    const cp::ndarray some = test(slice(0, 12));
    const cp::ndarray both = cp::concatenate({some, model(Variable(some)).data()}, 0);
    examples::save_png(options.out, examples::sheet(1 - both.reshape({-1, 28, 28}), 12), 2);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "train_autoencoder",
      "learns a short code of images.",
      {{"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels, compressed or not"},
       examples::device_flag(o.device),
       {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
       {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
       {"code", &o.code, "N", "numbers that an image is pressed into", 65'536},
       {"images", &o.images, "N", "of the training images, so many", 1'000'000'000},
       {"out", &o.out, "FILE", "gets a picture, PNG"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
