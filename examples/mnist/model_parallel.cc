// SPDX-License-Identifier: MIT
// Trains one network that is cut in two, each half on its device:
//   train_mnist_model_parallel --devices=cuda:0,cuda:1
#include <iostream>

#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/random.h"
#include "examples/mnist/options.h"
#include "examples/mnist/split_mlp.h"
#include "examples/program/epochs.h"
#include "examples/program/errors.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
using examples::Dataset;

int train(const ParallelOptions& options) {
  const std::vector<cp::Device>& devices = options.devices;
  examples::check_devices(devices, cp::cuda::device_count());
  const cp::DeviceScope on_first(devices[0]);
  const examples::TrainingData data(options.data, kClasses);
  data.check_batchsize(options.batchsize);
  if (devices.size() != 2) {
    throw examples::UsageError(
        cupyxx::message("--devices names ", devices.size(), " devices; a model is cut in two"));
  }

  cp::random::seed(options.seed);
  SplitMlp model(data.train.pixels(), options.units, devices[0], devices[1]);
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  const auto loss = [&](const Variable& x, const Variable& t) {
    return F::softmax_cross_entropy(model(x), t);
  };

  std::cout << "training on " << devices[0].name() << " " << devices[1].name() << std::endl;
  examples::train_epochs(
      {.learn = [&](const Dataset& b) { return optimizer.update(loss, b.images, b.labels).data(); },
       .predict = [&](const cp::ndarray& images) { return model(images); }},
      data, options.epochs, options.batchsize, std::cout);
  return 0;
}

}  // namespace
}  // namespace mnist

int main(int argc, char** argv) {
  mnist::ParallelOptions options;
  return examples::run_program(mnist::command_line("train_mnist_model_parallel", options), argc,
                               argv, [&] { return mnist::train(options); });
}
