// SPDX-License-Identifier: MIT
// A network that Caffe has trained: reads it, says what is in it, and counts how many images it
// recognises. A network without weights, or one for other images, can be trained on.
//   caffe_evaluate --model=examples/caffe/fashion.caffemodel
//   caffe_evaluate --model=examples/caffe/lenet.prototxt --epochs=3 --save=lenet.npz
#include <iomanip>
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/dataset.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::slice;
using examples::Dataset;

struct Options {
  std::string model = "examples/caffe/fashion.caffemodel";
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto";
  std::string input = "data", output = "ip2", save;
  std::int64_t epochs = 0, images = 60'000;
  std::uint64_t seed = 0;
};

/// The scores of images (n, pixels): the blob `output` where the blob `input` is given.
Variable scores(const F::caffe::CaffeFunction& net, const cp::ndarray& images, const Options& o,
                bool train) {
  const Variable x(images.reshape({-1, 1, 28, 28}));
  return net({{o.input, x}}, {o.output}, {.train = train})[0];
}

double accuracy(const F::caffe::CaffeFunction& net, const Dataset& images, const Options& o) {
  const chainerxx::NoGradScope no_graph;
  double right = 0;
  for (const Dataset& batch : images.batches(1000)) {
    const Variable y = scores(net, batch.images, o, false);
    right +=
        F::accuracy(y, Variable(batch.labels)).item<double>() * static_cast<double>(batch.size());
  }
  return right / static_cast<double>(images.size());
}

int run(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  examples::prepare_file("save", o.save);
  F::caffe::CaffeFunction net(o.model, {.seed = o.seed});
  std::cout << o.model << " on " << cp::current_device().name() << std::fixed
            << std::setprecision(4) << "\nlayers:";
  for (const std::string& name : net.names()) std::cout << " " << name;
  for (const std::string& name : net.ignored()) std::cout << " (" << name << " is not followed)";
  std::cout << "\n";
  for (const chainerxx::NamedField& field : net.fs().fields()) {
    std::cout << "  " << std::setw(8) << std::left << field.name << " " << field.array->shape()
              << "\n";
  }

  const Dataset test = examples::read_dataset(o.data, "t10k", 10, 28);
  std::cout << "accuracy on " << test.size() << " images: " << accuracy(net, test, o) << std::endl;
  if (o.epochs > 0) {  // its functions are a set as any other
    const Dataset all = examples::read_dataset(o.data, "train", 10, 28);
    const Dataset train = {all.images(slice(0, o.images)), all.labels(slice(0, o.images))};
    if (train.size() < 100) {
      throw examples::UserError(
          cp::message(train.size(), " training images; a step takes 100 of them"));
    }
    cp::random::seed(o.seed);
    chainerxx::optimizers::Adam optimizer;
    optimizer.setup(net.fs());
    for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
      const cp::ndarray order = cp::random::permutation(train.size());
      for (std::int64_t i = 0; i + 100 <= train.size(); i += 100) {
        const Dataset batch = train.take(order(slice(i, i + 100)));
        optimizer.update([&] {
          return F::softmax_cross_entropy(scores(net, batch.images, o, true),
                                          Variable(batch.labels));
        });
      }
      std::cout << "epoch " << epoch << ": accuracy " << accuracy(net, test, o) << std::endl;
    }
  }
  if (!o.save.empty()) chainerxx::save_npz(o.save, net.fs());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "caffe_evaluate",
      "reads a network of Caffe's, counts what it recognises, trains it on.",
      {{"model", &o.model, "FILE", ".caffemodel, or .prototxt with random weights"},
       {"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels, compressed or not"},
       examples::device_flag(o.device),
       {"input", &o.input, "NAME", "the blob of images"},
       {"output", &o.output, "NAME", "the blob of scores"},
       {"epochs", &o.epochs, "N", "passes of training", 1'000'000, 0},
       {"images", &o.images, "N", "of the training images, so many", 1'000'000'000},
       {"save", &o.save, "FILE", "gets the parameters, npz"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
