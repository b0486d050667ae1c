// SPDX-License-Identifier: MIT
// A trained network as a fixed extractor of features, and a small predictor that is trained on
// them: what is learned from shirts and shoes of five kinds helps to tell five other kinds from a
// few examples.
//   fixed_features --examples=20
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/fixed_features/networks.h"
#include "examples/program/dataset.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::slice;
using examples::Dataset;
using fixed_features::Classifier;

struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto";
  std::int64_t epochs = 2, examples = 10, images = 30'000;
  std::uint64_t seed = 0;
};

/// The images of classes from `low` on, up to `high`, whose labels then begin at 0.
Dataset of_classes(const Dataset& all, int low, int high) {
  const auto places = cp::flatnonzero((all.labels >= low) & (all.labels < high));
  Dataset some = all.take(places);
  some.labels = some.labels - low;
  return some;
}

/// Trains on the first five kinds.
void pretrain(Classifier& model, const Dataset& images, const Options& o) {
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
    Variable loss;
    const auto order = cp::random::permutation(images.size());
    for (std::int64_t i = 0; i + 100 <= images.size(); i += 100) {
      const auto [x, t] = images.take(order(slice(i, i + 100)));
      loss = optimizer.update([&, labels = Variable(t), pixels = Variable(x)] {
        return F::softmax_cross_entropy(model.scores(model.extractor(pixels)), labels);
      });
    }
    std::cout << "the extractor, epoch " << epoch << ": loss " << loss.item<float>() << std::endl;
  }
}

/// The accuracy on `test` of a linear predictor that learns from what `features` makes of `train`.
template <class Features>
double learn(const Features& features, const Dataset& train, const Dataset& test) {
  // Volatile: nothing is recorded. From set_volatile(false) on the graph begins, and gradients end
  // here.
  const Variable x(train.images, true);
  const Variable fixed = features(x);
  fixed.set_volatile(false);

  chainerxx::FunctionSet model;
  auto& predictor = model.add("predictor", F::Linear(784, 5));
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  const Variable t(train.labels);
  for (int step = 0; step < 300; ++step) {
    optimizer.update([&] { return F::softmax_cross_entropy(predictor(fixed), t); });
  }
  const chainerxx::NoGradScope no_graph;
  return F::accuracy(predictor(features(Variable(test.images))), Variable(test.labels))
      .template item<double>();
}

int run(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  Dataset train = examples::read_dataset(o.data, "train", 10, 28);
  train = {train.images(slice(0, o.images)), train.labels(slice(0, o.images))};
  const Dataset test = of_classes(examples::read_dataset(o.data, "t10k", 10, 28), 5, 10);
  std::cout << "on " << cp::current_device().name() << std::fixed << std::setprecision(3) << "\n";
  cp::random::seed(o.seed);
  Classifier model(5);
  const Dataset first = of_classes(train, 0, 5), others = of_classes(train, 5, 10);
  if (first.size() < 100 || others.size() == 0 || test.size() == 0) {
    throw examples::UserError(cp::message(o.data, ": too few images: ", first.size(),
                                          " of the first five kinds, where a step takes 100, ",
                                          others.size(), " of the others and ", test.size(),
                                          " to test with"));
  }
  pretrain(model, first, o);
  const Dataset few = others.take(cp::arange(0, std::min(o.examples * 5, others.size())));
  std::cout << few.size() << " images of five other kinds: accuracy on new ones\n"
            << "  of their pixels   "
            << learn([](const Variable& x) { return F::identity(x); }, few, test)
            << "\n  of their features " << learn(model.extractor, few, test) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "fixed_features",
      "trains a predictor on features of a network that stays as it is.",
      {{"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels, compressed or not"},
       examples::device_flag(o.device),
       {"epochs", &o.epochs, "N", "passes of the extractor's training", 1'000'000},
       {"examples", &o.examples, "N", "images of each new kind, about", 5000},
       {"images", &o.images, "N", "of the training images, so many", 1'000'000'000, 1000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
