// SPDX-License-Identifier: MIT
// Runs the program as a user does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cupyxx/io.h"
#include "cupyxx/testing/devices.h"
#include "examples/program/testing/made_up_images.h"

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// The program, started; its standard output comes through a pipe.
class Process {
 public:
  /// `words` are what stands before the arguments.
  Process(const std::vector<std::string>& arguments, std::string error_file,
          std::vector<std::string> words = {"examples/mnist/train_mnist"})
      : error_file_(std::move(error_file)) {
    words.insert(words.end(), arguments.begin(), arguments.end());
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      if (std::freopen(error_file_.c_str(), "w", stderr) == nullptr) _exit(126);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execvp(argv[0], argv.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }

  std::string read_line() {
    std::string line;
    for (int c = std::fgetc(out_); c != EOF && c != '\n'; c = std::fgetc(out_)) {
      line += static_cast<char>(c);
    }
    return line;
  }
  /// Reads until the line of an epoch; false when the program ends before.
  bool wait_for_epoch() {
    while (true) {
      const std::string line = read_line();
      if (line.starts_with("epoch ")) return true;
      if (line.empty() && std::feof(out_) != 0) return false;
    }
  }
  void send(int signal_number) const { kill(pid_, signal_number); }
  Outcome wait() {
    Outcome run;
    for (int c = std::fgetc(out_); c != EOF; c = std::fgetc(out_)) run.out += static_cast<char>(c);
    std::fclose(out_);
    int status = 0;
    waitpid(pid_, &status, 0);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    run.err = read_text(error_file_);
    return run;
  }

 private:
  std::string error_file_;
  pid_t pid_ = -1;
  std::FILE* out_ = nullptr;
};

class TrainMnistTest : public ::testing::TestWithParam<cupyxx::Device> {
 public:
  TrainMnistTest() {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    folder_ = ::testing::TempDir() + "/train_mnist_" + name;
    fs::remove_all(folder_);
    fs::create_directories(data());
    examples::write_made_up_images(data(), "train", 600);
    examples::write_made_up_images(data(), "t10k", 100);
  }
  ~TrainMnistTest() override { fs::remove_all(folder_); }

  std::string data() const { return folder_ + "/data"; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  Process start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"--data=" + data(), "--units=20", "--device=" + GetParam().name()});
    return Process(arguments, path("stderr"));
  }
  Outcome run(const std::vector<std::string>& arguments) const { return start(arguments).wait(); }

  /// Runs, and expects one line of error text and an exit code.
  void expect_error(const std::vector<std::string>& arguments, int code,
                    const std::string& text) const {
    const Outcome r = run(arguments);
    EXPECT_EQ(r.exit_code, code) << r.err;
    EXPECT_EQ(r.err, "train_mnist: " + text + "\n");
  }

  std::string folder_;
};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_of('\n');
  const std::size_t start = text.find_last_of('\n', end - 1);
  return text.substr(start + 1, end - start - 1);
}

/// Both archives hold the same names and bytes.
void expect_same_arrays(const std::string& a_path, const std::string& b_path) {
  const cupyxx::NpzFile a = cupyxx::load_npz(a_path);
  const cupyxx::NpzFile b = cupyxx::load_npz(b_path);
  ASSERT_EQ(a.files(), b.files());
  EXPECT_FALSE(a.files().empty());
  for (const std::string& name : a.files()) {
    ASSERT_EQ(a[name].dtype(), b[name].dtype()) << name;
    EXPECT_EQ(a[name].to_vector<float>(), b[name].to_vector<float>()) << name;
  }
}

TEST_P(TrainMnistTest, TrainsWithOtherProcesses) {
  if (GetParam().is_cuda()) return;  // a GPU has one process
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  Process process(
      {"--data=" + data(), "--units=20", "--device=cpu", "--parallel=yes", "--epochs=20",
       "--batchsize=20", "--out=" + path("out")},
      path("stderr"),
      {"mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", "examples/mnist/train_mnist"});
  const Outcome r = process.wait();
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, StartsWith("training on cpu: 600 images, 100 to test with\n"));
  EXPECT_THAT(last_line(r.out), StartsWith("test accuracy 1.0000"));
  EXPECT_TRUE(fs::exists(path("out/model.npz")));
}

