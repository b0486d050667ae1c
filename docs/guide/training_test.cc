// SPDX-License-Identifier: MIT
// The C++ of the guide's page on the training kit: each block of it stands in this file, which
// compiles and passes.
#include "chainerxx/training/training.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "docs/guide/testing.h"

namespace cp = cupyxx;
namespace F = chainerxx::functions;
namespace datasets = chainerxx::datasets;
namespace iterators = chainerxx::iterators;
namespace optimizers = chainerxx::optimizers;
namespace training = chainerxx::training;
namespace extensions = training::extensions;
using chainerxx::FunctionSet, chainerxx::Variable;
using cp::ellipsis;

namespace {

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(784, 100));
  F::Linear& l2 = add("l2", F::Linear(100, 10));
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};

struct Regression : FunctionSet {
  F::Linear& l = add("l", F::Linear(784, 1));

  Variable operator()(const Variable& x, const Variable& t) {
    Variable y = l(x);
    Variable loss = F::mean_squared_error(y, t);
    chainerxx::report({{"loss", loss}, {"error", F::mean_absolute_error(y, t)}}, *this);
    return loss;
  }
};

struct Beep final : training::Extension {
  void operator()(training::Trainer& trainer) override {
    std::cout << "step " << trainer.updater().iteration() << "\n";
  }
};

struct Generator : FunctionSet {
  F::Linear& l = add("l", F::Linear(16, 784));
  Variable operator()(const Variable& z) {
    made = z.shape()[0];
    return F::sigmoid(l(z));
  }
  std::int64_t made = 0;  // images of the latest call
};

struct Critic : FunctionSet {
  F::Linear& l = add("l", F::Linear(784, 1));
  Variable operator()(const Variable& x) { return l(x); }
};

class GanUpdater final : public training::StandardUpdater {
 public:
  GanUpdater(iterators::Iterator& images, Generator& generator, optimizers::Adam& of_generator,
             Critic& critic, optimizers::Adam& of_critic)
      : StandardUpdater(images, {}),
        gen(generator),
        dis(critic),
        gen_optimizer(of_generator),
        dis_optimizer(of_critic) {
    add_optimizer("gen", gen_optimizer, gen);
    add_optimizer("dis", dis_optimizer, dis);
  }

  void update_core() override {
    Variable real(next_arrays()[0]);
    Variable z(cp::random::normal({real.shape()[0], 16}, {.dtype = cp::float32}));
    dis_optimizer.update([&] {
      Variable fake = gen(z).detach();
      Variable loss = F::mean(F::softplus(-dis(real))) + F::mean(F::softplus(dis(fake)));
      chainerxx::report({{"loss", loss}}, dis);
      return loss;
    });
    gen_optimizer.update([&] {
      Variable loss = F::mean(F::softplus(-dis(gen(z))));
      chainerxx::report({{"loss", loss}}, gen);
      return loss;
    });
  }

  Generator& gen;
  Critic& dis;
  optimizers::Adam &gen_optimizer, &dis_optimizer;
};

struct Forecast : FunctionSet {
  chainerxx::links::LSTM& lstm = add("lstm", chainerxx::links::LSTM(1, 16));
  F::Linear& out = add("out", F::Linear(16, 1));
  Variable operator()(const Variable& x) { return out(lstm(x)); }
};

class SeriesUpdater final : public training::StandardUpdater {
 public:
  SeriesUpdater(iterators::Iterator& series, Forecast& network, optimizers::Adam& of_network)
      : StandardUpdater(series, {}), net(network), optimizer(of_network) {
    add_optimizer("main", optimizer, net);
  }

  void update_core() override {
    net.lstm.set_state(Variable(c), Variable(h));  // without the graph of the step before
    optimizer.update([&] {
      Variable loss;
      for (int i = 0; i < 10; ++i) {
        auto batch = next_arrays();  // (4, 1) each: numbers of four series, and the next ones
        loss += F::mean_squared_error(net(batch[0]), batch[1]) / 10;
      }
      chainerxx::report({{"loss", loss}}, net);
      return loss;
    });
    c(ellipsis) = net.lstm.c().data();
    h(ellipsis) = net.lstm.h().data();
  }

