// SPDX-License-Identifier: MIT
#include "typecheck/expr.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"
#include "typecheck/golden.h"
#include "typecheck/invalid_type.h"
#include "typecheck/tree.h"

namespace typecheck {
namespace {

using cupyxx::testing::expect_error;

Expr number(std::int64_t value) { return Expr::constant(value); }
Expr name(const char* text, Value value = 0) { return Expr::variable(std::move(value), text); }

std::vector<std::string> lines_of(const char* file) {
  std::vector<std::string> lines;
  for (unsigned long i = 0; i < golden::kFilesCount; ++i) {
    if (std::strstr(golden::kFiles[i].name, file) == nullptr) continue;
    std::istringstream text(golden::kFiles[i].text);
    for (std::string line; std::getline(text, line);) {
      if (!line.empty() && line[0] != '#') lines.push_back(line);
    }
  }
  return lines;
}

Value parse(const std::string& text) {
  if (text.find('.') != std::string::npos || text.find('e') != std::string::npos) {
    return std::stod(text);
  }
  return std::stoll(text);
}

std::string result_of(const Expr& expr) {
  try {
    return expr.eval().str();
  } catch (const cupyxx::ValueError&) {
    return "ValueError";
  } catch (const cupyxx::OverflowError&) {
    return "OverflowError";
  }
}

TEST(Operators, GiveWhatPythonGives) {
  const auto lines = lines_of("operators.txt");
  ASSERT_GT(lines.size(), 1000u);
  for (const std::string& line : lines) {
    std::istringstream words(line);
    std::string a, op, b, equals, expected;
    words >> a >> op >> b >> equals >> expected;
    const Expr expr = Expr::binary(op, Expr::constant(parse(a)), Expr::constant(parse(b)));
    EXPECT_EQ(result_of(expr), expected) << line;
  }
}

TEST(Operators, RefuseUnsignedValuesBeyondTheSignedOnes) {
  const std::uint64_t large = std::uint64_t{1} << 63;
  expect_error<cupyxx::OverflowError>(
      [&] { Expr::constant(large); },
      "typecheck: the value exceeds 64 bits with a sign; 9223372036854775808");
  EXPECT_EQ(Expr::constant(large - 1).eval().str(), "9223372036854775807");
  expect_error<cupyxx::ValueError>(
      [] { Expr::binary("/", Expr::constant(0.5), Expr::constant(0)).eval(); },
      "typecheck: division by zero; 0.5 / 0");
}

TEST(Trees, AreNotDeeperThanTheStack) {
  Expr sum = number(0);
  for (int i = 0; i < 999; ++i) sum = sum + 1;
  EXPECT_EQ(sum.eval().as_int(), 999);
  EXPECT_EQ(sum.str().size(), 1 + 4 * 999u);
  expect_error<cupyxx::ValueError>([&] { sum = -sum; },
                                   "typecheck: an expression of more than 1000 levels");
  expect_error<cupyxx::ValueError>(
      [&] {
        Expr::call("sum", {number(1), sum});
      },
      "typecheck: an expression of more than 1000 levels");
  EXPECT_EQ(sum.eval().as_int(), 999);
}

TEST(Operators, GiveThePythonicSignsAndComplements) {
  EXPECT_EQ(Expr::unary("-", number(3)).eval().as_int(), -3);
  EXPECT_EQ(Expr::unary("+", number(3)).eval().as_int(), 3);
  EXPECT_EQ(Expr::unary("~", number(3)).eval().as_int(), -4);
  EXPECT_EQ(Expr::unary("-", Expr::constant(2.5)).eval().as_double(), -2.5);
  EXPECT_EQ(Expr::unary("-", Expr::constant(true)).eval().str(), "-1");
}

TEST(Operators, PowerIsTheRemainderAsInChainer) {
  EXPECT_EQ(Expr::binary("**", number(7), number(4)).eval().as_int(), 3);
  EXPECT_EQ(pow(Variable(7, "x"), 4).eval(), 3);
}

TEST(Operators, StayWithinSixtyFourBits) {
  const Expr big = number(INT64_MAX);
  expect_error<cupyxx::OverflowError>(
      [&] { Expr::binary("*", big, number(2)).eval(); },
      "typecheck: the result exceeds 64 bits; 9223372036854775807 * 2");
  expect_error<cupyxx::OverflowError>([&] { Expr::unary("-", number(INT64_MIN)).eval(); },
                                      "typecheck: the result exceeds 64 bits; 0 - -92233");
  EXPECT_EQ(Expr::binary("//", number(INT64_MIN), number(3)).eval().as_int(), -3074457345618258603);
  EXPECT_EQ(Expr::binary("%", number(INT64_MIN), number(-1)).eval().as_int(), 0);
}

TEST(Slices, GiveWhatPythonGives) {
  const auto lines = lines_of("slices.txt");
  ASSERT_EQ(lines.size(), 405u);
  const Expr tuple = Expr::variable(cupyxx::Shape{0, 1, 2, 3, 4}, "t");
  for (const std::string& line : lines) {
    std::istringstream words(line);
    std::string start, stop, step, key, equals;
    words >> start >> stop >> step >> key >> equals;
    const auto bound = [](const std::string& text) {
      return text == "None" ? SliceBound() : SliceBound(std::stoll(text));
    };
    const Expr part = tuple.item(slice(bound(start), bound(stop), bound(step)));
    EXPECT_EQ(part.str(), "t[" + key + "]");
    EXPECT_EQ(part.eval().str(), line.substr(line.find("= ") + 2)) << line;
  }
  expect_error<cupyxx::ValueError>([&] { tuple.item(slice(none, none, 0)).eval(); },
                                   "typecheck: slice step cannot be zero");
}

TEST(Printing, PutsParenthesesWherePrecedenceAsks) {
  const Expr a = name("a"), b = name("b"), c = name("c");
  const auto op = [](const char* text, const Expr& x, const Expr& y) {
    return Expr::binary(text, x, y);
  };
  EXPECT_EQ(op("*", op("+", a, b), c).str(), "(a + b) * c");
  EXPECT_EQ(op("+", a, op("*", b, c)).str(), "a + b * c");
  EXPECT_EQ(op("-", op("-", a, b), c).str(), "a - b - c");
  EXPECT_EQ(op("-", a, op("-", b, c)).str(), "a - (b - c)");
  EXPECT_EQ(op("//", a, op("%", b, c)).str(), "a // (b % c)");
  EXPECT_EQ(op("**", a, op("**", b, c)).str(), "a ** b ** c");
  EXPECT_EQ(op("**", op("**", a, b), c).str(), "(a ** b) ** c");
  EXPECT_EQ(op("**", Expr::unary("-", a), b).str(), "(-a) ** b");
  EXPECT_EQ(op("**", a, Expr::unary("-", b)).str(), "a ** (-b)");
  EXPECT_EQ(Expr::unary("-", op("**", a, b)).str(), "-a ** b");
  EXPECT_EQ(Expr::unary("~", op("*", a, b)).str(), "~(a * b)");
  EXPECT_EQ(Expr::unary("-", Expr::unary("-", a)).str(), "--a");
  EXPECT_EQ(op("|", op("^", a, b), op("&", b, c)).str(), "a ^ b | b & c");
  EXPECT_EQ(op("&", op("|", a, b), c).str(), "(a | b) & c");
  EXPECT_EQ(op("<<", a, op("+", b, c)).str(), "a << b + c");
  EXPECT_EQ(op("+", op("<<", a, b), c).str(), "(a << b) + c");
  EXPECT_EQ(op("/", a, b).str(), "a / b");
  EXPECT_EQ(op("==", op("|", a, b), c).str(), "a | b == c");
  EXPECT_EQ(op("+", op("==", a, b), c).str(), "(a == b) + c");
}

TEST(Printing, ShowsAttributesItemsAndCalls) {
  const Expr x = name("x");
  EXPECT_EQ(x.attr("shape").item(-1).str(), "x.shape[-1]");
  EXPECT_EQ(x.attr("shape").item(name("i")).str(), "x.shape[i]");
  EXPECT_EQ(x.item(slice(1, none)).item(0).str(), "x[1:][0]");
  EXPECT_EQ(Expr::call("prod", {x.attr("shape")}).str(), "prod(x.shape)");
  EXPECT_EQ(Expr::binary("+", x, x).item(0).str(), "(x + x)[0]");
}

TEST(Values, PrintAsPython) {
  EXPECT_EQ(Value().str(), "None");
  EXPECT_EQ(Value(true).str(), "True");
  EXPECT_EQ(Value(2.0).str(), "2.0");
  EXPECT_EQ(Value(1e16).str(), "1e+16");
  EXPECT_EQ(Value(0.1).str(), "0.1");
  EXPECT_EQ(Value('f').str(), "f");
  EXPECT_EQ(Value("f").repr(), "'f'");
  EXPECT_EQ(Value(std::vector<Value>{"f", 1}).str(), "('f', 1)");
  EXPECT_EQ(Value(cupyxx::Shape{3}).str(), "(3,)");
  EXPECT_EQ(Value(cupyxx::Shape{}).str(), "()");
  EXPECT_EQ(Value(cupyxx::float16).str(), "float16");
  EXPECT_EQ(Value(TypeInfo({3, 2}, cupyxx::int8)).str(), "TypeInfo((3, 2), int8)");
}

TEST(Values, CompareAcrossKindsAsPython) {
  using internal::compare;
  using internal::CompareOp;
  EXPECT_TRUE(compare(CompareOp::eq, Value(3), Value(3.0)));
  EXPECT_TRUE(compare(CompareOp::eq, Value(true), Value(1)));
  EXPECT_FALSE(compare(CompareOp::eq, Value("3"), Value(3)));
  EXPECT_TRUE(compare(CompareOp::ne, Value(), Value(0)));
  EXPECT_TRUE(compare(CompareOp::eq, Value(cupyxx::float32), Value("f")));
  EXPECT_FALSE(compare(CompareOp::eq, Value(cupyxx::float32), Value("no dtype")));
  EXPECT_TRUE(compare(CompareOp::lt, Value(cupyxx::Shape{1, 9}), Value(cupyxx::Shape{2})));
  EXPECT_TRUE(compare(CompareOp::gt, Value(cupyxx::Shape{1, 0}), Value(cupyxx::Shape{1})));
  EXPECT_TRUE(compare(CompareOp::ge, Value(cupyxx::Shape{1}), Value(cupyxx::Shape{1})));
  expect_error<cupyxx::TypeError>([] { compare(CompareOp::lt, Value("a"), Value(1)); },
                                  "typecheck: unsupported operands; 'a' < 1");
}

TEST(Values, HaveTheAttributesOfNumPy) {
  const Value info(TypeInfo({3, 2}, cupyxx::float32));
  EXPECT_EQ(info.attr("shape").as_shape(), (cupyxx::Shape{3, 2}));
  EXPECT_EQ(info.attr("ndim").as_int(), 2);
  EXPECT_EQ(info.attr("size").as_int(), 6);
  EXPECT_EQ(info.attr("dtype").as_dtype(), cupyxx::float32);
  EXPECT_EQ(info.attr("dtype").attr("kind").str(), "f");
  EXPECT_EQ(info.attr("dtype").attr("char").str(), "f");
  EXPECT_EQ(info.attr("dtype").attr("itemsize").as_int(), 4);
  EXPECT_EQ(info.attr("dtype").attr("name").str(), "float32");
  expect_error<cupyxx::TypeError>([&] { info.attr("strides"); },
                                  "typecheck: no attribute 'strides'; TypeInfo((3, 2), float32)");
}

TEST(Values, SupportTuples) {
  const Expr t = Expr::constant(cupyxx::Shape{2, 3});
  EXPECT_EQ(Expr::binary("+", t, t).eval().str(), "(2, 3, 2, 3)");
  EXPECT_EQ(Expr::binary("*", number(2), t).eval().str(), "(2, 3, 2, 3)");
  EXPECT_EQ(Expr::call("sum", {t}).eval().as_int(), 5);
  EXPECT_EQ(Expr::call("prod", {t}).eval().as_int(), 6);
  EXPECT_EQ(Expr::call("len", {t}).eval().as_int(), 2);
  EXPECT_EQ(Expr::call("min", {t}).eval().as_int(), 2);
  EXPECT_EQ(Expr::call("max", {t}).eval().as_int(), 3);
  EXPECT_EQ(Expr::call("abs", {number(-3)}).eval().as_int(), 3);
}

TEST(Expr, RefusesWhatPythonRefuses) {
  const Expr t = Expr::constant(cupyxx::Shape{2, 3});
  expect_error<cupyxx::IndexError>([&] { t.item(2).eval(); },
                                   "typecheck: tuple index out of range; index 2, length 2");
  expect_error<cupyxx::IndexError>([&] { t.item(-3).eval(); }, "index -3, length 2");
  expect_error<cupyxx::TypeError>([&] { number(3).item(0).eval(); },
                                  "typecheck: cannot be indexed; 3");
  expect_error<cupyxx::TypeError>([&] { Expr::binary("+", t, number(1)).eval(); },
                                  "typecheck: unsupported operands; (2, 3) + 1");
  expect_error<cupyxx::ValueError>([&] { Expr::binary("@", t, t); },
                                   "typecheck: not a known operator; '@'");
  expect_error<cupyxx::ValueError>([&] { Expr::unary("!", t); },
                                   "typecheck: not a known operator; '!'");
  expect_error<cupyxx::ValueError>([&] { Expr::call("f", {t}).eval(); },
                                   "typecheck: not a known function; 'f'");
  expect_error<cupyxx::ValueError>([&] { Expr::call("f", {number(1)}).eval(); },
                                   "typecheck: not a known function; 'f'");
  expect_error<cupyxx::TypeError>([&] { Expr::call("abs", {name("x", "text")}).eval(); },
                                  "typecheck: abs needs a number; 'text'");
  expect_error<cupyxx::TypeError>([&] { t.expect(); },
                                  "typecheck: only comparisons can be expected; (2, 3)");
}

TEST(Expr, PrintsComparisonsOfComparisonsAsNoChain) {
  const Expr less = name("a", 3) < name("b", 2);
  EXPECT_EQ((less < 1).str(), "(a < b) < 1");
  EXPECT_TRUE((less < 1).eval().is_true());  // False < 1; Python's a < b < 1 is False
  EXPECT_EQ((1 == less).str(), "(a < b) == 1");
  EXPECT_EQ(Expr::binary("==", number(1), less).str(), "1 == (a < b)");
  expect_error<InvalidType>([&] { (less == 1).expect(); },
                            "Expect: (a < b) == 1\nActual: False != 1");
}

TEST(Expr, CopiesShareTheTree) {
  Expr a = Expr::variable(1, "a");
  Expr b = a;
  EXPECT_EQ(&a.node(), &b.node());
  b = Expr::binary("+", b, a);
  EXPECT_EQ(b.str(), "a + a");
  a = std::move(b);
  EXPECT_EQ(a.eval().as_int(), 2);
}

TEST(Expr, CombinesWithOperatorsAtRunTime) {
  Expr total = number(0);
  for (int i = 1; i <= 3; ++i) total = total + Expr::variable(i, "x" + std::to_string(i));
  std::ostringstream os;
  os << (total == 7);
  EXPECT_EQ(os.str(), "0 + x1 + x2 + x3 == 7");
  expect_error<InvalidType>([&] { (2 * total == 7).expect(); },
                            "Expect: 2 * (0 + x1 + x2 + x3) == 7\nActual: 12 != 7");
  EXPECT_EQ((-total).eval().as_int(), -6);
  EXPECT_EQ(sum(Expr::constant(cupyxx::Shape{2, 3})).str(), "sum((2, 3))");
}

}  // namespace
}  // namespace typecheck
