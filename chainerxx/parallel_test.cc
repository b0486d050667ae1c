// SPDX-License-Identifier: MIT
// Networks over two devices, as the manual has them: one model cut in two by functions::copy, and
// one model twice, the gradients of which are added up. Both must learn what one device learns.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::Device;
using cupyxx::slice;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

using Pair = std::pair<Device, Device>;

/// The pairs that the devices of the environment can form, one GPU twice among them.
std::vector<Pair> pairs() {
  std::vector<Pair> pairs;
  for (const Device device : cupyxx::testing::devices()) {
    pairs.emplace_back(device, device);
    if (device.is_cpu()) continue;
    pairs.emplace_back(Device::cpu(), device);
    pairs.emplace_back(device, Device::cuda(device.index + 1));
  }
  return pairs;
}

std::string name_of(const ::testing::TestParamInfo<Pair>& info) {
  const auto name = [](Device d) { return d.is_cpu() ? "cpu" : "cuda" + std::to_string(d.index); };
  return name(info.param.first) + "_" + name(info.param.second);
}

void move(FunctionSet& model, Device device) {
  device.is_cuda() ? model.to_gpu(device.index) : model.to_cpu();
}

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(6, 8));
  F::Linear& l2 = add("l2", F::Linear(8, 3));
  Variable operator()(const Variable& x) const { return l2(F::relu(l1(x))); }
};

/// The same network with half of the hidden units on each device; the scores are on the first.
struct SplitMlp : FunctionSet {
  explicit SplitMlp(const Pair& where) : devices(where) {
    part0.to(where.first);
    part1.to(where.second);
  }
  struct Part : FunctionSet {
    explicit Part(bool nobias) : l2(add("l2", F::Linear(4, 3, {.nobias = nobias}))) {}
    F::Linear& l1 = add("l1", F::Linear(6, 4));
    F::Linear& l2;
    void to(Device device) { move(*this, device); }
    Variable operator()(const Variable& x) const { return l2(F::relu(l1(x))); }
  };
  Variable operator()(const Variable& x) const {
    return part0(x) + F::copy(part1(F::copy(x, devices.second)), devices.first);
  }
  /// Takes the parameters of the whole: rows of the first layer, columns of the second.
  void set(const Mlp& whole) {
    for (int i = 0; i < 2; ++i) {
      Part& part = i == 0 ? part0 : part1;
      const slice units(4 * i, 4 * i + 4);
      part.l1.W.set(whole.l1.W(units).to(part.l1.W.device()));
      part.l1.b.set(whole.l1.b(units).to(part.l1.W.device()));
      part.l2.W.set(whole.l2.W(slice(), units).copy().to(part.l1.W.device()));
    }
    part0.l2.b.set(whole.l2.b.to(part0.l2.b.device()));
  }
  Pair devices;
  Part& part0 = add<Part>("part0", false);
  Part& part1 = add<Part>("part1", true);
};

class Parallel : public ::testing::TestWithParam<Pair> {
 protected:
  void SetUp() override {
    const auto [first, second] = GetParam();
    const int needed = std::max(first.is_cuda() ? first.index : -1, second.index) + 1;
    if (second.is_cuda() && cupyxx::cuda::device_count() < needed) {
      GTEST_SKIP() << "needs " << needed << " GPUs, this machine has "
                   << cupyxx::cuda::device_count();
    }
    cupyxx::random::seed(5);
    images = cupyxx::random::uniform({12, 6}, {.low = -1, .dtype = cupyxx::float32});
    labels = cupyxx::random::randint(0, 3, {12}).astype(cupyxx::int32);
  }
  /// Twenty steps of one network on the host.
  void train_alone(Mlp& model) const {
    optimizers::MomentumSGD optimizer({.lr = 0.1});
    optimizer.setup(model);
    for (int i = 0; i < 20; ++i) {
      optimizer.zero_grads();
      F::softmax_cross_entropy(model(images), Variable(labels)).backward();
      optimizer.update();
    }
  }
  ndarray images, labels;
};
INSTANTIATE_TEST_SUITE_P(, Parallel, ::testing::ValuesIn(pairs()), name_of);

