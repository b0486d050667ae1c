// SPDX-License-Identifier: MIT
#include "chainerxx/cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

class Cuda : public cupyxx::testing::DeviceTest {
 protected:
  cuda::Device here() const {
    return device().is_cuda() ? cuda::Device(device().index) : cuda::DummyDevice;
  }
};

TEST_P(Cuda, ModuleIsUsableWithAndWithoutDevices) {
  EXPECT_EQ(cuda::available(), cupyxx::cuda::device_count() > 0);
  if (cuda::available()) {
    EXPECT_NO_THROW(cuda::check_cuda_available());
    EXPECT_NO_THROW(cuda::init());
    return;
  }
  EXPECT_FALSE(cuda::cudnn_enabled());
  const char* const message = "cuda: no CUDA device can be used; 0 devices present";
  expect_error<cupyxx::DeviceError>([] { cuda::check_cuda_available(); }, message);
  expect_error<cupyxx::DeviceError>([] { cuda::init(); }, message);
  expect_error<cupyxx::DeviceError>([] { cuda::to_gpu(cupyxx::ones({3})); }, message);
  expect_error<cupyxx::DeviceError>([] { cuda::zeros({3}); }, message);
  expect_error<cupyxx::DeviceError>([] { cuda::get_device(0); }, "cuda: no CUDA device 0");
  EXPECT_TRUE(cuda::get_device().is_dummy());
  // Streams stand for the host.
  const cuda::Stream stream;
  const ndarray x = cupyxx::arange(3, cupyxx::float32);
  EXPECT_EQ(cuda::to_cpu(x, stream).data(), x.data());
  expect_array_equal(cuda::copy(x, {}, {}, stream), x);
  expect_error<cupyxx::DeviceError>([&] { cuda::to_gpu(x, {}, stream); }, message);
}

TEST_P(Cuda, DevicesAnswerAsTheManuals) {
  expect_error<cupyxx::DeviceError>(
      [] { cuda::DummyDevice.compute_capability(); },
      "compute_capability: the dummy device has none; it stands for the host");
  expect_error<cupyxx::DeviceError>([] { cuda::DummyDevice.cublas_handle(); },
                                    "cublas_handle: the dummy device has none");
  if (device().is_cpu()) return;
  EXPECT_EQ(here().compute_capability(), cupyxx::cuda::Device(0).compute_capability());
  EXPECT_EQ(here().cublas_handle(), cupyxx::cuda::Device(0).cublas_handle());
}

TEST_P(Cuda, DevicesAreFoundFromArrays) {
  const ndarray on_host = cupyxx::ones({3}).to_cpu();
  const ndarray x = cupyxx::ones({3});
  EXPECT_EQ(cuda::get_device(on_host), cuda::DummyDevice);
  EXPECT_EQ(cuda::get_device(x), here());
  EXPECT_EQ(cuda::get_device(on_host, x), here());
  EXPECT_EQ(cuda::get_device_from_array(x, on_host), here());
  EXPECT_EQ(cuda::get_device_from_array(ndarray(), x), here());
  EXPECT_EQ(cuda::get_device(Variable(x)), here());
  EXPECT_EQ(cuda::get_device(here()), here());
  EXPECT_EQ(cuda::get_device_from_array(std::vector<ndarray>{on_host, ndarray(), x}), here());
  EXPECT_EQ(cuda::get_device_from_array(std::vector<ndarray>()), cuda::DummyDevice);
  EXPECT_EQ(cuda::get_device(on_host, Variable(x)), here());
  EXPECT_EQ(cuda::get_device(cuda::DummyDevice, on_host, x), here());
  EXPECT_EQ(cuda::get_device_from_id(cupyxx::none), cuda::DummyDevice);
  EXPECT_EQ(cuda::get_device(cupyxx::none), cuda::get_device());
  if (device().is_cuda()) {
    EXPECT_EQ(cuda::get_device(0), here());
    EXPECT_EQ(cuda::get_device(on_host, 0), here());
    EXPECT_EQ(cuda::get_device(0, on_host), here());
    EXPECT_EQ(cuda::get_device_from_id(0), here());
    EXPECT_EQ(cuda::get_device(), here());
  }
  EXPECT_EQ(static_cast<int>(cuda::DummyDevice), -1);
  std::ostringstream text;
  text << cuda::DummyDevice << here();
  EXPECT_EQ(text.str(),
            device().is_cuda() ? "<Dummy Device><CUDA Device 0>" : "<Dummy Device><Dummy Device>");
}

TEST_P(Cuda, TheDummyChangesNothing) {
  const cupyxx::Device before = cupyxx::current_device();
  {
    const cuda::using_device scope(cuda::DummyDevice);
    EXPECT_EQ(cupyxx::current_device(), before);
  }
  cuda::DummyDevice.use();
  cuda::DummyDevice.synchronize();
  cuda::use_device(cuda::DummyDevice);
  EXPECT_EQ(cupyxx::current_device(), before);
  EXPECT_EQ(cupyxx::Device(cuda::DummyDevice), cupyxx::Device::cpu());
}

