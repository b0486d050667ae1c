// SPDX-License-Identifier: MIT
// The manual's ways of choosing a device, and what moves there: arrays, functions, models, tables.
// Needs two devices; current_device_dry_test runs the same without any.
#include <gtest/gtest.h>

#include <string>

#include "chainerxx/cuda.h"
#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/utils/walker_alias.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

using cupyxx::Device;
using cupyxx::testing::expect_error;

constexpr Device kHost = Device::cpu(), kFirst = Device::cuda(0), kSecond = Device::cuda(1);

struct Model : FunctionSet {
  functions::Linear& l1 = add("l1", functions::Linear(3, 2));
};

class CurrentDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cupyxx::cuda::device_count() < 2) GTEST_SKIP() << "needs two devices";
  }

 private:
  const cupyxx::DeviceScope back_{Device::cpu()};  // each test ends where it began
};

// Where everything goes that is sent to "the current device".
void expect_all_on(Device device) {
  Device model, function, table, array, made, chosen;
  {
    const cupyxx::DeviceScope host(kHost);  // where they are made; the CUDA device stays
    model = Model().to_gpu().parameters()[0].device();
    function = functions::Linear(3, 2).to_gpu().W.device();
    table = utils::WalkerAlias({1.0, 2.0}).to_gpu().device();
    array = cuda::to_gpu(cupyxx::zeros({3})).device();
    made = cuda::empty({4, 3}).device();
    chosen = cuda::get_device();
  }
  EXPECT_EQ(model, device);
  EXPECT_EQ(function, device);
  EXPECT_EQ(table, device);
  EXPECT_EQ(array, device);
  EXPECT_EQ(made, device);
  EXPECT_EQ(chosen, device);
}

TEST_F(CurrentDevice, ModelsAndArraysGoToTheSame) {
  cuda::use_device(1);
  expect_all_on(kSecond);
  cuda::use_device(0);
  expect_all_on(kFirst);
  cuda::get_device(1).use();
  expect_all_on(kSecond);
  EXPECT_EQ(cupyxx::empty({4, 3}).device(), kSecond);  // the manual's lines
  {
    const cuda::using_device scope(0);
    expect_all_on(kFirst);
    EXPECT_EQ(cupyxx::empty({4, 3}).device(), kFirst);
  }
  expect_all_on(kSecond);
  {
    const cupyxx::DeviceScope scope(kFirst);
    expect_all_on(kFirst);
  }
  cuda::init(0);
  expect_all_on(kFirst);
}

TEST_F(CurrentDevice, AModelIsMadeWhereItIsCurrent) {
  cuda::use_device(1);
  EXPECT_EQ(Model().parameters()[0].device(), kSecond);
}

TEST_F(CurrentDevice, ToGpuTakesADevice) {
  Model model;
  EXPECT_EQ(model.to_gpu(kSecond).parameters()[0].device(), kSecond);
  EXPECT_EQ(model.to_gpu(cuda::get_device(0)).parameters()[0].device(), kFirst);
  EXPECT_EQ(model.to_gpu(cupyxx::cuda::Device(1)).parameters()[0].device(), kSecond);
  functions::Linear linear(3, 2);
  EXPECT_EQ(linear.to_gpu(kSecond).W.device(), kSecond);
  utils::WalkerAlias table({1.0, 2.0});
  EXPECT_EQ(table.to_gpu(kSecond).device(), kSecond);
  const cupyxx::ndarray x = cupyxx::zeros({3});
  EXPECT_EQ(cuda::to_gpu(x, kSecond).device(), kSecond);
  EXPECT_EQ(cuda::to_gpu(x, cupyxx::cuda::Device(1)).device(), kSecond);
  EXPECT_EQ(cuda::to_gpu(x, cuda::get_device(1)).device(), kSecond);
  const cuda::using_device scope(kSecond);
  EXPECT_EQ(cupyxx::current_device(), kSecond);
}

TEST_F(CurrentDevice, ToGpuRefusesTheHost) {
  const std::string message = "to_gpu: not a CUDA device; cpu";
  expect_error<cupyxx::ValueError>([] { Model().to_gpu(kHost); }, message);
  expect_error<cupyxx::ValueError>([] { functions::Linear(3, 2).to_gpu(kHost); }, message);
  expect_error<cupyxx::ValueError>([] { utils::WalkerAlias({1.0}).to_gpu(kHost); }, message);
  const int absent = cupyxx::cuda::device_count();
  expect_error<cupyxx::DeviceError>([&] { Model().to_gpu(absent); },
                                    "to: no CUDA device " + std::to_string(absent));
}

TEST_F(CurrentDevice, DevicesAnswerAsTheManuals) {
  EXPECT_EQ(cuda::Device(1).compute_capability(), cupyxx::cuda::Device(1).compute_capability());
  EXPECT_EQ(cuda::Device(kSecond), cuda::get_device(1));
  EXPECT_EQ(cuda::Device(kHost), cuda::DummyDevice);
}

}  // namespace
}  // namespace chainerxx
