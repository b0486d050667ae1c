// SPDX-License-Identifier: MIT
// Trains a network of three layers on small images: the first example of Chainer, in C++.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <span>

// What this program uses; chainerxx/chainerxx.h and cupyxx/cupyxx.h are everything.
#include "chainerxx/capture.h"
#include "chainerxx/function_set.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/sgd.h"
#include "chainerxx/scope.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/indexing.h"
#include "cupyxx/random.h"
#include "examples/mnist/dataset.h"
#include "examples/mnist/errors.h"
#include "examples/mnist/learning_curve.h"
#include "examples/mnist/options.h"
#include "examples/mnist/progress.h"
#include "examples/mnist/signal.h"
#include "examples/mnist/snapshot.h"
#include "examples/program/flags.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

/// Two hidden layers, half of whose units are dropped while training.
struct Mlp : chainerxx::FunctionSet {
  Mlp(std::int64_t pixels, std::int64_t units)
      : l1(add("l1", F::Linear(pixels, units))),
        l2(add("l2", F::Linear(units, units))),
        l3(add("l3", F::Linear(units, 10))) {}

  Variable operator()(const Variable& x) {
    const Variable h1 = F::dropout(F::relu(l1(x)), 0.5);
    const Variable h2 = F::dropout(F::relu(l2(h1)), 0.5);
    return l3(h2);
  }

  F::Linear& l1;
  F::Linear& l2;
  F::Linear& l3;
};

struct StepResult {
  cp::ndarray loss, accuracy;
};

/// One step of training with a batch.
StepResult train_step(Mlp& model, chainerxx::Optimizer& optimizer, const cp::ndarray& images,
                      const cp::ndarray& labels) {
  const Variable t(labels);
  const Variable y = model(images);
  const Variable loss = F::softmax_cross_entropy(y, t);
  optimizer.zero_grads();
  loss.backward();
  optimizer.update();
  return {loss.data(), F::accuracy(y, t).data()};
}

std::unique_ptr<chainerxx::Optimizer> make_optimizer(const std::string& name) {
  if (name == "sgd") return std::make_unique<chainerxx::optimizers::SGD>();
  if (name == "momentum_sgd") return std::make_unique<chainerxx::optimizers::MomentumSGD>();
  return std::make_unique<chainerxx::optimizers::Adam>();
}

/// Loss and accuracy over the test images.
Totals evaluate(Mlp& model, const Dataset& data) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope no_dropout(false);
  constexpr std::int64_t kBatch = 5000;
  Totals totals;
  for (std::int64_t i = 0; i < data.size(); i += kBatch) {
    const cp::slice part(i, std::min(i + kBatch, data.size()));
    const Variable x(data.images(part));
    const Variable t(data.labels(part));
    const Variable y = model(x);
    totals.add(F::softmax_cross_entropy(y, t).data(), F::accuracy(y, t).data(), x.shape()[0]);
  }
  return totals;
}

int train(const Options& options) {
  const cp::Device device = examples::choose_device(options.device, cp::cuda::device_count());
  const cp::DeviceScope on_device(device);
  examples::prepare_folder(options.out);
  const Data data(options.data);
  const std::int64_t images = data.train.size();
  if (options.batchsize > images) {
    throw UsageError("--batchsize=" + std::to_string(options.batchsize) + ": more than the " +
                     std::to_string(images) + " training images in " + options.data);
  }

  cp::random::seed(options.seed);
  Mlp model(data.train.pixels(), options.units);
  const auto optimizer = make_optimizer(options.optimizer);
  optimizer->setup(model);

  // All that changes while training stands in the model, the optimizer, the random numbers and
  // here; a snapshot holds the four.
  TrainingState state;
  if (!options.resume.empty()) {
    state = load_snapshot(options, images, model, *optimizer);
  }

  const auto step = [&](const cp::ndarray& x, const cp::ndarray& t) {
    return train_step(model, *optimizer, x, t);
  };
  auto captured_step = chainerxx::capture(step);
  const bool captures = options.capture == "yes";

  std::cout << "training on " << device.name() << ": " << images << " images, " << data.test.size()
            << " to test with" << std::endl;
  Progress progress(std::cout, standard_output(), options.epochs, images);
  const InterruptScope interrupt;
  for (; state.epoch < options.epochs; state.start_next_epoch()) {
    progress.start_epoch(state.epoch, state.position);
    if (state.position == 0) state.order = cp::random::permutation(images);
    while (state.position < images) {
      const std::int64_t end = std::min(state.position + options.batchsize, images);
      const cp::ndarray batch = state.order(cp::slice(state.position, end));
      const cp::ndarray x = cp::take(data.train.images, batch, 0);
      const cp::ndarray t = cp::take(data.train.labels, batch, 0);
      const StepResult result = captures ? captured_step(x, t) : step(x, t);

      const std::int64_t count = end - state.position;
      state.totals.add(result.loss, result.accuracy, count);
      state.position = end;
      if (progress.step(count)) {
        progress.draw(state.totals.mean_loss(), state.totals.mean_accuracy());
      }
      if (interrupt.requested()) {
        progress.clear();
        const std::string path = save_snapshot(options, images, state, model, *optimizer);
        std::cout << "interrupted in epoch " << state.epoch + 1
                  << "; continue with --resume=" << path << std::endl;
        return 130;  // as a shell reports SIGINT
      }
    }
    const Totals test = evaluate(model, data.test);
    const EpochResult result = {state.totals.mean_loss(), state.totals.mean_accuracy(),
                                test.mean_loss(), test.mean_accuracy()};
    progress.finish_epoch(result);
    state.history.push_back(result);
  }

  chainerxx::save_npz(options.out + "/model.npz", model);
  save_learning_curve(options.out + "/learning_curve.svg", state.history);
  std::cout << "test accuracy " << std::fixed << std::setprecision(4)
            << state.history.back().test_accuracy << std::endl;
  return 0;
}

int run(std::span<const char* const> arguments) {
  const Options options = parse_options(arguments);
  if (!options.help) return train(options);
  std::cout << usage();
  return 0;
}

}  // namespace
}  // namespace mnist

int main(int argc, char** argv) {
  return examples::run_program("train_mnist", [&] { return mnist::run({argv + 1, argv + argc}); });
}
