// SPDX-License-Identifier: MIT
// A network that is cut in two learns the parameters of the whole one, and both programs run; here
// the devices are all the host. //chainerxx:parallel_test does the like on GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"
#include "examples/mnist/mlp.h"
#include "examples/mnist/split_mlp.h"
#include "examples/program/testing/made_up_images.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_allclose;
using ::testing::HasSubstr;

constexpr std::int64_t kPixels = 12, kUnits = 8, kBatch = 10;

struct Batch {
  cp::ndarray x = cp::random::uniform({kBatch, kPixels}, {.low = -1, .dtype = cp::float32});
  cp::ndarray t = cp::random::randint(0, 10, {kBatch}).astype(cp::int32);
};

template <class Model>
void learn(Model& model, const std::vector<Batch>& batches) {
  const chainerxx::TrainScope no_dropout(false);
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  for (const Batch& batch : batches) {
    const Variable loss = F::softmax_cross_entropy(model(batch.x), Variable(batch.t));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  }
}

TEST(SplitMlp, LearnsWhatOneDeviceLearns) {
  cp::random::seed(4);
  SplitMlp split(kPixels, kUnits, cp::Device::cpu(), cp::Device::cpu());
  const auto joined = [](const cp::ndarray& a, const cp::ndarray& b) {
    return cp::concatenate({a, b}, 0);
  };
  Mlp alone(kPixels, kUnits);
  const auto whole = [&] {
    return std::vector<cp::ndarray>{joined(split.half0.l1.W, split.half1.l1.W),
                                    joined(split.half0.l1.b, split.half1.l1.b),
                                    joined(split.half0.l2.W, split.half1.l2.W),
                                    joined(split.half0.l2.b, split.half1.l2.b),
                                    split.l3.W.copy(),
                                    split.l3.b.copy()};
  };
  alone.copy_parameters_from(whole());
  const std::vector<Batch> batches(20);
  learn(alone, batches);
  learn(split, batches);
  const auto learned = whole(), expected = alone.parameters();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_allclose(learned[i], expected[i], 1e-4, 1e-5);
  }
}

struct Outcome {
  int code;
  std::string text;
};

Outcome run(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Outcome outcome{};
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    outcome.text += static_cast<char>(c);
  }
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

TEST(ParallelPrograms, LearnMadeUpImages) {
  const std::string folder = ::testing::TempDir() + "/parallel_test_data";
  std::filesystem::create_directories(folder);
  examples::write_made_up_images(folder, "train", 600);
  examples::write_made_up_images(folder, "t10k", 100);
  for (const std::string kind : {"data", "model"}) {
    const std::string program = "examples/mnist/train_mnist_" + kind + "_parallel";
    const Outcome good =
        run(program + " --devices=cpu,cpu --units=20 --batchsize=50 --data=" + folder);
    EXPECT_EQ(good.code, 0) << good.text;
    EXPECT_THAT(good.text, HasSubstr("training on cpu cpu\nepoch 1: loss "));
    EXPECT_THAT(good.text, HasSubstr("epoch 3: loss 0."));
    EXPECT_THAT(good.text, HasSubstr("test accuracy 1.0000\n"));
    const Outcome bad = run(program + " --devices=cpu,cuda:99 --data=" + folder);
    EXPECT_EQ(bad.code, 1) << bad.text;
    EXPECT_THAT(bad.text, HasSubstr("there is no cuda:99; CUDA devices found: "));
    const Outcome help = run(program + " --help");
    EXPECT_EQ(help.code, 0) << help.text;
    EXPECT_THAT(help.text, HasSubstr("train_mnist_" + kind + "_parallel trains a network"));
  }
  const Outcome three =
      run("examples/mnist/train_mnist_model_parallel --devices=cpu,cpu,cpu --data=" + folder);
  EXPECT_EQ(three.code, 2) << three.text;
  EXPECT_EQ(three.text,
            "train_mnist_model_parallel: --devices names 3 devices; a model is cut in two\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mnist