TEST_P(Cuda, ScopesMakeArraysWhereTheArrayIs) {
  const ndarray x = cupyxx::ones({3});
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  {
    const cuda::using_device scope(x);
    EXPECT_EQ(cupyxx::empty({2}).device(), device());
  }
  EXPECT_EQ(cupyxx::empty({2}).device(), cupyxx::Device::cpu());
}

TEST_P(Cuda, ArraysTravel) {
  const ndarray x = cupyxx::arange(6, cupyxx::float32).reshape({2, 3});
  const ndarray host = cuda::to_cpu(x);
  EXPECT_EQ(host.device(), cupyxx::Device::cpu());
  EXPECT_EQ(cuda::to_cpu(host).data(), host.data());
  expect_elements<float>(host, {2, 3}, {0, 1, 2, 3, 4, 5});
  if (device().is_cpu()) return;
  EXPECT_EQ(cuda::to_gpu(x).data(), x.data());
  expect_array_equal(cuda::to_gpu(host), x);
  expect_array_equal(cuda::to_gpu(host, 0), x);
  expect_array_equal(cuda::to_gpu(host.T(), here()), x.T());
  const cuda::Stream stream({.non_blocking = true});
  const ndarray there = cuda::to_gpu(host.T(), here(), stream);
  const ndarray back = cuda::to_cpu(there, stream);
  stream.synchronize();
  expect_array_equal(back, host.T());
  expect_array_equal(cuda::to_gpu(host, cuda::DummyDevice, stream), x);
  expect_array_equal(cuda::to_gpu(host, 0, stream), x);
  expect_array_equal(cuda::to_gpu(host, cupyxx::none, stream), x);
  expect_array_equal(cuda::to_gpu(host, cupyxx::none), x);
}

TEST_P(Cuda, CopiesAreNew) {
  const ndarray x = cupyxx::arange(4, cupyxx::float32);
  const ndarray y = cuda::copy(x);
  EXPECT_NE(y.data(), x.data());
  expect_array_equal(y, x);
  const ndarray out = cupyxx::zeros({4}, cupyxx::float32);
  EXPECT_EQ(cuda::copy(x, out).data(), out.data());
  expect_array_equal(out, x);
  if (device().is_cpu()) return;
  EXPECT_EQ(cuda::copy(x.to_cpu(), {}, here()).device(), device());
  EXPECT_NE(cuda::copy(x, {}, here()).data(), x.data());
  EXPECT_EQ(cuda::copy(x.to_cpu(), {}, 0).device(), device());
  EXPECT_EQ(cuda::copy(x.to_cpu(), {}, 0, cuda::Stream()).device(), device());
  expect_error<cupyxx::TypeError>([&] { cuda::copy(x, out, here()); },
                                  "copy: out and out_device are both given");
}

TEST_P(Cuda, KernelsAreWrittenAsText) {
  const ndarray x = cupyxx::arange(4, cupyxx::float32);
  const auto squared_diff = cuda::elementwise("T x, T y", "T z", "z = (x - y) * (x - y)", "diff");
  expect_elements<float>(squared_diff(x, 1.0f), {4}, {1, 0, 1, 4});
  const auto norm = cuda::reduce("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
  EXPECT_FLOAT_EQ(norm(x).item<float>(), std::sqrt(14.0f));
}

TEST_P(Cuda, ArrayModulesLookIntoVariables) {
  const ndarray on_host = cupyxx::ones({3}).to_cpu();
  const Variable v(cupyxx::ones({3}));
  EXPECT_EQ(cuda::get_array_module(on_host).device(), cupyxx::Device::cpu());
  EXPECT_EQ(cuda::get_array_module(on_host, v).device(), device());
  EXPECT_EQ(cuda::get_array_module(v).zeros({2}).device(), device());
  EXPECT_EQ(cuda::get_array_module(Variable(), on_host).device(), cupyxx::Device::cpu());
}

TEST_P(Cuda, DeprecatedCreatorsMakeFloat32OnTheDevice) {
  if (cuda::available()) {
    EXPECT_EQ(cuda::empty({2}).dtype(), cupyxx::float32);
    EXPECT_TRUE(cuda::zeros({2}).device().is_cuda());
    expect_elements<float>(cuda::ones({2}), {2}, {1, 1});
    expect_elements<int>(cuda::full({2}, 7, cupyxx::int32), {2}, {7, 7});
  }
  const ndarray x = cupyxx::ones({2}, cupyxx::float16);
  EXPECT_EQ(cuda::zeros_like(x).dtype(), cupyxx::float16);
  EXPECT_EQ(cuda::empty_like(x).device(), device());
  expect_elements<float>(cuda::ones_like(x), {2}, {1, 1});
  expect_elements<float>(cuda::full_like(x, 3), {2}, {3, 3});
}

CUPYXX_TEST_ON_DEVICES(Cuda);

}  // namespace
}  // namespace chainerxx