TEST_P(Parallel, CopyCarriesElementsThereAndGradientsBack) {
  const auto [first, second] = GetParam();
  const Variable x(images.to(first));
  const Variable y = F::copy(x, second);
  EXPECT_EQ(y.device(), second);
  expect_array_equal(y.data().to(Device::cpu()), images);
  const ndarray gy = cupyxx::random::uniform({12, 6}, {.dtype = cupyxx::float32});
  y.set_grad(gy.to(second));
  y.backward();
  EXPECT_EQ(x.grad().device(), first);
  expect_array_equal(x.grad().to(Device::cpu()), gy);
}

TEST_P(Parallel, MixturesAreRefused) {
  const auto [first, second] = GetParam();
  if (first == second) return;
  const Variable x(images.to(first)), y(images.to(second));
  F::Linear layer(6, 3);
  second.is_cuda() ? layer.to_gpu(second.index) : layer.to_cpu();
  const std::string places = "; input 0 on " + first.name() + ", ";
  if (first.is_cpu() || second.is_cpu()) {
    expect_error<cupyxx::TypeError>([&] { x + y; },
                                    "arrays of the host and of a device are mixed" + places);
  } else {
    expect_error<cupyxx::DeviceError>([&] { x + y; }, "arrays of two devices are mixed");
    expect_error<cupyxx::DeviceError>([&] { layer(x); }, places + "W on " + second.name());
  }
}

TEST_P(Parallel, AModelOverTwoDevicesLearnsAsOnOne) {
  Mlp alone;
  SplitMlp split(GetParam());
  split.set(alone);
  train_alone(alone);

  const Variable x(images.to(split.devices.first)), t(labels.to(split.devices.first));
  optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(split);
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grads();
    F::softmax_cross_entropy(split(x), t).backward();
    optimizer.update();
  }
  for (int i = 0; i < 2; ++i) {
    const SplitMlp::Part& part = i == 0 ? split.part0 : split.part1;
    const slice units(4 * i, 4 * i + 4);
    EXPECT_EQ(part.l1.W.device(), i == 0 ? split.devices.first : split.devices.second);
    expect_allclose(part.l1.W.to(Device::cpu()), alone.l1.W(units), 1e-4, 1e-5);
    expect_allclose(part.l2.W.to(Device::cpu()), alone.l2.W(slice(), units), 1e-4, 1e-5);
  }
}

TEST_P(Parallel, AModelOnTwoDevicesLearnsAsOnOne) {
  const auto [first, second] = GetParam();
  Mlp alone;
  Mlp model0 = deep_copy(alone);
  train_alone(alone);

  Mlp model1 = deep_copy(model0);
  move(model0, first);
  move(model1, second);
  const Variable x0(images(slice(0, 4)).to(first)), x1(images(slice(4, 12)).to(second));
  const Variable t0(labels(slice(0, 4)).to(first)), t1(labels(slice(4, 12)).to(second));
  optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(model0);
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grads();
    for (ndarray& gradient : model1.gradients()) gradient.fill(0);
    // A loss is the mean over its images, so each counts by how many it has seen.
    const Variable loss0 = F::softmax_cross_entropy(model0(x0), t0) * (4.0 / 12);
    const Variable loss1 = F::softmax_cross_entropy(model1(x1), t1) * (8.0 / 12);
    loss0.backward();
    loss1.backward();
    optimizer.accumulate_grads(model1.gradients());
    optimizer.update();
    model1.copy_parameters_from(model0.parameters());
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(model1.parameters()[i].device(), second);
    expect_allclose(model0.parameters()[i].to(Device::cpu()), alone.parameters()[i], 1e-4, 1e-5);
    expect_array_equal(model1.parameters()[i].to(Device::cpu()),
                       model0.parameters()[i].to(Device::cpu()));
  }
}

}  // namespace
}  // namespace chainerxx