  void serialize(const training::Serializer& s) override {
    StandardUpdater::serialize(s);
    s("c", c);
    s("h", h);
  }

  Forecast& net;
  optimizers::Adam& optimizer;
  cp::ndarray c = cp::zeros({4, 16}, cp::float32), h = cp::zeros({4, 16}, cp::float32);
};

struct Squares final : datasets::Dataset {
  std::int64_t size() const override { return 100; }
  datasets::Example get_example(std::int64_t i) const override {
    return {cp::array({static_cast<float>(i)}), cp::array({static_cast<float>(i * i)})};
  }
};

class Training : public docs::PrintedTest {
 public:
  Training() : folder(::testing::TempDir() + "/guide_training_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder);
    before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    cp::random::seed(1);
    images = cp::random::uniform({200, 784}, {.dtype = cp::float32});
    labels = cp::random::randint(0, 10, {200}).astype(cp::int32);
  }
  ~Training() override {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }

  std::string folder;
  std::filesystem::path before;
  cp::ndarray images, labels;
};

TEST_F(Training, First) {
  datasets::TupleDataset all(images, labels);
  auto [train, test] = datasets::split_dataset_random(all, 160, 1);
  iterators::SerialIterator train_iter(train, 20), test_iter(test, 20, {.repeat = false});

  chainerxx::links::Classifier<Mlp> model;
  optimizers::Adam optimizer;
  optimizer.setup(model);

  training::StandardUpdater updater(train_iter, optimizer, model);
  training::Trainer trainer(updater, {3, "epoch"}, "result");
  trainer.extend(extensions::Evaluator(test_iter, model));
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PrintReport({"epoch", "main/loss", "validation/main/accuracy"}));
  trainer.extend(extensions::PlotReport({"main/loss", "validation/main/loss"}));
  trainer.extend(extensions::snapshot({.n_retains = 1, .autoload = true}));
  trainer.run();
  EXPECT_EQ(updater.iteration(), 24);
  for (const char* const file : {"log", "plot.svg", "snapshot_iter_24.npz"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + "/result/" + file)) << file;
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/result/snapshot_iter_16.npz"));
}

TEST_F(Training, Extensions) {
  datasets::TupleDataset all(images, images.mean(1, {.keepdims = true}));
  iterators::SerialIterator train_iter(all, 50), test_iter(all, 50, {.repeat = false});
  Regression model;
  optimizers::SGD optimizer({.lr = 1e-3});
  optimizer.setup(model);
  training::StandardUpdater updater(train_iter, optimizer, model);
  training::triggers::EarlyStoppingTrigger stop(
      {.monitor = "validation/main/loss", .patience = 5, .max_trigger = {3, "epoch"}});
  training::Trainer trainer(updater, stop, "result");
  trainer.extend(extensions::Evaluator(test_iter, model));
  trainer.extend(Beep(), {.trigger = {4, "iteration"}});
  trainer.extend(
      [&](training::Trainer& t) {
        std::cout << "epoch " << t.updater().epoch() << ", rate " << optimizer.lr() << "\n";
      },
      {.trigger = {1, "epoch"}});
  trainer.extend(extensions::ExponentialShift("lr", 0.5), {.trigger = {2, "epoch"}});
  trainer.extend(extensions::snapshot_object(model, "best.npz"),
                 {.trigger = training::triggers::MinValueTrigger("validation/main/loss")});
  trainer.run();
  expect_printed(
      "step 4\nepoch 1, rate 0.001\n"
      "step 8\nepoch 2, rate 0.001\n"
      "step 12\nepoch 3, rate 0.0005\n");
  EXPECT_TRUE(std::filesystem::exists(folder + "/result/best.npz"));
}

