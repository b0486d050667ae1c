// SPDX-License-Identifier: MIT
#include "examples/mnist/options.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"

namespace mnist {
namespace {

Options parse(std::initializer_list<const char*> arguments) {
  Options options;
  examples::parse_flags(command_line(options).flags, {arguments.begin(), arguments.size()});
  return options;
}

std::string parse_error(std::initializer_list<const char*> arguments) {
  try {
    parse(arguments);
  } catch (const examples::UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Options, HaveDefaults) {
  const Options options = parse({});
  EXPECT_EQ(options.data, "/usr/share/datasets/fashion-mnist");
  EXPECT_EQ(options.device, "auto");
  EXPECT_EQ(options.epochs, 3);
  EXPECT_EQ(options.batchsize, 100);
  EXPECT_EQ(options.units, 100);
  EXPECT_EQ(options.optimizer, "adam");
  EXPECT_EQ(options.capture, "no");
  EXPECT_EQ(options.parallel, "no");
  EXPECT_EQ(options.out, "result");
  EXPECT_EQ(options.resume, "");
  EXPECT_EQ(options.seed, 0U);
}

TEST(Options, ReadBothFormsOfFlags) {
  const Options options = parse({"--data=a=b", "--device", "cuda:1", "--epochs=20", "--batchsize",
                                 "64", "--units=1000", "--optimizer", "sgd", "--capture=yes",
                                 "--out=x", "--resume=y", "--seed=18446744073709551615"});
  EXPECT_EQ(options.data, "a=b");
  EXPECT_EQ(options.device, "cuda:1");
  EXPECT_EQ(options.epochs, 20);
  EXPECT_EQ(options.batchsize, 64);
  EXPECT_EQ(options.units, 1000);
  EXPECT_EQ(options.optimizer, "sgd");
  EXPECT_EQ(options.capture, "yes");
  EXPECT_EQ(options.out, "x");
  EXPECT_EQ(options.resume, "y");
  EXPECT_EQ(options.seed, 18446744073709551615U);
}

TEST(Options, RejectUnknownArguments) {
  EXPECT_EQ(parse_error({"--epoch=3"}), "unknown flag --epoch; see --help");
  EXPECT_EQ(parse_error({"--"}), "unknown flag --; see --help");
  EXPECT_EQ(parse_error({"-e", "3"}), "unexpected argument '-e'; see --help");
  EXPECT_EQ(parse_error({"train"}), "unexpected argument 'train'; see --help");
  EXPECT_EQ(parse_error({"--units"}), "--units needs a value");
  EXPECT_EQ(parse_error({"--out="}), "--out needs a value");
}

TEST(Options, RejectBadNumbers) {
  EXPECT_EQ(parse_error({"--epochs=-1"}), "--epochs=-1: not between 1 and 1000000");
  EXPECT_EQ(parse_error({"--epochs=0"}), "--epochs=0: not between 1 and 1000000");
  EXPECT_EQ(parse_error({"--epochs=three"}), "--epochs=three: not a whole number");
  EXPECT_EQ(parse_error({"--epochs="}), "--epochs=: not a whole number");
  EXPECT_EQ(parse_error({"--batchsize=1e2"}), "--batchsize=1e2: not a whole number");
  EXPECT_EQ(parse_error({"--units=65537"}), "--units=65537: not between 1 and 65536");
  EXPECT_EQ(parse_error({"--units=99999999999999999999"}),
            "--units=99999999999999999999: not between 1 and 65536");
  EXPECT_EQ(parse_error({"--seed=-1"}), "--seed=-1: not a whole number");
  EXPECT_EQ(parse_error({"--seed=18446744073709551616"}),
            "--seed=18446744073709551616: not between 0 and 18446744073709551615");
}

TEST(Options, RejectBadChoices) {
  EXPECT_EQ(parse_error({"--optimizer=lion"}),
            "--optimizer=lion: not one of adam|sgd|momentum_sgd");
  EXPECT_EQ(parse_error({"--optimizer=momentum"}),
            "--optimizer=momentum: not one of adam|sgd|momentum_sgd");
  for (const char* device : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:N"}) {
    const std::string flag = std::string("--device=") + device;
    EXPECT_EQ(parse_error({flag.c_str()}), flag + ": not one of auto|cpu|cuda:N");
  }
}

TEST(Options, HelpNamesEveryFlagAndItsDefault) {
  Options defaults;
  EXPECT_EQ(examples::usage(command_line(defaults)),
            "train_mnist trains a network of three layers on images of 28 x 28 pixels.\n"
            "\n"
            "  --data=FOLDER                     IDX files, compressed or not "
            "(/usr/share/datasets/fashion-mnist)\n"
            "  --device=auto|cpu|cuda:N          where to compute (auto)\n"
            "  --epochs=N                        passes over the training images (3)\n"
            "  --batchsize=N                     images in a step (100)\n"
            "  --units=N                         width of the two hidden layers (100)\n"
            "  --optimizer=adam|sgd|momentum_sgd rule of the updates (adam)\n"
            "  --capture=yes|no                  steps on a GPU as CUDA graphs (no)\n"
            "  --parallel=yes|no                 a share of each batch for each process of mpirun "
            "(no)\n"
            "  --out=FOLDER                      gets the model, the picture and snapshots "
            "(result)\n"
            "  --resume=FILE                     continues from a snapshot\n"
            "  --seed=N                          of all random numbers (0)\n"
            "\n"
            "Ctrl-C saves a snapshot, from which --resume continues to the same result.\n");
}

ParallelOptions parse_parallel(std::initializer_list<const char*> arguments) {
  ParallelOptions options;
  examples::parse_flags(command_line("program", options).flags,
                        {arguments.begin(), arguments.size()});
  return options;
}

TEST(ParallelOptions, AreReadFromFlags) {
  const ParallelOptions options =
      parse_parallel({"--devices=cpu,cuda:1,cuda:0", "--units=50", "--seed=7"});
  ASSERT_EQ(options.devices.size(), 3u);
  EXPECT_EQ(options.devices[1], cupyxx::Device::cuda(1));
  EXPECT_EQ(options.units, 50);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(parse_parallel({}).devices[1], cupyxx::Device::cuda(1));
}

TEST(ParallelOptions, MistakesNameTheFlag) {
  const auto refuses = [](const char* flag, const char* text) {
    cupyxx::testing::expect_error<examples::UsageError>([&] { parse_parallel({flag}); }, text);
  };
  refuses("--devices=cpu,", "--devices=cpu,: \"\" is neither cpu nor cuda:N");
  refuses("--devices=gpu", "--devices=gpu: \"gpu\" is neither cpu nor cuda:N");
  refuses("--units=1", "--units=1: not between 2 and 65536");
  refuses("--epochs=2x", "--epochs=2x: not a whole number");
  refuses("--unit=3", "unknown flag --unit; see --help");
  refuses("--units", "--units needs a value");
}

TEST(ParallelOptions, HelpNamesEveryFlagAndItsDefault) {
  ParallelOptions defaults;
  EXPECT_EQ(examples::usage(command_line("train", defaults)),
            "train trains a network of three layers on several devices.\n"
            "\n"
            "  --devices=A,B                     where to compute: cpu or cuda:N each "
            "(cuda:0,cuda:1)\n"
            "  --data=FOLDER                     IDX files, compressed or not "
            "(/usr/share/datasets/fashion-mnist)\n"
            "  --epochs=N                        passes over the training images (3)\n"
            "  --batchsize=N                     images in a step (100)\n"
            "  --units=N                         width of the two hidden layers (1000)\n"
            "  --seed=N                          of all random numbers (0)\n");
}

}  // namespace
}  // namespace mnist
