// SPDX-License-Identifier: MIT
// Whoever depends on //cupyxx:core alone has every method of an array, and every routine of its
// headers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {
namespace {

TEST(CoreAloneTest, HasTheMethods) {
  const ndarray a = arange(6).reshape({2, 3}).astype(float64);
  EXPECT_EQ(a.sum().item<double>(), 15);
  EXPECT_EQ(a.prod().item<double>(), 0);
  EXPECT_EQ(a.mean().item<double>(), 2.5);
  EXPECT_EQ(a.max().item<double>(), 5);
  EXPECT_EQ(a.min(Axes{0}).shape(), Shape{3});
  EXPECT_NEAR(a.std().item<double>() * a.std().item<double>(), a.var().item<double>(), 1e-12);
  EXPECT_EQ(a.argmax().item<std::int64_t>(), 5);
  EXPECT_EQ(a.argmin().item<std::int64_t>(), 0);
  EXPECT_EQ(a.ptp().item<double>(), 5);
  EXPECT_EQ(a.cumsum()(-1).item<double>(), 15);
  EXPECT_EQ(a.cumprod()(-1).item<double>(), 0);
  EXPECT_FALSE(a.all().item<bool>());
  EXPECT_TRUE(a.any().item<bool>());
  EXPECT_EQ(a.dot(a.T()).shape(), (Shape{2, 2}));
  EXPECT_EQ(a.trace().item<double>(), 4);
  EXPECT_EQ(a.clip(1, 2).max().item<double>(), 2);
  EXPECT_EQ(a.round(0).sum().item<double>(), 15);
  EXPECT_EQ(a.argsort().shape(), (Shape{2, 3}));
  EXPECT_EQ(a.argpartition(1).shape(), (Shape{2, 3}));
  EXPECT_EQ(a.nonzero().size(), 2u);
  EXPECT_EQ(a.ravel().searchsorted(3).item<std::int64_t>(), 3);
  EXPECT_EQ(a.take(array({0, 5})).sum().item<double>(), 5);
  EXPECT_EQ(a.squeeze().shape(), (Shape{2, 3}));
  EXPECT_EQ(a.diagonal().shape(), Shape{2});
  EXPECT_EQ(a.flatten().shape(), Shape{6});
  EXPECT_EQ(a.repeat(2).shape(), Shape{12});
  EXPECT_EQ(a.conj().shape(), (Shape{2, 3}));
  EXPECT_EQ(a.tobytes().size(), 48u);
  EXPECT_NE(a.str().find("5."), std::string::npos);
  EXPECT_EQ(a.tolist().size(), 2u);
  a.sort();
  a.partition(1);
  a += 1;
  EXPECT_EQ(a(a > 2).size(), 4);
  EXPECT_EQ(add.reduce(a).shape(), Shape{3});
  EXPECT_EQ(add.accumulate(a).shape(), (Shape{2, 3}));
  EXPECT_EQ(multiply.outer(a, a).ndim(), 4);
}

TEST(CoreAloneTest, HasTheRoutinesOfItsHeaders) {
  const ndarray a = linspace(0, 1, 5);
  EXPECT_EQ(concatenate({a, a}).size(), 10);
  EXPECT_EQ(tile(a, 2).size(), 10);
  EXPECT_EQ(flip(a)(0).item<double>(), 1);
  EXPECT_EQ(append(a, a).size(), 10);
  EXPECT_EQ(tri(3).sum().item<double>(), 6);
  EXPECT_EQ(interp(array({0.5}), a, a).item<double>(), 0.5);
  EXPECT_EQ(around(a).size(), 5);
  EXPECT_EQ(take_along_axis(a, array({1}), 0).item<double>(), 0.25);
  EXPECT_EQ(indices({2, 2}).shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(sliding_window_view(a, {2}).shape(), (Shape{4, 2}));
}

}  // namespace
}  // namespace cupyxx
