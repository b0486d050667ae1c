// SPDX-License-Identifier: MIT
// Chainer's first program, in C++: a network of three layers learns what small images show.
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/training/training.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "examples/program/flags.h"

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

int train(const std::string& data, const std::string& out, double epochs) {
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
  return 0;
}

int main(int argc, char** argv) {
  std::string data = "/usr/share/datasets/fashion-mnist", out = "result";
  std::int64_t epochs = 20;
  return examples::run_program({"trainer",
                                "trains a network on small images.",
                                {{"data", &data, "FOLDER", "of IDX files"},
                                 {"out", &out, "FOLDER", "gets results and snapshots"},
                                 {"epochs", &epochs, "N", "passes over the images", 1'000'000}},
                                ""},
                               argc, argv, [&] { return train(data, out, double(epochs)); });
}
