// SPDX-License-Identifier: MIT
// A variational autoencoder (Kingma and Welling, 2013): codes that are normal numbers, so that new
// codes give new images.
//   train_vae --epochs=20 --out=vae.png
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
  std::int64_t epochs = 10, batchsize = 100, code = 20, images = 60'000;
  std::uint64_t seed = 0;
};

struct Vae : chainerxx::FunctionSet {
  Vae(std::int64_t pixels, std::int64_t code)
      : hidden(add("hidden", F::Linear(pixels, 400))),
        mean(add("mean", F::Linear(400, code))),
        ln_var(add("ln_var", F::Linear(400, code))),
        d1(add("d1", F::Linear(code, 400))),
        d2(add("d2", F::Linear(400, pixels))) {}

  /// The logits of the pixels that codes stand for.
  Variable decode(const Variable& z) const { return d2(F::relu(d1(z))); }

  /// The bound on -log p(x), for each image: how badly it comes back, and how far its code is from
  /// a standard normal number.
  Variable loss(const Variable& x) const {
    const Variable h = F::relu(hidden(x));
    const Variable mu = mean(h), lv = ln_var(h);
    const Variable z = F::gaussian(mu, lv);  // differentiable by both
    const auto n = static_cast<double>(x.shape()[0]);
    return (F::bernoulli_nll(x, decode(z)) + F::gaussian_kl_divergence(mu, lv)) / n;
  }

  F::Linear &hidden, &mean, &ln_var, &d1, &d2;
};

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
  Vae model(all.pixels(), options.code);
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  auto step = chainerxx::capture([&](const cp::ndarray& batch) {
    return optimizer.update([&] { return model.loss(Variable(batch)); }).data();
  });

  std::cout << images.shape(0) << " images on " << cp::current_device().name() << std::fixed
            << std::setprecision(2) << std::endl;
  for (std::int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const cp::ndarray order = cp::random::permutation(images.shape(0));
    cp::ndarray sum = cp::zeros({}, cp::float32);
    std::int64_t steps = 0;
    for (std::int64_t i = 0; i + options.batchsize <= images.shape(0); i += options.batchsize) {
      sum += step(images(order(slice(i, i + options.batchsize))));
      ++steps;
    }
    const chainerxx::NoGradScope no_graph;
    std::cout << "epoch " << epoch << ": bound " << sum.item<double>() / static_cast<double>(steps)
              << ", of test images " << model.loss(Variable(test)).item<double>() << std::endl;
  }

  if (!options.out.empty()) {  // images of codes that nobody has seen
    const chainerxx::NoGradScope no_graph;
    const cp::ndarray codes = cp::random::normal({36, options.code}, {.dtype = cp::float32});
    const cp::ndarray made = F::sigmoid(model.decode(Variable(codes))).data();
    examples::save_png(options.out, examples::sheet(1 - made.reshape({-1, 28, 28}), 12), 2);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "train_vae",
      "learns to make images.",
      {{"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels, compressed or not"},
       examples::device_flag(o.device),
       {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
       {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
       {"code", &o.code, "N", "numbers that an image stands for", 65'536},
       {"images", &o.images, "N", "of the training images, so many", 1'000'000'000},
       {"out", &o.out, "FILE", "gets a picture, PNG"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
