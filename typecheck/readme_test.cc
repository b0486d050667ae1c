// SPDX-License-Identifier: MIT
// The code of README.md: each of its blocks stands in this file, which compiles and passes.
#include "typecheck/readme.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cupyxx/testing/quotes.h"
#include "typecheck/typecheck.h"

namespace {

namespace cp = cupyxx;

void check_linear(const typecheck::TypeInfos& in, int in_size) {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], W = in[1];
  typecheck::expect(x.dtype() == cp::float32, x.ndim() >= 2, W.ndim() == 2,
                    prod(x.shape()[typecheck::slice(1, typecheck::none)]) == W.shape()[1],
                    W.shape()[1] == typecheck::Variable(in_size, "in_size"));
}

TEST(Readme, ShowsTheMessage) {
  const typecheck::TypeInfo types[] = {{{10, 3, 4}, cp::float32}, {{5, 13}, cp::float32}};
  try {
    check_linear(types, 13);
    FAIL();
  } catch (const typecheck::InvalidType& error) {
    EXPECT_STREQ(error.what(),
                 "Expect: prod(in_types[0].shape[1:]) == in_types[1].shape[1]\n"
                 "Actual: 12 != 13");
    EXPECT_NE(std::string(typecheck::readme::kFiles[0].text).find(error.what()), std::string::npos);
  }
}

TEST(Readme, PrintsRunTimeTrees) {
  std::ostringstream out;
  using typecheck::Expr;
  const Expr n = Expr::variable(3, "n");
  const Expr condition = Expr::binary("==", Expr::binary("*", n + 1, n), Expr::constant(11));
  out << condition << " is " << condition.eval().str();  // (n + 1) * n == 11 is False
  EXPECT_EQ(out.str(), "(n + 1) * n == 11 is False");
}

TEST(Readme, QuotesThisFile) {
  EXPECT_EQ(cp::testing::expect_quotes(typecheck::readme::kFiles[0].text,
                                       typecheck::readme::kFiles[1].text),
            2);
}

}  // namespace
