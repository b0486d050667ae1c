// SPDX-License-Identifier: MIT
#include "examples/program/flags.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

using cupyxx::testing::expect_error;

struct Values {
  std::string file = "here", kind = "a", device = "auto";
  std::int64_t count = 3;
  std::uint64_t seed = 0;
  std::vector<cupyxx::Device> devices = {cupyxx::Device::cuda(0), cupyxx::Device::cpu()};
  bool help = false;
};

std::vector<Flag> flags_of(Values& v) {
  return {{"file", &v.file, "FILE", "what is read"},
          {"kind", &v.kind, "a|b", "one of two"},
          device_flag(v.device),
          {.name = "count",
           .target = &v.count,
           .value = "N",
           .doc = "how many",
           .largest = 9,
           .smallest = 0},
          {"seed", &v.seed, "N", "of all random numbers"},
          devices_flag(v.devices)};
}

Values parse(std::initializer_list<const char*> arguments) {
  Values values;
  values.help = parse_flags(flags_of(values), {arguments.begin(), arguments.size()});
  return values;
}

TEST(Flags, FillTheirTargets) {
  const Values values = parse(
      {"--file=a=b", "--kind", "b", "--count=0", "--seed=7", "--devices=cpu,cuda:1,cuda", "-h"});
  EXPECT_EQ(values.file, "a=b");
  EXPECT_EQ(values.kind, "b");
  EXPECT_EQ(values.device, "auto");
  EXPECT_EQ(values.count, 0);
  EXPECT_EQ(values.seed, 7U);
  EXPECT_EQ(values.devices,
            (std::vector<cupyxx::Device>{cupyxx::Device::cpu(), cupyxx::Device::cuda(1),
                                         cupyxx::Device::cuda(0)}));
  EXPECT_TRUE(values.help);
}

TEST(Flags, RefuseWhatTheyDoNotAllow) {
  expect_error<UsageError>([] { parse({"--kind=c"}); }, "--kind=c: not one of a|b");
  expect_error<UsageError>([] { parse({"--count=10"}); }, "--count=10: not between 0 and 9");
  expect_error<UsageError>([] { parse({"--device=gpu"}); },
                           "--device=gpu: not one of auto|cpu|cuda:N");
  expect_error<UsageError>([] { parse({"--devices=cpu,"}); },
                           "--devices=cpu,: \"\" is neither cpu nor cuda:N");
  expect_error<UsageError>([] { parse({"--devices=gpu"}); },
                           "--devices=gpu: \"gpu\" is neither cpu nor cuda:N");
  expect_error<UsageError>([] { parse({"--devices="}); }, "--devices needs a value");
  expect_error<UsageError>([] { parse({"--what"}); }, "unknown flag --what; see --help");
  expect_error<UsageError>([] { parse({"what"}); }, "unexpected argument 'what'; see --help");
}

TEST(Flags, AreDescribedWithTheirDefaults) {
  Values values;
  EXPECT_EQ(describe_flags(flags_of(values)),
            "  --file=FILE                       what is read (here)\n"
            "  --kind=a|b                        one of two (a)\n"
            "  --device=auto|cpu|cuda:N          where to compute (auto)\n"
            "  --count=N                         how many (3)\n"
            "  --seed=N                          of all random numbers (0)\n"
            "  --devices=A,B                     where to compute: cpu or cuda:N each "
            "(cuda:0,cpu)\n");
}

TEST(Flags, ChooseDevice) {
  using cupyxx::Device;
  EXPECT_EQ(choose_device("auto", 0), Device::cpu());
  EXPECT_EQ(choose_device("auto", 2), Device::cuda(0));
  EXPECT_EQ(choose_device("cpu", 2), Device::cpu());
  EXPECT_EQ(choose_device("cuda", 1), Device::cuda(0));
  EXPECT_EQ(choose_device("cuda:1", 2), Device::cuda(1));
  expect_error<UsageError>([] { choose_device("cuda:0", 0); },
                           "--device=cuda:0: no such device; this machine has no CUDA device");
  expect_error<UsageError>(
      [] { choose_device("cuda:1", 1); },
      "--device=cuda:1: no such device; this machine has 1 CUDA device, cuda:0");
  expect_error<UsageError>(
      [] { choose_device("cuda:9", 8); },
      "--device=cuda:9: no such device; this machine has 8 CUDA devices, from cuda:0 on");
}

