// SPDX-License-Identifier: MIT
// Chainer's first program, in C++: a network of three layers learns what small images show.
//   trainer [FOLDER OF IDX FILES] [FOLDER OF RESULTS] [EPOCHS]
#include <cstdlib>
#include <iostream>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/training/training.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"

namespace F = chainerxx::functions;
namespace datasets = chainerxx::datasets;
namespace extensions = chainerxx::training::extensions;
using chainerxx::Variable;
using chainerxx::iterators::SerialIterator;

struct Mlp : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(784, 1000));
  F::Linear& l2 = add("l2", F::Linear(1000, 1000));
  F::Linear& l3 = add("l3", F::Linear(1000, 10));
  Variable operator()(const Variable& x) { return l3(F::relu(l2(F::relu(l1(x))))); }
};

int main(int argc, char** argv) try {
  const std::string data = argc > 1 ? argv[1] : "/usr/share/datasets/fashion-mnist";
  const std::string out = argc > 2 ? argv[2] : "result";
  const double epochs = argc > 3 ? std::atof(argv[3]) : 20;

  if (cupyxx::cuda::is_available()) cupyxx::use_device(cupyxx::Device::cuda(0));
  const auto [train, test] = datasets::get_mnist(data);
  SerialIterator train_iter(train, 100);
  SerialIterator test_iter(test, 100, {.repeat = false});

  chainerxx::links::Classifier<Mlp> model;
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);

  chainerxx::training::StandardUpdater updater(train_iter, optimizer, model, {.capture = true});
  chainerxx::training::Trainer trainer(updater, {epochs, "epoch"}, out);
  trainer.extend(extensions::Evaluator(test_iter, model));
  trainer.extend(extensions::dump_graph("main/loss"));
  trainer.extend(extensions::snapshot({.n_retains = 1, .autoload = true}));
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PlotReport({"main/loss", "validation/main/loss"},
                                        {.x_key = "epoch", .filename = "loss.svg"}));
  trainer.extend(extensions::PlotReport({"main/accuracy", "validation/main/accuracy"},
                                        {.x_key = "epoch", .filename = "accuracy.svg"}));
  trainer.extend(
      extensions::PrintReport({"epoch", "main/loss", "validation/main/loss", "main/accuracy",
                               "validation/main/accuracy", "elapsed_time"}));
  trainer.extend(extensions::ProgressBar());
  trainer.run();
} catch (const std::exception& error) {
  std::cerr << "trainer: " << error.what() << "\n";
  return 1;
}
