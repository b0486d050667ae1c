// SPDX-License-Identifier: MIT
// Methods of variables are the functions of their names, with gradients.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;

class MethodsTest : public cp::testing::DeviceTest {
 protected:
  Variable x_{(cp::arange(12) + 1).reshape({3, 4}) / 8.};

  void same(const std::function<Variable(const Variable&)>& method,
            const std::function<Variable(const Variable&)>& function) {
    const Variable x(x_.data()), y(x_.data()), a = method(x), b = function(y);
    expect_array_equal(a.data(), b.data());
    F::sum(a).backward();
    F::sum(b).backward();
    expect_array_equal(x.grad(), y.grad());
  }
};
CUPYXX_TEST_ON_DEVICES(MethodsTest);

TEST_P(MethodsTest, OfSingleElements) {
  const Variable two(cp::full({3, 4}, 2.));
  same([](auto& x) { return x.abs(); }, [](auto& x) { return F::absolute(x); });
  same([](auto& x) { return x.exp(); }, [](auto& x) { return F::exp(x); });
  same([](auto& x) { return x.expm1(); }, [](auto& x) { return F::expm1(x); });
  same([](auto& x) { return x.log(); }, [](auto& x) { return F::log(x); });
  same([](auto& x) { return x.log1p(); }, [](auto& x) { return F::log1p(x); });
  same([](auto& x) { return x.sin(); }, [](auto& x) { return F::sin(x); });
  same([](auto& x) { return x.cos(); }, [](auto& x) { return F::cos(x); });
  same([](auto& x) { return x.sqrt(); }, [](auto& x) { return F::sqrt(x); });
  same([](auto& x) { return x.square(); }, [](auto& x) { return F::square(x); });
  same([](auto& x) { return x.tanh(); }, [](auto& x) { return F::tanh(x); });
  same([](auto& x) { return x.sigmoid(); }, [](auto& x) { return F::sigmoid(x); });
  same([](auto& x) { return x.relu(); }, [](auto& x) { return F::relu(x); });
  same([](auto& x) { return x.pow(3); }, [](auto& x) { return F::pow(x, 3); });
  same([](auto& x) { return x.pow(0.5); }, [](auto& x) { return F::pow(x, 0.5); });
  same([&](auto& x) { return x.pow(two); }, [&](auto& x) { return F::pow(x, two); });
  same([](auto& x) { return x.clip(0.5, 1); }, [](auto& x) { return F::clip(x, 0.5, 1); });
  same([](auto& x) { return x.ravel(); }, [](auto& x) { return F::flatten(x); });
  expect_allclose((-x_).relu().sum().data(), cp::array(0.), 0, 0);
  expect_array_equal(x_.log().exp().data(), cp::exp(cp::log(x_.data())));
}

TEST_P(MethodsTest, OverAxes) {
  same([](auto& x) { return x.softmax(1); }, [](auto& x) { return F::softmax(x); });
  same([](auto& x) { return x.softmax(-2); }, [](auto& x) { return F::softmax(x, 0); });
  same([](auto& x) { return x.log_softmax(0); }, [](auto& x) { return F::log_softmax(x, 0); });
  same([](auto& x) { return x.prod(); }, [](auto& x) { return F::prod(x); });
  same([](auto& x) { return x.prod({.axis = 1, .keepdims = true}); },
       [](auto& x) { return F::prod(x, 1, true); });
  same([](auto& x) { return x.cumsum(0); }, [](auto& x) { return F::cumsum(x, 0); });
  same([](auto& x) { return x.cumsum(); }, [](auto& x) { return F::cumsum(x); });
  same([](auto& x) { return x.cumprod({.axis = 1}); }, [](auto& x) { return F::cumprod(x, 1); });
  same([](auto& x) { return x.var({.axis = 0, .ddof = 1}); },
       [](auto& x) { return F::var(x, {.axis = 0, .ddof = 1}); });
  same([](auto& x) { return x.std({.axis = 1, .keepdims = true}); },
       [](auto& x) { return F::std(x, 1, true); });
  same([](auto& x) { return x.mean(-1, true); }, [](auto& x) { return F::mean(x, 1, true); });
  expect_array_equal(x_.argmax({.axis = 1}).data(), F::argmax(x_, 1).data());
  expect_array_equal(x_.argmin().data(), F::argmin(x_).data());
}

TEST_P(MethodsTest, NoneIsNoAxisAndNoBound) {
  const Variable x(cp::array({{1.0F, 4.0F}, {2.0F, 3.0F}}));
  const auto numbers = [](const Variable& y) { return y.data().to_vector<float>(); };
  EXPECT_EQ(x.argmax(cp::none).item<int>(), 1);
  EXPECT_EQ(x.argmin(nullptr).item<int>(), 0);
  EXPECT_EQ(numbers(x.cumsum(cp::none)), std::vector<float>({1, 5, 7, 10}));
  EXPECT_EQ(numbers(x.cumprod(cp::none)), std::vector<float>({1, 4, 8, 24}));
  EXPECT_EQ(numbers(x.clip(cp::none, 2)), std::vector<float>({1, 2, 2, 2}));
  EXPECT_EQ(numbers(x.clip(2.5, cp::none)), std::vector<float>({2.5, 4, 2.5, 3}));
  x.clip(nullptr, 3.0).sum().backward();
  EXPECT_EQ(x.grad().to_vector<float>(), std::vector<float>({1, 0, 1, 1}));
}

}  // namespace
}  // namespace chainerxx
