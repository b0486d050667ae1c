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

}  // namespace
}  // namespace chainerxx