TEST_P(TrainMnistTest, TrainsAndLeavesFiles) {
  const Outcome r = run({"--epochs=20", "--batchsize=20", "--out=" + path("out/deep")});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(last_line(r.out), "test accuracy 1.0000") << r.out;
  EXPECT_THAT(r.out, HasSubstr("\nepoch 20/20  loss "));
  EXPECT_EQ(r.out.find('\r'), std::string::npos) << "a bar outside of a terminal";
  EXPECT_THAT(read_text(path("out/deep/learning_curve.svg")), StartsWith("<svg "));
  const cupyxx::NpzFile model = cupyxx::load_npz(path("out/deep/model.npz"));
  EXPECT_EQ(model.files().size(), 6U);
  EXPECT_FALSE(fs::exists(path("out/deep/snapshot.npz")));
}

TEST_P(TrainMnistTest, SeedDecidesTheResult) {
  for (const char* optimizer : {"adam", "sgd", "momentum_sgd"}) {
    const std::string flag = std::string("--optimizer=") + optimizer;
    ASSERT_EQ(run({flag, "--epochs=1", "--seed=5", "--out=" + path("a")}).exit_code, 0);
    ASSERT_EQ(run({flag, "--epochs=1", "--seed=5", "--out=" + path("b")}).exit_code, 0);
    ASSERT_EQ(run({flag, "--epochs=1", "--seed=6", "--out=" + path("c")}).exit_code, 0);
    expect_same_arrays(path("a/model.npz"), path("b/model.npz"));
    EXPECT_NE(read_text(path("a/model.npz")), read_text(path("c/model.npz")));
  }
}

