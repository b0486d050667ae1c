// SPDX-License-Identifier: MIT
// Every function in a PrecisionScope: it follows the rule that docs/precision.md writes down for
// it, gives gradients in the dtypes of its inputs and parameters, and agrees with float64.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/testing/row_test.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::testing {
namespace {

using cupyxx::bfloat16_;
using cupyxx::float32;
using cupyxx::float64;
using cupyxx::testing::expect_allclose;

/// The rules of the tables "| `name`, ... | rule |", by the names of functions and classes.
const std::map<std::string, std::string>& documented_rules() {
  static const std::map<std::string, std::string> rules = [] {
    std::map<std::string, std::string> found;
    std::ifstream file("docs/precision.md");
    const std::regex row(R"(\| (`.*`) \| (narrow|follow|wide) \|.*)"), name("`(\\w+)`");
    for (std::string line; std::getline(file, line);) {
      std::smatch parts;
      if (!std::regex_match(line, parts, row)) continue;
      const std::string names = parts[1];
      for (std::sregex_iterator i(names.begin(), names.end(), name), end; i != end; ++i) {
        EXPECT_TRUE(found.emplace((*i)[1], parts[2]).second) << (*i)[1] << " stands there twice";
      }
    }
    return found;
  }();
  return rules;
}

std::set<std::string> names_of(const std::string& covers) {
  std::istringstream words(covers);
  return {std::istream_iterator<std::string>(words), {}};
}

TEST(PrecisionRules, AreOfFunctionsThatThereAre) {
  std::set<std::string> names;
  for (const FunctionRow& row : function_rows()) names.merge(names_of(row.covers));
  for (const LayerRow& row : layer_rows()) names.merge(names_of(row.covers));
  EXPECT_GT(documented_rules().size(), 100u);
  for (const auto& [name, rule] : documented_rules()) EXPECT_TRUE(names.contains(name)) << name;
}

/// What results for inputs of float32 and of bfloat16 say of a rule.
std::string rule_of(cupyxx::dtype of_float32, cupyxx::dtype of_bfloat16) {
  if (of_float32 == bfloat16_ && of_bfloat16 == bfloat16_) return "narrow";
  if (of_float32 == float32 && of_bfloat16 == bfloat16_) return "follow";
  if (of_float32 == float32 && of_bfloat16 == float32) return "wide";
  return "of no rule";
}

void expect_documented(const std::string& covers, const std::string& rule) {
  for (const std::string& name : names_of(covers)) {
    const auto found = documented_rules().find(name);
    EXPECT_EQ(found == documented_rules().end() ? "no rule in docs/precision.md" : found->second,
              rule)
        << name;
  }
}

/// Several convolutions and normalisations one behind the other add up their roundings.
double depth_of(const std::string& covers) { return covers.starts_with("Inception") ? 8 : 1; }

struct Narrow {
  Precision precision;
  cupyxx::dtype dtype;
  double rounding;  // half the distance of 1 from the next number
};
constexpr Narrow kNarrow[] = {{Precision::bfloat16, bfloat16_, 0x1p-8},
                              {Precision::float16, cupyxx::float16, 0x1p-11}};

std::vector<ndarray> as_type(const std::vector<ndarray>& arrays, cupyxx::dtype type) {
  std::vector<ndarray> list;
  for (const ndarray& a : arrays) list.push_back(a.astype(type));
  return list;
}

/// The results of a call and the gradients of its inputs, for gradients of 1.
struct Trial {
  std::vector<ndarray> results, gradients;

  template <class Call>
  Trial(const Call& call, const std::vector<ndarray>& x) {
    Variables v;
    for (const ndarray& a : x) v.emplace_back(a);
    const Variables y = call(v);
    for (const Variable& each : y) {
      results.push_back(each.data());
      each.set_grad(cupyxx::ones_like(each.data()));
    }
    go_backward(y);
    for (const Variable& each : v) gradients.push_back(each.grad());
  }
};

/// Several roundings of numbers as large as the largest: of operands, intermediate results, sums.
void expect_near(const ndarray& found, const ndarray& expected, double rounding) {
  ASSERT_EQ(found.is_none(), expected.is_none());
  if (found.is_none() || found.size() == 0) return;
  const auto largest = cupyxx::absolute(expected).max().item<double>();
  expect_allclose(found.astype(float64), expected, 0, 8 * rounding * (1 + largest));
}

/// The gradients of the sum of the squares of a call's gradients, all sums in `wide`.
template <class Call>
std::vector<ndarray> second_gradients(const Call& call, const std::vector<ndarray>& x,
                                      cupyxx::dtype wide) {
  Variables v;
  for (const ndarray& a : x) v.emplace_back(a);
  Variable total, squares;
  for (const Variable& y : call(v)) total += functions::sum(functions::cast(y, wide));
  for (const Variable& gx : grad({total}, v, {.enable_double_backprop = true})) {
    if (gx.is_none()) continue;
    EXPECT_EQ(gx.dtype(), x[0].dtype());
    const Variable wide_gx = functions::cast(gx, wide);
    squares += functions::sum(wide_gx * wide_gx);
  }
  if (!squares.is_none()) squares.backward();
  std::vector<ndarray> gradients;
  for (const Variable& each : v) gradients.push_back(each.grad());
  return gradients;
}

class FunctionPrecisionTest : public RowTest {};

TEST_P(FunctionPrecisionTest, FollowsItsRule) {
  if (row().name == "cast") return expect_only(row().covers, "Cast cast");
  const PrecisionScope scope(Precision::bfloat16);
  const std::vector<ndarray> x = draw_inputs();
  const Variables of_float32 = row().call(as_variables(as_type(x, float32)));
  const Variables of_bfloat16 = row().call(as_variables(as_type(x, bfloat16_)));
  for (std::size_t i = 0; i < of_float32.size(); ++i) {
    expect_documented(row().covers, rule_of(of_float32[i].dtype(), of_bfloat16[i].dtype()));
  }
}

TEST_P(FunctionPrecisionTest, AgreesWithFloat64) {
  if (has(kOwnNoise)) return expect_only(row().covers, "gaussian");
  const std::vector<ndarray> drawn = draw_inputs();
  for (const Narrow& narrow : kNarrow) {
    SCOPED_TRACE(narrow.dtype.name());
    const std::vector<ndarray> x = as_type(drawn, narrow.dtype);
    const Trial expected(row().call, as_type(x, float64));
    for (const cupyxx::dtype type : {float32, narrow.dtype}) {
      const PrecisionScope scope(narrow.precision);
      const Trial found(row().call, as_type(x, type));
      for (std::size_t i = 0; i < expected.results.size(); ++i) {
        expect_near(found.results[i], expected.results[i], narrow.rounding);
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_near(found.gradients[i], expected.gradients[i], narrow.rounding);
        if (found.gradients[i].is_none()) continue;
        EXPECT_EQ(found.gradients[i].dtype(), type);
      }
    }
  }
}

TEST_P(FunctionPrecisionTest, GradientsOfGradientsAgreeWithFloat64) {
  if (has(kOwnNoise)) return expect_only(row().covers, "gaussian");
  const std::vector<ndarray> drawn = draw_inputs();
  for (const Narrow& narrow : kNarrow) {
    SCOPED_TRACE(narrow.dtype.name());
    const std::vector<ndarray> x = as_type(drawn, narrow.dtype);
    const auto expected = second_gradients(row().call, as_type(x, float64), float64);
    for (const cupyxx::dtype type : {float32, narrow.dtype}) {
      const PrecisionScope scope(narrow.precision);
      const auto found = second_gradients(row().call, as_type(x, type), float32);
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_near(found[i], expected[i], 4 * narrow.rounding);
      }
    }
  }
}

