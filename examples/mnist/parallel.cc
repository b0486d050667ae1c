// SPDX-License-Identifier: MIT
#include "examples/mnist/parallel.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string_view>

#include "cupyxx/cupyxx.h"
#include "examples/mnist/dataset.h"
#include "examples/mnist/errors.h"
#include "examples/program/flags.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

/// `devices` is text that is read later.
std::vector<examples::Flag> flags_of(ParallelOptions& o, std::string& devices) {
  return {{"devices", &devices, "A,B", "where to compute: cpu or cuda:N each"},
          {"data", &o.data, "FOLDER", "IDX files, compressed or not"},
          {"epochs", &o.epochs, "N", "passes over the training images", 1'000'000},
          {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
          {.name = "units",
           .target = &o.units,
           .value = "N",
           .doc = "width of the two hidden layers",
           .largest = 65'536,
           .smallest = 2},
          {"seed", &o.seed, "N", "of all random numbers"}};
}

constexpr const char* kDefaultDevices = "cuda:0,cuda:1";

std::vector<cp::Device> devices_of(std::string_view text) {
  std::vector<cp::Device> devices;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name(text.substr(begin, comma - begin));
    try {
      devices.push_back(cp::Device::parse(name));
    } catch (const cp::Error&) {
      throw UsageError("--devices=" + std::string(text) + ": \"" + name +
                       "\" is neither cpu nor cuda:N");
    }
    begin = comma + 1;
  }
  return devices;
}

void check_devices(const std::vector<cp::Device>& devices) {
  const int count = cp::cuda::device_count();
  for (const cp::Device device : devices) {
    if (device.is_cpu() || device.index < count) continue;
    throw UserError("there is no " + device.name() + "; CUDA devices found: " +
                    std::to_string(count) + "; --devices=cpu,cpu runs anywhere");
  }
}

double accuracy(Trainer& trainer, const Dataset& data) {
  const chainerxx::NoGradScope no_graph;
  constexpr std::int64_t kBatch = 5000;
  double hits = 0;
  for (std::int64_t i = 0; i < data.size(); i += kBatch) {
    const cp::slice part(i, std::min(i + kBatch, data.size()));
    const Variable scores = trainer.predict(data.images(part));
    const Variable t(data.labels(part));
    hits += F::accuracy(scores, t).data().item<double>() * static_cast<double>(t.size());
  }
  return hits / static_cast<double>(data.size());
}

/// One pass in a random order; a last batch that is not full is left out. Returns the mean loss.
double train_epoch(Trainer& trainer, const Dataset& data, std::int64_t batchsize) {
  const cp::ndarray order = cp::random::permutation(data.size());
  cp::ndarray total = cp::zeros({}, cp::float32);
  const std::int64_t steps = data.size() / batchsize;
  for (std::int64_t i = 0; i < steps; ++i) {
    const cp::ndarray batch = order(cp::slice(i * batchsize, (i + 1) * batchsize));
    total += trainer.step(cp::take(data.images, batch, 0), cp::take(data.labels, batch, 0));
  }
  return total.item<double>() / static_cast<double>(steps);
}

int train(const ParallelOptions& options, const MakeTrainer& make) {
  check_devices(options.devices);
  const cp::DeviceScope on_first(options.devices[0]);
  const Data data(options.data);
  if (options.batchsize > data.train.size()) {
    throw UsageError("--batchsize=" + std::to_string(options.batchsize) + ": more than the " +
                     std::to_string(data.train.size()) + " training images in " + options.data);
  }
  cp::random::seed(options.seed);
  const std::unique_ptr<Trainer> trainer = make(options, data.train.pixels());
  std::cout << "training on";
  for (const cp::Device device : options.devices) std::cout << " " << device.name();
  std::cout << std::endl << std::fixed << std::setprecision(4);
  for (std::int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const double loss = train_epoch(*trainer, data.train, options.batchsize);
    std::cout << "epoch " << epoch << ": loss " << loss << ", test accuracy "
              << accuracy(*trainer, data.test) << std::endl;
  }
  return 0;
}

}  // namespace

ParallelOptions parse_parallel_options(std::span<const char* const> arguments) {
  ParallelOptions options;
  std::string devices = kDefaultDevices;
  options.help = examples::parse_flags(flags_of(options, devices), arguments);
  options.devices = devices_of(devices);
  return options;
}

int train_in_parallel(const char* program, std::span<const char* const> arguments,
                      const MakeTrainer& make) {
  return examples::run_program(program, [&] {
    ParallelOptions options = parse_parallel_options(arguments);
    if (!options.help) return train(options, make);
    options = ParallelOptions();
    std::string devices = kDefaultDevices;
    std::cout << program << " trains a network of three layers on several devices.\n\n"
              << examples::describe_flags(flags_of(options, devices));
    return 0;
  });
}

void move(chainerxx::FunctionSet& model, cp::Device device) {
  device.is_cuda() ? model.to_gpu(device.index) : model.to_cpu();
}

}  // namespace mnist
