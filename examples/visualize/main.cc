// SPDX-License-Identifier: MIT
// The graph of a computation as a drawing, and what training looks like inside: the distribution of
// a layer's weights.
//   visualize --out=FOLDER        writes graph.dot, graph.svg where graphviz is, and weights.png
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/whole_file.h"
#include "examples/program/dataset.h"
#include "examples/program/flags.h"
#include "examples/program/picture.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto", out = "result";
  std::int64_t steps = 600;
  std::uint64_t seed = 0;
};

struct Mlp : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(784, 36));
  F::Linear& l2 = add("l2", F::Linear(36, 10));
  Variable operator()(const Variable& x) const { return l2(F::relu(l1(x))); }
};

/// Each unit's weights as a picture of 28 x 28 pixels: what it looks for.
cp::ndarray filters(const cp::ndarray& W) {
  const auto images = W.reshape({-1, 28, 28});
  const auto largest = cp::abs(images).max({1, 2}, {.keepdims = true});
  return images / largest / 2 + 0.5;
}

int run(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  examples::prepare_folder(o.out);
  const examples::Dataset all = examples::read_dataset(o.data, "train", 10, 28);
  cp::random::seed(o.seed);
  Mlp model;
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  optimizer.add_hook(chainerxx::WeightDecay(1e-3));
  Variable loss;
  for (std::int64_t i = 0; i < o.steps; ++i) {
    const auto [images, labels] = all.take(cp::random::randint(0, all.size(), {100}));
    loss = optimizer.update([&, x = Variable(images), t = Variable(labels)] {
      return F::softmax_cross_entropy(model(x), t);
    });
  }
  std::cout << "loss after " << o.steps << " steps: " << loss.item<float>() << "\n";

  // The graph behind a variable: functions are boxes, variables ovals.
  const auto graph = chainerxx::build_computational_graph({loss});
  cp::extension::write_whole_file("visualize", o.out + "/graph.dot", graph.dump());
  std::cout << "graph: " << graph.nodes().size() << " nodes, " << graph.edges().size()
            << " arrows\n";
  std::string drawing;
  try {
    drawing = graph.dump("svg");
  } catch (const cp::Error& error) {
    std::cout << "no graph.svg: " << error.what() << "\n";
  }
  if (!drawing.empty()) {
    cp::extension::write_whole_file("visualize", o.out + "/graph.svg", drawing);
  }

  examples::save_png(o.out + "/weights.png", examples::sheet(filters(model.l1.W), 12), 2);
  const auto [counts, edges] = cp::histogram(model.l1.W, 9);
  std::cout << "weights of l1:\n";
  const auto most = counts.max().item<double>();
  for (int i = 0; i < 9; ++i) {
    const auto length = static_cast<std::size_t>(40 * counts.item<double>(i) / most);
    std::printf("%6.2f ... %5.2f %s\n", edges.item<double>(i), edges.item<double>(i + 1),
                std::string(length, '#').c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {"visualize",
                                      "draws a graph and what a layer has learned.",
                                      {{"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels"},
                                       examples::device_flag(o.device),
                                       {"steps", &o.steps, "N", "of training", 1'000'000},
                                       {"out", &o.out, "FOLDER", "gets the files"},
                                       {"seed", &o.seed, "N", "of all random numbers"}},
                                      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