CHAINERXX_TEST_ON_ROWS(FunctionPrecisionTest);

class LayerPrecisionTest : public LayerTest {};

TEST_P(LayerPrecisionTest, FollowsItsRule) {
  const std::vector<ndarray> x = draw_inputs();
  const Layer layer = make(float32);
  const PrecisionScope scope(Precision::bfloat16);
  const Variables of_float32 = layer.call(as_variables(as_type(x, float32)));
  const Variables of_bfloat16 = layer.call(as_variables(as_type(x, bfloat16_)));
  if (x.empty()) {  // parameters of float32 alone
    return expect_documented(row().covers, of_float32[0].dtype() == float32 ? "follow" : "narrow");
  }
  for (std::size_t i = 0; i < of_float32.size(); ++i) {
    expect_documented(row().covers, rule_of(of_float32[i].dtype(), of_bfloat16[i].dtype()));
  }
}

TEST_P(LayerPrecisionTest, AgreesWithFloat64AndKeepsItsParameters) {
  const std::vector<ndarray> drawn = draw_inputs();
  for (const Narrow& narrow : kNarrow) {
    SCOPED_TRACE(narrow.dtype.name());
    const double rounding = depth_of(row().covers) * narrow.rounding;
    const std::vector<ndarray> x = as_type(drawn, narrow.dtype);
    const Layer wide = make(float64, narrow.dtype);
    const Trial expected(wide.call, as_type(x, float64));
    for (const cupyxx::dtype type : {float32, narrow.dtype}) {
      const Layer layer = make(float32, narrow.dtype);
      const PrecisionScope scope(narrow.precision);
      const Trial found(layer.call, as_type(x, type));
      for (std::size_t i = 0; i < expected.results.size(); ++i) {
        expect_near(found.results[i], expected.results[i], rounding);
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_near(found.gradients[i], expected.gradients[i], rounding);
        if (found.gradients[i].is_none()) continue;
        EXPECT_EQ(found.gradients[i].dtype(), type);
      }
      for (std::size_t i = 0; i < layer.parameters.size(); ++i) {
        EXPECT_EQ(layer.parameters[i].dtype(), float32);
        EXPECT_EQ(layer.gradients[i].dtype(), float32);
        expect_near(layer.gradients[i], wide.gradients[i], rounding);
      }
    }
  }
}

TEST_P(LayerPrecisionTest, GradientsOfGradientsAgreeWithFloat64) {
  if (row().shapes.empty()) return;
  const std::vector<ndarray> drawn = draw_inputs();
  for (const Narrow& narrow : kNarrow) {
    SCOPED_TRACE(narrow.dtype.name());
    const double rounding = depth_of(row().covers) * narrow.rounding;
    const std::vector<ndarray> x = as_type(drawn, narrow.dtype);
    const Layer wide = make(float64, narrow.dtype);
    const auto expected = second_gradients(wide.call, as_type(x, float64), float64);
    for (const cupyxx::dtype type : {float32, narrow.dtype}) {
      const Layer layer = make(float32, narrow.dtype);
      const PrecisionScope scope(narrow.precision);
      const auto found = second_gradients(layer.call, as_type(x, type), float32);
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_near(found[i], expected[i], 4 * rounding);
      }
      for (std::size_t i = 0; i < layer.gradients.size(); ++i) {
        expect_near(layer.gradients[i], wide.gradients[i], 4 * rounding);
      }
    }
  }
}

CHAINERXX_TEST_ON_LAYERS(LayerPrecisionTest);

}  // namespace
}  // namespace chainerxx::testing