TEST_F(Training, TwoNetworks) {
  Generator generator;
  Critic critic;
  optimizers::Adam a, b;
  a.setup(generator);
  b.setup(critic);
  iterators::SerialIterator train_iter(datasets::TupleDataset(images), 50);
  GanUpdater updater(train_iter, generator, a, critic, b);
  training::Trainer trainer(updater, {2, "epoch"}, "result");
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PrintReport({"epoch", "gen/loss", "dis/loss"}));
  trainer.extend(extensions::observe_lr("gen"));
  trainer.run();
  EXPECT_EQ(a.t(), 8);
  EXPECT_EQ(b.t(), 8);
  EXPECT_EQ(generator.made, 50);  // one for each image of the batch
}

/// Where a network stands after so many steps over four sines, from a snapshot if there is one.
cp::ndarray forecast(std::int64_t steps, const std::string& out) {
  cp::random::seed(1);
  auto s = cp::sin(cp::arange(404).astype(cp::float32) * 0.1f).reshape({4, 101, 1});
  auto x = s.swapaxes(0, 1).reshape({404, 1});
  datasets::TupleDataset pairs(x(cp::slice(0, 400)), x(cp::slice(4, 404)));
  iterators::SerialIterator in_order(pairs, 4, {.shuffle = false});
  Forecast net;
  optimizers::Adam optimizer({.alpha = 0.01});
  optimizer.setup(net);
  SeriesUpdater updater(in_order, net, optimizer);
  training::Trainer trainer(updater, {steps, "iteration"}, out);
  trainer.extend(extensions::snapshot({.autoload = true}), {.trigger = {5, "iteration"}});
  trainer.run();
  return net.out.W.data();
}

TEST_F(Training, StatesBetweenSteps) {
  const cp::ndarray whole = forecast(20, "whole");
  forecast(12, "parts");  // goes on from the tenth step
  EXPECT_TRUE(cp::array_equal(forecast(20, "parts"), whole));
}

TEST_F(Training, Data) {
  datasets::TransformDataset noisy(
      datasets::TupleDataset(images, labels), [](const datasets::Example& example) {
        auto& random = datasets::example_random();
        return datasets::Example{example[0] + 0.1 * random.normal(), example[1]};
      });
  iterators::MultithreadIterator train_iter(noisy, 20, {.n_threads = 2});
  EXPECT_EQ(train_iter.next().size(), 20);

  std::vector<datasets::Example> texts = {{cp::array({1, 2, 3})}, {cp::array({4})}};
  auto padded = chainerxx::concat_examples(texts, {.padding = -1})[0];
  std::cout << padded << "\n";
  // [[ 1  2  3]
  //  [ 4 -1 -1]]
  expect_printed("[[ 1  2  3]\n [ 4 -1 -1]]\n");
  EXPECT_EQ(Squares()[-1][1].item<float>(0), 99 * 99);

  chainerxx::links::Classifier<Mlp> model;
  optimizers::Adam optimizer;
  optimizer.setup(model);
  auto weights = cp::ones({200}, cp::float32);
  iterators::SerialIterator weighted(datasets::TupleDataset(images, labels, weights), 20);
  training::StandardUpdater updater(
      weighted, optimizer, model,
      [&](const Variable& x, const Variable& t, const Variable& weight) {
        Variable each = F::softmax_cross_entropy(model.predictor(x), t, {.reduce = "no"});
        Variable loss = F::mean(each * weight);
        chainerxx::report({{"loss", loss}}, model);
        return loss;
      });
  training::Trainer(updater, {1, "epoch"}, "result").run();
  EXPECT_EQ(optimizer.t(), 10);

  datasets::TupleDataset train(images, labels);
  iterators::SerialIterator batches(train, 20, {.repeat = false, .shuffle = true});
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (const auto& batch : batches) {
      auto arrays = chainerxx::concat_examples(batch);
      optimizer.update([&] { return model(arrays[0], arrays[1]); });
    }
  }
  EXPECT_EQ(optimizer.t(), 10 + 3 * 10);
}

TEST(Pages, QuoteThisTest) { docs::expect_pages_quote({"training.md"}, {"training_test.cc"}); }

}  // namespace