TEST_P(TrainMnistTest, CapturedStepsGiveTheSameResult) {
  // The last batch of an epoch is smaller.
  const std::vector<std::string> flags = {"--epochs=3", "--batchsize=70", "--seed=5"};
  for (const std::string capture : {"no", "yes"}) {
    std::vector<std::string> all = flags;
    all.push_back("--capture=" + capture);
    all.push_back("--out=" + path(capture));
    const Outcome outcome = run(all);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  expect_same_arrays(path("no/model.npz"), path("yes/model.npz"));
}

TEST_P(TrainMnistTest, ResumesAfterInterruptToTheSameResult) {
  for (const std::string optimizer : {"adam", "sgd", "momentum_sgd"}) {
    // Batches of 7 do not divide 600: the last one of an epoch is smaller.
    const std::vector<std::string> flags = {"--optimizer=" + optimizer, "--epochs=40",
                                            "--batchsize=7", "--out=" + path("whole")};
    const Outcome whole = run(flags);
    ASSERT_EQ(whole.exit_code, 0) << whole.err;

    // Interrupted twice, each time somewhere within an epoch.
    std::vector<std::string> parts = flags;
    parts.back() = "--out=" + path("parts");
    Process first = start(parts);
    ASSERT_TRUE(first.wait_for_epoch());
    first.send(SIGINT);
    const Outcome interrupted = first.wait();
    ASSERT_EQ(interrupted.exit_code, 130) << interrupted.err;
    const std::string snapshot = path("parts/snapshot.npz");
    EXPECT_THAT(interrupted.out, HasSubstr("interrupted in epoch "));
    EXPECT_THAT(interrupted.out, HasSubstr("--resume=" + snapshot));
    EXPECT_FALSE(fs::exists(path("parts/model.npz")));

    parts.push_back("--resume=" + snapshot);
    Process second = start(parts);
    ASSERT_TRUE(second.wait_for_epoch());
    second.send(SIGTERM);
    ASSERT_EQ(second.wait().exit_code, 130);

    const Outcome resumed = run(parts);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(last_line(resumed.out), last_line(whole.out));
    expect_same_arrays(path("whole/model.npz"), path("parts/model.npz"));
    EXPECT_EQ(read_text(path("whole/learning_curve.svg")),
              read_text(path("parts/learning_curve.svg")));
    fs::remove_all(path("parts"));
  }
}

TEST_P(TrainMnistTest, RefusesSnapshotsThatDoNotFit) {
  Process process = start({"--epochs=1000", "--out=" + path("out")});
  ASSERT_TRUE(process.wait_for_epoch());
  process.send(SIGINT);
  ASSERT_EQ(process.wait().exit_code, 130);
  const std::string snapshot = path("out/snapshot.npz");
  const std::string resume = "--resume=" + snapshot;
  const std::string out = "--out=" + path("other");

  expect_error({resume, out, "--units=30"}, 1,
               snapshot + ": was made with --units=20, not --units=30");
  expect_error({resume, out, "--batchsize=50"}, 1,
               snapshot + ": was made with --batchsize=100, not --batchsize=50");
  expect_error({resume, out, "--optimizer=sgd"}, 1,
               snapshot + ": was made with --optimizer=adam, not --optimizer=sgd");
  expect_error({resume, out, "--seed=1"}, 1, snapshot + ": was made with --seed=0, not --seed=1");
  examples::write_made_up_images(data(), "train", 500);
  expect_error({resume, out}, 1,
               snapshot + ": was made with 600 training images, but " + data() + " holds 500");

  examples::write_made_up_images(data(), "train", 600);
  const cupyxx::NpzFile sound = cupyxx::load_npz(snapshot);
  const auto with = [&](const std::string& key, const cupyxx::ndarray& value,
                        const std::string& text) {
    cupyxx::NamedArrays arrays;
    for (const std::string& name : sound.files()) {
      arrays.emplace_back(name, name == key ? value : sound[name]);
    }
    cupyxx::savez(path("changed.npz"), arrays);
    expect_error({"--resume=" + path("changed.npz"), out, "--epochs=1000"}, 1,
                 path("changed.npz") + ": " + key + " " + text);
  };
  const auto number = [](std::int64_t value) {
    return cupyxx::array(std::vector<std::int64_t>{value});
  };
  with("train_mnist/epoch", number(-1), "is -1");
  with("train_mnist/position", number(-100), "is -100");
  with("train_mnist/position", number(700), "is 700, beyond 600 images");
  with("train_mnist/means/count", number(-1), "is -1");
  with("train_mnist/means/count", number(601), "is 601, beyond 600 images");
  with("train_mnist/epoch", cupyxx::arange(2), "has 2 values, not 1");
  with("train_mnist/epoch", cupyxx::zeros({1}), "is (1,) float64, not a list of int64");
  // Nothing is broadcast into parameters, and nothing else is taken for an order or a history.
  with("model/l1/W", cupyxx::zeros({1}, cupyxx::float32),
       "is (1,) float32, not (20, " + std::to_string(sound["model/l1/W"].shape(1)) + ") float32");
  with("optimizer/l3/b/v", cupyxx::zeros({10}), "is (10,) float64, not (10,) float32");
  with("train_mnist/order", cupyxx::arange(1, 601), "is no order of 600 images");
  const auto epochs = sound["train_mnist/epoch"].item<std::int64_t>();
  with("train_mnist/history", cupyxx::zeros({3}),
       "has 3 values, not four for each of " + std::to_string(epochs) + " epochs");

  expect_error({"--resume=" + path("none"), out}, 1,
               "load: " + path("none") + ": cannot open; No such file or directory");
  const std::string bytes = read_text(snapshot);
  std::ofstream(snapshot, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  const Outcome damaged = run({resume, out});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.err, StartsWith("train_mnist: "));
  EXPECT_THAT(damaged.err, HasSubstr(snapshot));
  // The model is no snapshot.
  ASSERT_EQ(run({"--epochs=1", out}).exit_code, 0);
  expect_error({"--resume=" + path("other/model.npz"), out}, 1,
               path("other/model.npz") + ": is no snapshot of train_mnist");
}

TEST_P(TrainMnistTest, ExplainsMistakesOnTheCommandLine) {
  expect_error({"--epochs=-1"}, 2, "--epochs=-1: not between 1 and 1000000");
  expect_error({"--colour"}, 2, "unknown flag --colour; see --help");
  const Outcome absent = run({"--device=cuda:99999"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err,
              StartsWith("train_mnist: --device=cuda:99999: no such device; this machine has "));
  expect_error({"--batchsize=601", "--out=" + path("out")}, 2,
               "--batchsize=601: more than the 600 training images in " + data());
  std::ofstream(path("file")) << "x";
  expect_error({"--out=" + path("file")}, 1,
               "--out=" + path("file") + ": the folder cannot be made: Not a directory");
}

TEST_P(TrainMnistTest, ExplainsBadData) {
  const std::string out = "--out=" + path("out");
  expect_error({"--data=" + path("none"), out}, 1,
               path("none") +
                   ": no such folder; --data names one of IDX files, Debian's package "
                   "dataset-fashion-mnist brings Fashion-MNIST");
  const std::string labels = data() + "/train-labels-idx1-ubyte";
  fs::copy_file(data() + "/t10k-labels-idx1-ubyte", labels, fs::copy_options::overwrite_existing);
  expect_error(
      {out}, 1,
      labels + ": holds 100 labels, but " + data() + "/train-images-idx3-ubyte 600 images");
}

TEST_P(TrainMnistTest, PrintsHelp) {
  const Outcome r = run({"--help"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, HasSubstr("--batchsize=N"));
}

INSTANTIATE_TEST_SUITE_P(, TrainMnistTest, ::testing::ValuesIn(cupyxx::testing::devices()),
                         cupyxx::testing::device_name);

}  // namespace
