// SPDX-License-Identifier: MIT
// Training over several devices gives the parameters of training on one; here the devices are all
// the host. //chainerxx:parallel_test does the like on GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"
#include "examples/mnist/data_parallel.h"
#include "examples/mnist/errors.h"
#include "examples/mnist/made_up_data.h"
#include "examples/mnist/model_parallel.h"

namespace mnist {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::slice;
using cp::testing::expect_allclose;
using cp::testing::expect_error;
using ::testing::HasSubstr;

constexpr std::int64_t kPixels = 12, kUnits = 8, kBatch = 10;

ParallelOptions on_host(int devices) {
  ParallelOptions options;
  options.devices.assign(static_cast<std::size_t>(devices), cp::Device::cpu());
  options.units = kUnits;
  return options;
}

struct Batch {
  cp::ndarray x = cp::random::uniform({kBatch, kPixels}, {.low = -1, .dtype = cp::float32});
  cp::ndarray t = cp::random::randint(0, 10, {kBatch}).astype(cp::int32);
};

void learn_alone(WholeMlp& model, const std::vector<Batch>& batches) {
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  for (const Batch& batch : batches) {
    const Variable loss = F::softmax_cross_entropy(model(batch.x), Variable(batch.t));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  }
}

TEST(DataParallel, LearnsWhatOneDeviceLearns) {
  cp::random::seed(3);
  for (const int devices : {1, 2, 3}) {  // ten images in three shares are not equal ones
    DataParallel parallel(on_host(devices), kPixels);
    WholeMlp alone(kPixels, kUnits);
    alone.copy_parameters_from(parallel.model().parameters());
    const std::vector<Batch> batches(20);
    learn_alone(alone, batches);
    for (const Batch& batch : batches) parallel.step(batch.x, batch.t);
    const auto learned = parallel.model().parameters(), expected = alone.parameters();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expect_allclose(learned[i], expected[i], 1e-4, 1e-5);
    }
  }
}

TEST(ModelParallel, LearnsWhatOneDeviceLearns) {
  cp::random::seed(4);
  ModelParallel parallel(on_host(2), kPixels);
  SplitMlp& split = parallel.model();
  const auto joined = [](const cp::ndarray& a, const cp::ndarray& b) {
    return cp::concatenate({a, b}, 0);
  };
  WholeMlp alone(kPixels, kUnits);
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
  learn_alone(alone, batches);
  for (const Batch& batch : batches) parallel.step(batch.x, batch.t);
  const auto learned = whole(), expected = alone.parameters();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_allclose(learned[i], expected[i], 1e-4, 1e-5);
  }
}

TEST(ModelParallel, NeedsTwoDevices) {
  expect_error<UsageError>([] { ModelParallel(on_host(3), kPixels); },
                           "--devices names 3 devices; a model is cut in two");
}

TEST(ParallelOptions, AreReadFromFlags) {
  const char* const flags[] = {"--devices=cpu,cuda:1,cuda:0", "--units=50", "--seed=7"};
  const ParallelOptions options = parse_parallel_options(flags);
  ASSERT_EQ(options.devices.size(), 3u);
  EXPECT_EQ(options.devices[1], cp::Device::cuda(1));
  EXPECT_EQ(options.units, 50);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(parse_parallel_options({}).devices[1], cp::Device::cuda(1));
}

TEST(ParallelOptions, MistakesNameTheFlag) {
  const auto refuses = [](const char* flag, const char* text) {
    expect_error<UsageError>([&] { parse_parallel_options({&flag, 1}); }, text);
  };
  refuses("--devices=cpu,", "--devices=cpu,: \"\" is neither cpu nor cuda:N");
  refuses("--devices=gpu", "--devices=gpu: \"gpu\" is neither cpu nor cuda:N");
  refuses("--units=1", "--units=1: not between 2 and 65536");
  refuses("--epochs=2x", "--epochs=2x: not a whole number");
  refuses("--unit=3", "unknown flag --unit; see --help");
  refuses("--units", "--units needs a value");
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
  write_made_up_part(folder, "train", 600);
  write_made_up_part(folder, "t10k", 100);
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
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mnist
