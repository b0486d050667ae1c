// SPDX-License-Identifier: MIT
// A kernel that fails in the middle of a training step. CUDA's context is lost with it, so each
// case is a process of its own, which must get an error of ours that names what happened, be able
// to use the host, give everything back and end: no abort, no hang.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

extern char** environ;

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;

constexpr char kVariable[] = "CHAINERXX_DEVICE_FAULT";
constexpr char kSource[] = R"(
extern "C" __global__ void trap() { asm("trap;"); }
extern "C" __global__ void wild(int* at) { at[threadIdx.x] = 1; }
)";

/// As a kernel of the user's in the middle of a network.
struct Failing final : FunctionOf<Failing> {
  explicit Failing(bool the_wild, bool the_backward) : wild(the_wild), in_backward(the_backward) {}
  void fail() const {
    if (wild) {
      cp::RawKernel(kSource, "wild")(1, 32, reinterpret_cast<int*>(64));
    } else {
      cp::RawKernel(kSource, "trap")(1, 32);
    }
  }
  std::vector<ndarray> forward(std::span<const ndarray> x) override {
    if (!in_backward) fail();
    return {x[0] * 2};
  }
  std::vector<ndarray> backward(std::span<const ndarray>, std::span<const ndarray> gy) override {
    if (in_backward) fail();
    return {gy[0] * 2};
  }
  bool wild, in_backward;
};

struct Net : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(16, 16));
  F::Linear& l2 = add("l2", F::Linear(16, 4));
};

/// Trains until the failure; 0 when everything is as it should be.
int train_and_fail(const std::string& fault) {
  const cp::DeviceScope scope(cp::Device::cuda(0));
  Net net;
  optimizers::Adam optimizer;
  optimizer.setup(net);
  const ndarray x = cp::ones({8, 16}, cp::float32), t = cp::zeros({8}, cp::int32);
  const auto step = [&](bool fails) {
    Variable h = F::relu(net.l1(x));
    if (fails) {
      h = Failing(fault.find("wild") == 0, fault.find("backward") != std::string::npos)(h);
    }
    const Variable loss = F::softmax_cross_entropy(net.l2(h), Variable(t));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
    return loss.data().item<float>();
  };
  step(false);
  step(false);
  std::string text;
  try {
    step(true);
  } catch (const cp::CudaError& error) {
    text = error.what();
  }
  std::fprintf(stderr, "%s: %s\n", fault.c_str(), text.c_str());
  if (text.empty()) return 3;
  const auto says = [&](const char* what) { return text.find(what) != std::string::npos; };
  if (fault.find("wild") == 0 ? !says("illegal memory access")
                              : !says("launch failure") && !says("illegal instruction")) {
    return 4;
  }
  // The device is lost and says so again; it does not hang.
  for (int i = 0; i < 3; ++i) {
    try {
      step(false);
      return 5;
    } catch (const cp::Error&) {
    }
  }
  try {
    cp::save("/dev/null", net.l1.W);
    return 6;
  } catch (const cp::Error&) {
  }
  const cp::DeviceScope host(cp::Device::cpu());
  if (cp::sum(cp::ones({1000})).item<double>() != 1000) return 7;
  return 0;  // and the arrays and the optimizer go
}

/// This test again, as a process of its own: how it ended.
int run_again(const std::string& fault) {
  const std::string variable = std::string(kVariable) + "=" + fault;
  std::vector<std::string> words{"/proc/self/exe", "--gtest_filter=DeviceFaults.Itself"};
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    // It is all of the tests, of one shard.
    if (std::strncmp(*entry, "GTEST_", 6) == 0 || std::strncmp(*entry, "TEST_", 5) == 0 ||
        std::strncmp(*entry, "XML_OUTPUT_FILE", 15) == 0) {
      continue;
    }
    environment.push_back(*entry);
  }
  std::string copy = variable;
  environment.push_back(copy.data());
  environment.push_back(nullptr);
  pid_t child = -1;
  if (::posix_spawn(&child, words[0].c_str(), nullptr, nullptr, arguments.data(),
                    environment.data()) != 0) {
    return -1;
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(DeviceFaults, Itself) {
  const char* fault = std::getenv(kVariable);
  if (fault == nullptr) return;
  ::alarm(120);  // a hang is a failure
  ASSERT_EQ(train_and_fail(fault), 0);
}

TEST(DeviceFaults, EndInErrors) {
  if (std::getenv(kVariable) != nullptr) return;
  for (const char* fault : {"trap in forward", "trap in backward", "wild access in forward",
                            "wild access in backward"}) {
    const int status = run_again(fault);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << fault << " " << status;
  }
}

}  // namespace
}  // namespace chainerxx
