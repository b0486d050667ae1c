// SPDX-License-Identifier: MIT
// Writes what a network of examples/imagenet computes: its parameters in the order of fields(), an
// input, the scores, the loss and all gradients, for benchmarks/network_truth.py to compare:
//
//   network_truth --arch=resnet50 --out=/tmp/resnet50.npz --device=cuda
#include <iostream>
#include <memory>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/imagenet/architectures.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;
using chainerxx::Variable;

struct Options {
  std::string arch = "nin", out = "truth.npz", device = "auto", precision = "float32";
  std::int64_t batch = 4;
};

/// Networks without dropout are compared as they train, the others as they are used.
bool trains(const std::string& arch) { return arch == "googlenetbn" || arch == "resnet50"; }

int write(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  const chainerxx::PrecisionScope precision(cp::precision_of(options.precision));
  const chainerxx::TrainScope train(trains(options.arch));
  cp::random::seed(1);
  const std::unique_ptr<imagenet::Network> model = imagenet::make_network(options.arch, 1000);
  const cp::ndarray x = cp::random::uniform({options.batch, 3, model->insize(), model->insize()},
                                            {.dtype = cp::float32});
  const cp::ndarray t = cp::random::randint(0, 1000, {options.batch}).astype(cp::int32);
  cp::NamedArrays arrays = {{"x", x}, {"t", t}};
  int number = 1000;  // so that the names sort
  for (const chainerxx::NamedField& field : model->fields()) {
    if (field.gradient == nullptr) continue;
    arrays.emplace_back("parameter/" + std::to_string(++number) + "/" + field.name, *field.array);
  }
  {
    const chainerxx::NoGradScope no_graph;
    arrays.emplace_back("scores", model->predict(Variable(x)).data().astype(cp::float32));
  }
  const Variable loss = model->loss(Variable(x), Variable(t));
  model->zero_grads();
  loss.backward();
  arrays.emplace_back("loss", loss.data());
  number = 1000;
  for (const chainerxx::NamedField& field : model->fields()) {
    if (field.gradient == nullptr) continue;
    arrays.emplace_back("gradient/" + std::to_string(++number) + "/" + field.name, *field.gradient);
  }
  cp::savez(options.out, arrays);
  std::cout << options.out << ": " << arrays.size() << " arrays" << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "network_truth",
      "writes what a network computes, for comparisons.",
      {{"arch", &o.arch, imagenet::architecture_names(), "network"},
       {"out", &o.out, "FILE", "npz"},
       examples::device_flag(o.device),
       {"precision", &o.precision, "float32|tf32|bfloat16|float16", "of products and convolutions"},
       {"batch", &o.batch, "N", "images", 1024}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return write(o); });
}
