// SPDX-License-Identifier: MIT
// Trains one network on several devices, each of which takes its share of every batch:
//   train_mnist_data_parallel --devices=cuda:0,cuda:1
#include "examples/program/data_parallel.h"

#include <iostream>
#include <memory>

#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/random.h"
#include "examples/mnist/mlp.h"
#include "examples/mnist/options.h"
#include "examples/program/epochs.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
using examples::Dataset;

int train(const ParallelOptions& options) {
  examples::check_devices(options.devices, cp::cuda::device_count());
  const cp::DeviceScope on_first(options.devices[0]);
  const examples::TrainingData data(options.data, kClasses);
  data.check_batchsize(options.batchsize);

  cp::random::seed(options.seed);
  const chainerxx::TrainScope no_dropout(false);  // to learn what one device would learn
  examples::DataParallel<Mlp> models(
      options.devices, [&] { return std::make_unique<Mlp>(data.train.pixels(), options.units); });
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(models.first());
  const auto loss = [](Mlp& model, const Variable& x, const Variable& t) {
    return F::softmax_cross_entropy(model(x), t);
  };

  std::cout << "training on";
  for (const cp::Device device : options.devices) std::cout << " " << device.name();
  std::cout << std::endl;
  examples::train_epochs(
      {.learn =
           [&](const Dataset& b) { return models.update(optimizer, loss, b.images, b.labels); },
       .predict = [&](const cp::ndarray& images) { return models.first()(images); }},
      data, options.epochs, options.batchsize, std::cout);
  return 0;
}

}  // namespace
}  // namespace mnist

int main(int argc, char** argv) {
  mnist::ParallelOptions options;
  return examples::run_program(mnist::command_line("train_mnist_data_parallel", options), argc,
                               argv, [&] { return mnist::train(options); });
}