TEST(Flags, CheckDevices) {
  using cupyxx::Device;
  check_devices(std::vector{Device::cpu(), Device::cuda(1)}, 2);
  expect_error<UserError>(
      [] {
        check_devices(std::vector{Device::cpu(), Device::cuda(1)}, 1);
      },
      "there is no cuda:1; CUDA devices found: 1; --devices=cpu,cpu runs anywhere");
}

TEST(Program, EndsWithACodeForEachKindOfError) {
  const CommandLine line = {"p", "does nothing.", {}, ""};
  EXPECT_EQ(run_program(line, {}, [] { return 3; }), 3);
  EXPECT_EQ(run_program(line, {}, []() -> int { throw UsageError("usage"); }), 2);
  EXPECT_EQ(run_program(line, {}, []() -> int { throw UserError("file"); }), 1);
  const char* const unknown = "--what";
  EXPECT_EQ(run_program(line, {&unknown, 1}, [] { return 3; }), 2);
}

TEST(Program, PrintsTheDefaultsWhateverTheOtherFlagsSay) {
  std::int64_t count = 3;
  const CommandLine line = {"p", "counts.", {{"count", &count, "N", "how many", 9}}, "The end."};
  const std::string text =
      "p counts.\n\n  --count=N                         how many (3)\n\nThe end.\n";
  EXPECT_EQ(usage(line), text);
  const char* const arguments[] = {"--count=5", "--help"};
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_program(line, arguments, [] { return 3; }), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), text);
}

TEST(OutputFolder, IsMadeWithItsParents) {
  const std::string root = ::testing::TempDir() + "/flags_test_out";
  std::filesystem::remove_all(root);
  prepare_folder(root + "/a/b");
  prepare_folder(root + "/a/b");
  EXPECT_TRUE(std::filesystem::is_empty(root + "/a/b"));
  std::filesystem::remove_all(root);
}

TEST(OutputFolder, MustBeWritable) {
  const std::string file = ::testing::TempDir() + "/flags_test_file";
  std::ofstream(file) << "x";
  expect_error<UserError>([&] { prepare_folder(file + "/sub"); },
                          "--out=" + file + "/sub: the folder cannot be made: Not a directory");
  expect_error<UserError>([&] { prepare_folder(file); },
                          "--out=" + file + ": the folder cannot be made: Not a directory");
  std::filesystem::remove(file);
  // A folder in which even root cannot make a file.
  expect_error<UserError>([] { prepare_folder("/proc/self"); },
                          "--out=/proc/self: files cannot be written there: ");
}

TEST(OutputFile, IsTriedWithoutAChange) {
  const std::string root = ::testing::TempDir() + "/flags_test_file_out";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root);
  prepare_file("out", "");
  prepare_file("out", root + "/new.png");
  EXPECT_TRUE(std::filesystem::is_empty(root));
  std::ofstream(root + "/old.png") << "old";
  prepare_file("out", root + "/old.png");
  EXPECT_EQ(std::filesystem::file_size(root + "/old.png"), 3U);
  std::filesystem::remove_all(root);
}

TEST(OutputFile, MustBeWritable) {
  const std::string root = ::testing::TempDir();
  const auto refused = [](const std::string& path, const std::string& why) {
    expect_error<UserError>([&] { prepare_file("out", path); },
                            "--out=" + path + ": the file cannot be written: " + why);
  };
  refused(root, "Is a directory");
  refused(root + "/flags_test_new/", "No such file or directory");
  refused("/nowhere.svg/x", "No such file or directory");
  refused("/proc/self/x.png", "");  // a folder in which even root cannot make a file
}

}  // namespace
}  // namespace examples
