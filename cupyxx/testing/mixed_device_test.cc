// SPDX-License-Identifier: MIT
// Arrays of the host and of a device in one call, and what happens to them. Runs without a device:
// the CUDA runtime it is linked with has one that computes nothing.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/fuse.h"
#include "cupyxx/indexing.h"
#include "cupyxx/kernel.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_error;

struct Call {
  const char* name;
  std::function<void(const ndarray& host, const ndarray& device)> run;
};

const Call kCalls[] = {
    {"add", [](const ndarray& h, const ndarray& d) { (void)(h + d); }},
    {"add", [](const ndarray& h, const ndarray& d) { (void)(d + h); }},
    {"add", [](const ndarray& h, const ndarray& d) { add(d, d, {.out = h}); }},
    {"exp", [](const ndarray& h, const ndarray& d) { exp(h, {.out = d}); }},
    {"where", [](const ndarray& h, const ndarray& d) { where(h > 0, d, d); }},
    {"clip", [](const ndarray& h, const ndarray& d) { clip(d, h, d); }},
    {"concatenate",
     [](const ndarray& h, const ndarray& d) {
       concatenate({h, d});
     }},
    {"matmul", [](const ndarray& h, const ndarray& d) { matmul(h, d); }},
    {"sum", [](const ndarray& h, const ndarray& d) { sum(d, 0, {.out = h(0)}); }},
    {"take", [](const ndarray& h, const ndarray& d) { take(d, h.astype(int64)); }},
    {"difference",
     [](const ndarray& h, const ndarray& d) {
       ElementwiseKernel("T x, T y", "T z", "z = x - y", "difference")(d, h);
     }},
    {"gather",
     [](const ndarray& h, const ndarray& d) {
       ElementwiseKernel("T x, raw T y", "T z", "z = x - y[i]", "gather")(d, h);
     }},
    {"copied", [](const ndarray& h,
                  const ndarray& d) { ElementwiseKernel("T x", "T z", "z = x", "copied")(d, h); }},
    {"dot",
     [](const ndarray& h, const ndarray& d) {
       ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")({h, d});
     }},
    {"fused",
     [](const ndarray& h, const ndarray& d) {
       fuse([](auto x, auto y) { return x * y + x; }, "fused")(h, d);
     }},
};

TEST(MixedDevices, AreATypeErrorThatNamesTheCall) {
  const ndarray host = ones({3, 3}, float32);
  const ndarray device = host.to(Device::cuda(0));
  for (const Call& call : kCalls) {
    SCOPED_TRACE(call.name);
    expect_error<TypeError>([&] { call.run(host, device); }, std::string(call.name) + ": ");
    expect_error<TypeError>([&] { call.run(host, device); }, "arrays on different devices: ");
  }
  EXPECT_EQ(host.to_vector<float>(), std::vector<float>(9, 1.0f));
}

TEST(MixedDevices, NumbersGoAnywhere) {
  const ndarray device = ones({3}, float32).to(Device::cuda(0));
  EXPECT_EQ((device + 1).device(), Device::cuda(0));
  EXPECT_EQ((device * Scalar(2.0)).device(), Device::cuda(0));
}

TEST(MixedDevices, ResultsLiveWhereTheOperandsLive) {
  const ndarray device = ones({3, 3}, float32).to(Device::cuda(0));
  EXPECT_EQ(sum(device, 0).device(), Device::cuda(0));
  EXPECT_EQ(device(0).device(), Device::cuda(0));
  EXPECT_EQ(zeros_like(device).device(), Device::cuda(0));
  EXPECT_EQ(device.get().device(), Device::cpu());
  EXPECT_EQ(zeros({2}).device(), Device::cpu());  // the current device is the host's
}

}  // namespace
}  // namespace cupyxx
