// SPDX-License-Identifier: MIT
// What holds of every differentiable function: how it treats volatile variables, None, arrays
// without elements, and inputs of wrong or mixed dtypes and devices.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/functions/testing/row_test.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/expect.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::testing {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class ContractsTest : public RowTest {
 protected:
  /// Inputs of which number `odd` is made by another function.
  template <class Make>
  Variables with_odd(const std::vector<ndarray>& x, std::size_t odd, Make&& make) {
    Variables v = as_variables(x);
    v[odd] = make(x[odd]);
    return v;
  }
};

TEST_P(ContractsTest, VolatileInputsGiveTheSameAndNoGraph) {
  const std::vector<ndarray> x = draw_inputs();
  Variables v;
  for (const ndarray& a : x) v.emplace_back(a, true);
  const Variables recorded = row().call(as_variables(x)), found = row().call(v);
  ASSERT_EQ(found.size(), recorded.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_array_equal(found[i].data(), recorded[i].data());
    EXPECT_TRUE(found[i].volatile_());
    EXPECT_EQ(found[i].creator(), nullptr);
    EXPECT_FALSE(recorded[i].volatile_());
    EXPECT_NE(recorded[i].creator(), nullptr);
  }
}

TEST_P(ContractsTest, InputsAreLeftAsTheyWere) {
  const std::vector<ndarray> x = draw_inputs();
  std::vector<ndarray> before;
  for (const ndarray& a : x) before.push_back(a.copy());
  const Variables y = row().call(as_variables(x));
  for (const Variable& each : y) each.set_grad(cupyxx::ones_like(each.data()));
  go_backward(y);
  for (std::size_t i = 0; i < x.size(); ++i) expect_array_equal(x[i], before[i]);
}

TEST_P(ContractsTest, MixedVolatilityIsRefused) {
  const std::vector<ndarray> x = draw_inputs();
  const auto make_volatile = [](const ndarray& a) { return Variable(a, true); };
  for (std::size_t odd = 0; x.size() > 1 && odd < x.size(); ++odd) {
    expect_error<cupyxx::ValueError>([&] { row().call(with_odd(x, odd, make_volatile)); },
                                     ": volatile and non-volatile variables are mixed; input ");
  }
}

TEST_P(ContractsTest, NoneIsRefused) {
  const std::vector<ndarray> x = draw_inputs();
  const auto none = [](const ndarray&) { return Variable(); };
  for (std::size_t odd = 0; odd < x.size(); ++odd) {
    const auto call = [&] { return row().call(with_odd(x, odd, none)); };
    if (has(kOptionalBias) && odd == 2) {
      EXPECT_EQ(call().size(), 1u);
    } else if (has(kOptionalStates) && x[odd].ndim() == 3) {
      EXPECT_FALSE(call().empty());
    } else {
      // By the name of the function, not of what it asked of its input first.
      expect_error<cupyxx::TypeError>(call, ": input ");
      expect_error<cupyxx::TypeError>(call, " is None");
    }
  }
}

TEST_P(ContractsTest, MixedDtypesAreRefused) {
  const std::vector<ndarray> x = draw_inputs();
  const auto narrow = [](const ndarray& a) { return Variable(a.astype(cupyxx::float32)); };
  for (std::size_t odd = 0; x.size() > 1 && odd < x.size(); ++odd) {
    const auto call = [&] { return row().call(with_odd(x, odd, narrow)); };
    if (has(kAnyDtype) &&
        (row().name.starts_with("broadcast") || row().name == "identity_of_two")) {
      EXPECT_FALSE(call().empty());
    } else {
      expect_error<typecheck::InvalidType>(call, "Expect: ");
    }
  }
}

TEST_P(ContractsTest, IntegersAreRefusedOrRearranged) {
  Variables v;
  for (const ndarray& a : draw_inputs()) v.emplace_back((a * 3).astype(cupyxx::int32));
  if (has(kAnyDtype)) {
    for (const Variable& y : row().call(v)) EXPECT_EQ(y.dtype(), cupyxx::int32);
  } else {
    expect_error<typecheck::InvalidType>([&] { row().call(v); }, "Expect: ");
  }
}

// Each of the axes in turn has no extent, in all inputs together and in each alone.
TEST_P(ContractsTest, ArraysWithoutElementsGiveNumbersOrErrors) {
  const auto check = [&](const std::vector<Shape>& shapes) {
    const std::vector<ndarray> x = draw_inputs(shapes);
    try {
      const Variables v = as_variables(x);
      const Variables y = row().call(v);
      for (const Variable& each : y) {
        EXPECT_EQ(cupyxx::count_nonzero(cupyxx::isnan(each.data())), 0);
        each.set_grad(cupyxx::ones_like(each.data()));
      }
      go_backward(y);
      for (const Variable& each : v) {
        if (each.grad().is_none()) continue;
        EXPECT_EQ(each.grad().shape(), each.shape());
        EXPECT_EQ(cupyxx::count_nonzero(cupyxx::isnan(each.grad())), 0);
      }
    } catch (const cupyxx::Error& error) {
      EXPECT_NE(std::string(error.what()).find(": "), std::string::npos) << error.what();
    }
  };
  for (int axis = 0; axis < 4; ++axis) {
    std::vector<Shape> all = row().shapes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (axis >= all[i].ndim()) continue;
      all[i][axis] = 0;
      std::vector<Shape> alone = row().shapes;
      alone[i][axis] = 0;
      check(alone);
    }
    check(all);
  }
}

// On a CUDA device, beside the host.
TEST_P(ContractsTest, MixedDevicesAreRefused) {
  const std::vector<ndarray> x = draw_inputs();
  std::vector<cupyxx::Device> others = cupyxx::testing::devices();
  others.push_back(cupyxx::Device::cpu());
  for (const cupyxx::Device other : others) {
    if (other == GetParam().device || has(kMixedDevices)) continue;
    for (std::size_t odd = 0; x.size() > 1 && odd < x.size(); ++odd) {
      const auto move = [&](const ndarray& a) { return Variable(a.to(other)); };
      expect_error<cupyxx::TypeError>([&] { row().call(with_odd(x, odd, move)); }, ": ");
    }
  }
}

CHAINERXX_TEST_ON_ROWS(ContractsTest);

class LayerContractsTest : public LayerTest {};

// The model was moved and the data was not, or the other way round.
TEST_P(LayerContractsTest, ParametersElsewhereAreRefused) {
  const Layer layer = make();
  std::vector<cupyxx::Device> others = cupyxx::testing::devices();
  others.push_back(cupyxx::Device::cpu());
  for (const cupyxx::Device other : others) {
    Variables x;
    for (const ndarray& a : draw_inputs()) x.emplace_back(a.to(other));
    if (other.is_cpu() == GetParam().device.is_cpu() || x.empty()) continue;
    expect_error<cupyxx::TypeError>([&] { layer.call(x); }, "mixed");
  }
}

CHAINERXX_TEST_ON_LAYERS(LayerContractsTest);

}  // namespace
}  // namespace chainerxx::testing
