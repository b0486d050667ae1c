// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"
#include "typecheck/typecheck.h"

// Outside of the library's namespace, as users are.
namespace {

using cupyxx::float32;
using cupyxx::Shape;
using cupyxx::testing::expect_error;
using typecheck::InvalidType;
using typecheck::none;
using typecheck::slice;
using typecheck::TypeInfo;
using typecheck::TypeInfos;
using typecheck::Variable;

const std::vector<TypeInfo> kTypes = {{{3, 2, 4}, float32}, {{3}, cupyxx::int64}};

template <class Condition>
void expect_failure(const Condition& condition, const std::string& expect,
                    const std::string& actual) {
  try {
    typecheck::expect(condition);
    ADD_FAILURE() << "passed: " << expect;
  } catch (const InvalidType& error) {
    EXPECT_EQ(error.expect(), expect);
    EXPECT_EQ(error.actual(), actual);
    EXPECT_EQ(error.what(), "Expect: " + expect + "\nActual: " + actual);
  }
}

TEST(Expect, PassesWhatHolds) {
  const TypeInfos in(kTypes);
  const auto x = in[0], t = in[1];
  typecheck::expect(in.size() == 2, x.ndim() >= 1, x.dtype() == float32, x.dtype() == "f",
                    x.dtype().kind() == 'f', x.dtype().kind() != "i", x.dtype().itemsize() == 4,
                    x.dtype().char_() == 'f', x.dtype().name() == "float32", x.size() == 24,
                    x.shape()[0] == t.shape()[0], x.shape() == Shape{3, 2, 4}, x.shape()[-1] == 4,
                    x.shape()[x.ndim() - 1] == 4, t.shape() < x.shape(),
                    t.shape() + x.shape()[slice(1, none)] == x.shape());
  typecheck::expect();
}

TEST(Expect, Bfloat16IsOfTheKindOfFloats) {
  const std::vector<TypeInfo> types = {TypeInfo({2}, cupyxx::bfloat16_),
                                       TypeInfo({2}, cupyxx::dtype::Code::float8_e4m3)};
  const TypeInfos in(types);
  typecheck::expect(in[0].dtype().kind() == 'f', in[1].dtype().kind() == 'V');
  EXPECT_EQ(typecheck::Value(cupyxx::bfloat16_).attr("kind").str(), "f");
}

TEST(Expect, ShowsTheConditionAndItsValues) {
  const TypeInfos in(kTypes);
  const auto x = in[0], t = in[1];
  expect_failure(x.ndim() == 2, "in_types[0].ndim == 2", "3 != 2");
  expect_failure(2 == x.ndim(), "in_types[0].ndim == 2", "3 != 2");
  expect_failure(2 > x.ndim(), "in_types[0].ndim < 2", "3 >= 2");
  expect_failure(x.ndim() != 3, "in_types[0].ndim != 3", "3 == 3");
  expect_failure(x.ndim() < 3, "in_types[0].ndim < 3", "3 >= 3");
  expect_failure(x.ndim() <= 2, "in_types[0].ndim <= 2", "3 > 2");
  expect_failure(x.ndim() > 3, "in_types[0].ndim > 3", "3 <= 3");
  expect_failure(x.ndim() >= 4, "in_types[0].ndim >= 4", "3 < 4");
  expect_failure(t.dtype() == float32, "in_types[1].dtype == float32", "int64 != float32");
  expect_failure(t.dtype().kind() == 'f', "in_types[1].dtype.kind == f", "i != f");
  expect_failure(x.shape()[slice(none, 2)] == t.shape(),
                 "in_types[0].shape[:2] == in_types[1].shape", "(3, 2) != (3,)");
  expect_failure(sum(x.shape()) == prod(t.shape()),
                 "sum(in_types[0].shape) == prod(in_types[1].shape)", "9 != 3");
  expect_failure(len(x.shape()) == in.size(), "len(in_types[0].shape) == in_types.size", "3 != 2");
  expect_failure(x.shape()[x.ndim() - 2] == 3, "in_types[0].shape[in_types[0].ndim - 2] == 3",
                 "2 != 3");
}

TEST(Expect, TakesAllOperators) {
  const TypeInfos in(kTypes);
  const auto a = in[0].shape()[0], b = in[0].shape()[1];
  const std::string n = "in_types[0].shape[0]", m = "in_types[0].shape[1]";
  expect_failure(a + b == 0, n + " + " + m + " == 0", "5 != 0");
  expect_failure(1 + a == 0, "1 + " + n + " == 0", "4 != 0");
  expect_failure(1 - a == 0, "1 - " + n + " == 0", "-2 != 0");
  expect_failure(2 * a == 0, "2 * " + n + " == 0", "6 != 0");
  expect_failure(a / b == 0, n + " / " + m + " == 0", "1.5 != 0");
  expect_failure(6 / a == 0, "6 / " + n + " == 0", "2.0 != 0");
  expect_failure(floordiv(-7, a) == 0, "-7 // " + n + " == 0", "-3 != 0");
  expect_failure(-a % 7 == 0, "-" + n + " % 7 == 0", "4 != 0");
  expect_failure(pow(7, a) == 0, "7 ** " + n + " == 0", "1 != 0");
  expect_failure((a << 2) == 0, n + " << 2 == 0", "12 != 0");
  expect_failure((a >> 1) == 0, n + " >> 1 == 0", "1 != 0");
  expect_failure((a & b) == 0, n + " & " + m + " == 0", "2 != 0");
  expect_failure((a ^ b) == 0, n + " ^ " + m + " == 0", "1 != 0");
  expect_failure((a | 4) == 0, n + " | 4 == 0", "7 != 0");
  expect_failure(~a == 0, "~" + n + " == 0", "-4 != 0");
  expect_failure(+a == 0, "+" + n + " == 0", "3 != 0");
  expect_failure(a * 0.5 == 0, n + " * 0.5 == 0", "1.5 != 0");
}

TEST(Expect, StopsAtTheFirstFailure) {
  const TypeInfos in(std::span<const TypeInfo>(kTypes).first(1));
  expect_error<InvalidType>(
      [&] { typecheck::expect(in.size() == 2, in[1].shape()[7] == 0, in[0].ndim() == 9); },
      "Expect: in_types.size == 2\nActual: 1 != 2");
  expect_error<cupyxx::IndexError>([&] { typecheck::expect(in[1].ndim() == 0); },
                                   "typecheck: in_types index out of range; index 1, length 1: "
                                   "in_types[1].ndim == 0");
  expect_error<cupyxx::IndexError>([&] { typecheck::expect(in[0].shape()[3] == 0); },
                                   "typecheck: tuple index out of range; index 3, length 3: "
                                   "in_types[0].shape[3] == 0");
  expect_error<cupyxx::ValueError>(
      [&] { typecheck::expect(in[0].ndim() % (in[0].ndim() - 3) == 0); },
      "typecheck: division by zero; 3 % 0: in_types[0].ndim % (in_types[0].ndim - 3) == 0");
  expect_error<cupyxx::OverflowError>(
      [&] { typecheck::expect(Variable(INT64_MAX, "big") * 2 == 0); },
      "typecheck: the result exceeds 64 bits; 9223372036854775807 * 2: big * 2 == 0");
  const typecheck::Expr text = typecheck::Expr::variable("x", "text");
  expect_error<cupyxx::TypeError>([&] { typecheck::expect(text < 1); },
                                  "typecheck: unsupported operands; 'x' < 1: text < 1");
  // What one's own function throws stays as it is.
  const auto refuse = [](std::int64_t) -> std::int64_t { throw cupyxx::ShapeError("mine"); };
  expect_error<cupyxx::ShapeError>(
      [&] { typecheck::expect(Variable(refuse, "refuse")(in[0].ndim()) == 0); }, "mine");
}

TEST(Expect, NamesValuesAndFunctions) {
  const TypeInfos in(kTypes, "out_types");
  const int in_size = 5;
  expect_failure(in[0].shape()[0] == Variable(in_size, "in_size"),
                 "out_types[0].shape[0] == in_size", "3 != 5");
  const auto even = [](std::int64_t a, std::int64_t b) { return (a + b) % 2; };
  const Variable odd(even, "odd");
  expect_failure(odd(in[0].ndim(), 4) == 0, "odd(out_types[0].ndim, 4) == 0", "1 != 0");
  const Variable longest([](const Shape& s) { return s.ndim() > 0 ? s[0] : 0; }, "first");
  expect_failure(longest(in[0].shape()) == 2, "first(out_types[0].shape) == 2", "3 != 2");
  const Variable type(TypeInfo({7}, cupyxx::int8), "w");
  expect_failure(type.shape()[0] == in[0].shape()[0], "w.shape[0] == out_types[0].shape[0]",
                 "7 != 3");
}

TEST(Expect, TakesRunTimeTrees) {
  const TypeInfos in(kTypes);
  const typecheck::Expr condition = in[0].ndim() == 2;
  expect_failure(condition, "in_types[0].ndim == 2", "3 != 2");
  typecheck::expect(in.size() == 2, typecheck::Expr(in[0].ndim() == 3));
}

TEST(Expect, EvaluatesParts) {
  const TypeInfos in(kTypes);
  EXPECT_EQ(in[0].shape().eval(), (Shape{3, 2, 4}));
  EXPECT_EQ(in[0].shape()[1].eval(), 2);
  EXPECT_EQ(in[0].eval().dtype(), float32);
  EXPECT_TRUE((in.size() == 2).eval());
  std::ostringstream os;
  os << in[0].shape()[0] + 1;
  EXPECT_EQ(os.str(), "in_types[0].shape[0] + 1");
}

struct BracketSlice {
  struct Bound {
    bool given;
    long value;
  };
  Bound start, stop, step;
};

TEST(Expect, TakesSlicesOfOtherLibraries) {
  const TypeInfos in(kTypes);
  expect_failure(in[0].shape()[BracketSlice{{true, 1}, {false, 0}, {false, 0}}] == Shape{},
                 "in_types[0].shape[1:] == ()", "(2, 4) != ()");
}

template <class A, class B>
concept HasAnd = requires(const A& a, const B& b) {
  a&& b;
};
template <class A, class B>
concept HasOr = requires(const A& a, const B& b) {
  a || b;
};
template <class A>
concept HasNot = requires(const A& a) {
  !a;
};
template <class A>
concept IsTruth = requires(const A& a) {
  a ? 1 : 0;
};
template <class A>
concept CanBeExpected = requires(const A& a) {
  typecheck::expect(a);
};

TEST(Expect, TakesNoUnsignedNumberForANegativeOne) {
  typecheck::expect(typecheck::Variable(std::uint64_t{1}, "one") == 1);
  expect_error<cupyxx::OverflowError>(
      [] { typecheck::expect(typecheck::Variable(~std::uint64_t{0}, "u") == -1); },
      "typecheck: the value exceeds 64 bits with a sign; 18446744073709551615");
}

TEST(Expect, DoesNotCompileForTruthValues) {
  using Comparison = decltype(TypeInfos()[0].ndim() == 2);
  static_assert(!HasAnd<Comparison, Comparison> && !HasAnd<bool, Comparison>);
  static_assert(!HasOr<Comparison, Comparison> && !HasOr<Comparison, bool>);
  static_assert(!HasNot<Comparison> && !IsTruth<Comparison>);
  static_assert(!HasAnd<typecheck::Expr, typecheck::Expr> && !IsTruth<typecheck::Expr>);
  static_assert(!HasNot<typecheck::Expr>);
  static_assert(CanBeExpected<Comparison> && CanBeExpected<typecheck::Expr>);
  static_assert(!CanBeExpected<bool> && !CanBeExpected<decltype(TypeInfos()[0].ndim())>);
}

TEST(InvalidType, IsAnErrorAndMayNameTheOperation) {
  const InvalidType error("a == b", "1 != 2");
  EXPECT_STREQ(error.what(), "Expect: a == b\nActual: 1 != 2");
  EXPECT_STREQ(error.in("linear").what(),
               "linear: invalid types of the inputs\nExpect: a == b\nActual: 1 != 2");
  EXPECT_EQ(error.in("linear").expect(), "a == b");
  expect_error<cupyxx::Error>([&] { throw error; }, "Expect");
}

TEST(Enabled, IsTheDefault) { EXPECT_TRUE(typecheck::enabled()); }

}  // namespace
