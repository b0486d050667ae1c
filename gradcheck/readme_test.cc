// SPDX-License-Identifier: MIT
// The code of README.md: each of its blocks stands in this file, which compiles and passes.
#include "gradcheck/readme.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
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

/// The lines without the blanks at their starts.
std::string flat(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start != std::string::npos) all += line.substr(start) + '\n';
  }
  return all;
}

TEST(Readme, QuotesThisFile) {
  const std::string readme = gradcheck::readme::kFiles[0].text;
  const std::string source = flat(gradcheck::readme::kFiles[1].text);
  const std::string mark = "```cpp\n";
  int blocks = 0;
  for (std::size_t at = readme.find(mark); at != std::string::npos; at = readme.find(mark, at)) {
    at += mark.size();
    const std::string block = readme.substr(at, readme.find("```", at) - at);
    EXPECT_NE(source.find(flat(block)), std::string::npos) << block;
    ++blocks;
  }
  EXPECT_EQ(blocks, 2);
}

}  // namespace
