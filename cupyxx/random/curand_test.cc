// SPDX-License-Identifier: MIT
// The generators of cuRAND, on the host and on devices; where the library is absent, the error.
#include <gtest/gtest.h>

#include <cmath>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

constexpr Method kMethods[] = {Method::PSEUDO_DEFAULT, Method::XORWOW,  Method::MRG32K3A,
                               Method::MTGP32,         Method::MT19937, Method::PHILOX4_32_10};

class CurandTest : public testing::DeviceTest {
 protected:
  // Whether cuRAND answers; if not, that it says so.
  bool is_present() {
    try {
      RandomState(1, Method::XORWOW).uniform({2});
      return true;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cuRAND"), std::string::npos) << error.what();
      return false;
    }
  }
};
CUPYXX_TEST_ON_DEVICES(CurandTest);

TEST_P(CurandTest, EveryMethodDraws) {
  if (!is_present()) return;
  for (const Method kind : kMethods) {
    // On the host cuRAND takes many seconds before the first number of this one.
    if (kind == Method::MT19937 && device().is_cpu()) continue;
    RandomState state(7, kind);
    for (const dtype type : {float32, float64}) {
      const ndarray u = state.uniform({100001}, {.low = -1, .high = 3, .dtype = type});
      EXPECT_EQ(u.dtype(), type);
      EXPECT_EQ(u.device(), device());
      EXPECT_GE(u.min().item<double>(), -1) << name(kind);
      EXPECT_LT(u.max().item<double>(), 3) << name(kind);
      EXPECT_NEAR(u.mean().item<double>(), 1, 5 * std::sqrt(16 / 12.0 / 1e5)) << name(kind);
      const ndarray z = state.normal({100001}, {.loc = 2, .scale = 3, .dtype = type});
      EXPECT_NEAR(z.mean().item<double>(), 2, 5 * 3 / std::sqrt(1e5)) << name(kind);
      EXPECT_NEAR(z.std().item<double>(), 3, 0.05) << name(kind);
    }
    const ndarray dice = state.randint(1, 7, {60000});
    EXPECT_EQ(dice.min().item<int>(), 1) << name(kind);
    EXPECT_EQ(dice.max().item<int>(), 6) << name(kind);
    EXPECT_NEAR(dice.mean().item<double>(), 3.5, 5 * 1.71 / std::sqrt(6e4)) << name(kind);
    EXPECT_EQ(state.bytes(13).size(), 13u);
    EXPECT_NEAR(state.lognormal({10001}, {.sigma = 0.1}).mean().item<double>(), 1.005, 0.01);
    EXPECT_EQ(state.gamma(2, {3}).size(), 3);
  }
}

TEST_P(CurandTest, SeedsDecideAndCopiesShare) {
  if (!is_present()) return;
  RandomState state(7, Method::PHILOX4_32_10), reference(7, Method::PHILOX4_32_10);
  RandomState copy = state;
  expect_array_equal(state.uniform({4}), reference.uniform({4}));
  expect_array_equal(copy.uniform({4}), reference.uniform({4}));
  expect_array_equal(state.normal({5}), reference.normal({5}));
  expect_array_equal(state.randint(0, 1l << 40, {5}), reference.randint(0, 1l << 40, {5}));
  state.seed(7);
  expect_array_equal(state.uniform({4}), RandomState(7, Method::PHILOX4_32_10).uniform({4}));
}

TEST_P(CurandTest, KeepsItsStateToItself) {
  RandomState state(7, Method::XORWOW);
  EXPECT_EQ(state.method(), Method::XORWOW);
  expect_error<ValueError>([&] { state.get_state(); },
                           "get_state: cuRAND keeps the state to itself; XORWOW");
  expect_error<ValueError>(
      [&] {
        state.set_state({1, 2});
      },
      "set_state: cuRAND keeps the state to itself; XORWOW");
  expect_error<DtypeError>([&] { state.uniform({2}, {.dtype = float16}); },
                           "uniform: cuRAND draws float32 and float64 only; float16");
}

TEST_P(CurandTest, MethodsHaveNames) {
  for (const Method kind : kMethods) {
    EXPECT_EQ(method(name(kind)), kind);
    EXPECT_EQ(method("CURAND_RNG_PSEUDO_" + std::string(name(kind))), kind);
  }
  EXPECT_EQ(method("CURAND_RNG_PSEUDO_DEFAULT"), Method::PSEUDO_DEFAULT);
  EXPECT_EQ(name(Method::counter), "counter");
  expect_error<ValueError>([] { RandomState(1, static_cast<Method>(5)); },
                           "random: the method is unknown; 5");
}

}  // namespace
}  // namespace cupyxx::random
