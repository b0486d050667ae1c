// SPDX-License-Identifier: MIT
// What a program has that includes this header and no other.
#include "chainerxx/chainerxx.h"

#include <gtest/gtest.h>

#include <vector>

namespace chainerxx {
namespace {

// `cupyxx::ones({3}) * 2` was an ambiguity between functions of variables and of C++.
TEST(UmbrellaTest, ArraysHaveTheirArithmetic) {
  const cupyxx::ndarray a = cupyxx::ones({3}) * 2;
  const cupyxx::ndarray b = -a + a / 4 - 1;
  EXPECT_EQ(b.to_vector<double>(), (std::vector<double>{-2.5, -2.5, -2.5}));
  EXPECT_TRUE((b < a).to_vector<bool>()[0]);
  const Variable y = functions::sum(Variable(a) * b);
  EXPECT_EQ(y.item(), -15);
}

// A seed and a comparison stand in most programs that have no other use for arrays' routines.
TEST(UmbrellaTest, HasSeedsAndTolerances) {
  const auto drawn = [] {
    cupyxx::random::seed(7);
    return functions::Linear(3, 2).W;
  };
  EXPECT_TRUE(cupyxx::allclose(drawn(), drawn()));
  EXPECT_TRUE(cupyxx::allclose(drawn(), drawn() + 1e-7, 1e-3, 1e-6));
  EXPECT_FALSE(cupyxx::allclose(drawn(), drawn() + 1, {.atol = 0.5}));
}

}  // namespace
}  // namespace chainerxx
