// SPDX-License-Identifier: MIT
// The code of README.md: each of its blocks stands in this file, which compiles and passes.
#include "gradcheck/readme.h"

#include <gtest/gtest.h>

#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/quotes.h"
#include "gradcheck/gradcheck.h"
#include "gradcheck/testing/toy_variable.h"

namespace {

namespace cp = cupyxx;
using Variable = gradcheck::testing::ToyVariable;
namespace F = gradcheck::testing;

TEST(Readme, ComparesGradients) {
  auto x = cp::array({{0.5, -1.0}, {0.25, 2.0}});
  auto gy = cp::ones_like(x);
  gradcheck::check_backward([](const Variable& v) { return F::tanh(v); }, {x}, gy, {.eps = 1e-3});
}

TEST(Readme, TakesDifferences) {
  auto x = cp::array({1.0, 2.0});
  auto gy = cp::array({1.0, 0.5});
  auto gx = gradcheck::numerical_grad([&] { return x * x; }, {x}, {gy});
  gradcheck::assert_allclose(gx[0], cp::array({2.0, 2.0}));
}

TEST(Readme, ShowsTheMessage) {
  auto x = cp::array({{0.0, 2.0}, {-1.0, 0.0}});
  const auto wrong = [](const Variable& v) { return F::wrong_cube(v); };
  try {
    gradcheck::check_backward(wrong, x, cp::ones_like(x), {.eps = 0.5});
    FAIL();
  } catch (const gradcheck::Mismatch& error) {
    EXPECT_NE(std::string(gradcheck::readme::kFiles[0].text).find(error.what()), std::string::npos)
        << error.what();
  }
}

TEST(Readme, QuotesThisFile) {
  EXPECT_EQ(cp::testing::expect_quotes(gradcheck::readme::kFiles[0].text,
                                       gradcheck::readme::kFiles[1].text),
            2);
}

}  // namespace
