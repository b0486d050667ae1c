// SPDX-License-Identifier: MIT
// A network whose shape is that of the sentence (Socher et al., 2011): it joins the vectors of two
// parts to that of the whole, as often as the sentence asks for, and tells the mood of every part.
//   sentiment --trees=2000 --epochs=10
#include <iomanip>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/sentiment/network.h"
#include "examples/sentiment/trees.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using sentiment::Network, sentiment::TreePtr;

struct Options {
  std::string device = "cpu";
  std::int64_t trees = 1000, epochs = 8, units = 32, batchsize = 20;
  std::uint64_t seed = 0;
};

/// The share of sentences whose mood is told, over the whole sentence and over all parts.
std::pair<double, double> test(const Network& model, const std::vector<TreePtr>& trees) {
  const chainerxx::NoGradScope no_graph;
  double whole = 0, parts = 0, count = 0;
  for (const TreePtr& tree : trees) {
    std::vector<Variable> vectors;
    std::vector<std::int32_t> moods;
    model.read(*tree, vectors, moods);
    const cp::ndarray right =
        model.mood(F::concat(vectors, 0)).data().argmax(1) == cp::array(moods);
    whole += right.item<bool>(-1) ? 1 : 0;
    parts += right.sum().item<double>();
    count += static_cast<double>(moods.size());
  }
  return {whole / static_cast<double>(trees.size()), parts / count};
}

int train(const Options& o) {
  if (o.batchsize > o.trees) {
    throw examples::UsageError(
        cp::message("--batchsize=", o.batchsize, ": more than --trees=", o.trees));
  }
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  std::mt19937 random(static_cast<std::uint32_t>(o.seed));
  const auto make = [&](std::int64_t n, int depth) {
    std::vector<TreePtr> trees;
    for (std::int64_t i = 0; i < n; ++i) trees.push_back(sentiment::make_tree(random, depth));
    return trees;
  };
  const std::vector<TreePtr> trees = make(o.trees, 2), new_trees = make(200, 2),
                             larger = make(200, 4);

  cp::random::seed(o.seed);
  Network model(o.units);
  chainerxx::optimizers::Adam optimizer({.alpha = 5e-3});
  optimizer.setup(model);
  std::cout << "such as " << trees[0]->str() << std::fixed << std::setprecision(3) << std::endl;
  for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
    double sum = 0;
    for (std::int64_t i = 0; i + o.batchsize <= o.trees; i += o.batchsize) {
      const std::span batch(&trees[static_cast<std::size_t>(i)],
                            static_cast<std::size_t>(o.batchsize));
      sum += optimizer.update([&] { return model.loss(batch); }).item<double>();
    }
    const auto [whole, parts] = test(model, new_trees);
    std::cout << "epoch " << epoch << ": loss " << sum / static_cast<double>(o.trees / o.batchsize)
              << ", new sentences " << whole << ", their parts " << parts << std::endl;
  }
  std::cout << "sentences twice as deep " << test(model, larger).first << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "sentiment",
      "tells the mood of sentences.",
      {examples::device_flag(o.device),
       {"trees", &o.trees, "N", "sentences to learn from", 1'000'000},
       {"epochs", &o.epochs, "N", "passes over them", 1'000'000},
       {"units", &o.units, "N", "length of a vector", 65'536},
       {"batchsize", &o.batchsize, "N", "sentences in a step", 1'000'000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
