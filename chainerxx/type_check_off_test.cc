// SPDX-License-Identifier: MIT
// Run with CHAINER_TYPE_CHECK=off.
#include <gtest/gtest.h>

#include "chainerxx/function.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

struct Picky final : FunctionOf<Picky> {
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 2);
  }
  std::vector<ndarray> forward(std::span<const ndarray> x) override { return {x[0].copy()}; }
};

TEST(TypeCheckOff, TheEnvironmentSwitchesItOffAndTheAttributeOn) {
  EXPECT_FALSE(Function::type_check_enable);
  const Variable x(cupyxx::array({1.0f}));
  EXPECT_EQ(Picky()(x).size(), 1);
  Function::type_check_enable = true;
  EXPECT_THROW(Picky()(x), typecheck::InvalidType);
}

// What the check would have refused is refused by what computes, or broadcasts.
TEST(TypeCheckOff, WrongShapesAreErrorsStill) {
  Function::type_check_enable = false;
  const Variable x(cupyxx::ones({2, 3})), y(cupyxx::ones({4}));
  EXPECT_THROW(x + y, cupyxx::ShapeError);
}

}  // namespace
}  // namespace chainerxx
