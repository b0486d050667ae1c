// SPDX-License-Identifier: MIT
// Trains a network of three layers on small images: the first example of Chainer, in C++.
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

// What this program uses; chainerxx/chainerxx.h and cupyxx/cupyxx.h are everything.
#include "chainerxx/capture.h"
#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "chainerxx/scope.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/random.h"
#include "examples/mnist/mlp.h"
#include "examples/mnist/options.h"
#include "examples/program/dataset.h"
#include "examples/program/interrupt.h"
#include "examples/program/learning_curve.h"
#include "examples/program/optimizers.h"
#include "examples/program/other_processes.h"
#include "examples/program/progress.h"
#include "examples/program/snapshot.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
using examples::Dataset;

/// Means over the test images.
examples::LossAndAccuracy evaluate(const Mlp& model, const Dataset& images) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope no_dropout(false);
  examples::LossAndAccuracy means;
  for (const Dataset& batch : images.batches(5000)) {
    const Variable y = model(batch.images), t(batch.labels);
    means.add(F::softmax_cross_entropy(y, t).data(), F::accuracy(y, t).data(), batch.size());
  }
  return means;
}

int train(const Options& options) {
  std::optional<examples::OtherProcesses> others;
  if (options.parallel == "yes") others.emplace();
  const bool is_first = !others || others->comm.rank() == 0;
  const int devices = cp::cuda::device_count();
  cp::Device device = examples::choose_device(options.device, devices);
  const bool is_named = options.device != "auto" && options.device != "cuda";
  if (others && !is_named) device = others->own(device, devices);
  const cp::DeviceScope on_device(device);
  if (is_first) examples::prepare_folder(options.out);
  const examples::TrainingData data(options.data, kClasses);
  data.check_batchsize(options.batchsize);
  const std::int64_t images = data.train.size();

  cp::random::seed(options.seed);
  Mlp model(data.train.pixels(), options.units);
  const auto optimizer = examples::make_optimizer(options.optimizer);
  std::optional<chainerxx::MultiNodeOptimizer> together;
  if (others) {
    together.emplace(chainerxx::create_multi_node_optimizer(*optimizer, others->comm));
    together->setup(model);
  } else {
    optimizer->setup(model);
  }

  const auto step = [&](const cp::ndarray& x, const cp::ndarray& labels) {
    const Variable y = model(x), t(labels);
    const Variable loss = F::softmax_cross_entropy(y, t);
    optimizer->zero_grads();
    loss.backward();
    together ? together->update() : optimizer->update();
    return std::pair(loss.data(), F::accuracy(y, t).data());
  };
  auto captured_step = chainerxx::capture(step);

  // A snapshot holds all that changes while training: this state, model, optimizer, random numbers.
  examples::TrainingState state;
  const examples::TrainingSettings settings = {
      .program = "train_mnist",
      .flags = {{"units", std::to_string(options.units)},
                {"batchsize", std::to_string(options.batchsize)},
                {"optimizer", options.optimizer},
                {"seed", std::to_string(options.seed)}},
      .data = options.data,
      .images = images,
  };
  if (!options.resume.empty()) {
    state = load_snapshot(options.resume, settings, options.epochs, model, *optimizer);
  }

  std::ostream quiet(nullptr);
  std::ostream& out = is_first ? std::cout : quiet;
  out << "training on " << device.name() << ": " << images << " images, " << data.test.size()
      << " to test with" << std::endl;
  examples::Progress progress(options.epochs, images, "images");
  const examples::InterruptScope interrupt;
  while (state.epoch < options.epochs) {
    progress.start_epoch(state.epoch, state.position);
    while (state.position < images) {
      const cp::ndarray numbers = state.next_batch(images, options.batchsize);
      const Dataset batch = data.train.take(others ? others->share(numbers) : numbers);
      const auto [loss, accuracy] = options.capture == "yes"
                                        ? captured_step(batch.images, batch.labels)
                                        : step(batch.images, batch.labels);
      state.means.add(loss, accuracy, batch.size());
      if (progress.step(numbers.size()) && is_first) progress.draw(state.means.named());
      if (others ? others->any(interrupt.requested()) : interrupt.requested()) {
        if (!is_first) return 130;
        progress.clear();
        const std::string path = options.out + "/snapshot.npz";
        save_snapshot(path, settings, state, model, *optimizer);
        std::cout << "interrupted in epoch " << state.epoch + 1
                  << "; continue with --resume=" << path << std::endl;
        return 130;  // as a shell reports SIGINT
      }
    }
    state.finish_epoch(evaluate(model, data.test));
    if (is_first) progress.finish_epoch(state.history.back().named());
  }

  if (!is_first) return 0;
  chainerxx::save_npz(options.out + "/model.npz", model);
  save_learning_curve(options.out + "/learning_curve.svg", state.history);
  out << "test accuracy " << std::fixed << std::setprecision(4)
      << state.history.back().test_accuracy << std::endl;
  return 0;
}

}  // namespace
}  // namespace mnist

int main(int argc, char** argv) {
  mnist::Options options;
  return examples::run_program(mnist::command_line(options), argc, argv,
                               [&] { return mnist::train(options); });
}
