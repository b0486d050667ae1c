// SPDX-License-Identifier: MIT
// Every function with a gradient against finite differences in float64, and in the other dtypes and
// layouts against float64.
#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/testing/function_rows.h"
#include "chainerxx/functions/testing/rounding.h"
#include "chainerxx/functions/testing/row_test.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"

namespace chainerxx::testing {
namespace {

using cupyxx::testing::expect_allclose;

/// All elements of `a`, by steps of two through memory that is larger.
ndarray strided(const ndarray& a) {
  if (a.ndim() == 0) return a.copy();
  cupyxx::Shape wide = a.shape();
  wide[a.ndim() - 1] *= 2;
  const ndarray memory = cupyxx::full(wide, 7, a.dtype());
  const ndarray view = memory(cupyxx::ellipsis, cupyxx::slice(cupyxx::none, cupyxx::none, 2));
  cupyxx::copyto(view, a);
  return view;
}
ndarray transposed(const ndarray& a) { return a.T().copy().T(); }
/// Images with their channels last; others as they are.
ndarray channels_last(const ndarray& a) {
  if (a.ndim() != 4) return a;
  const cupyxx::Shape s = a.shape();
  const ndarray pixels = cupyxx::empty({s[0], s[2], s[3], s[1]}, a.dtype());
  cupyxx::copyto(pixels, a.transpose({0, 2, 3, 1}));
  return pixels.transpose({0, 3, 1, 2});
}

/// Both are None, or equal within a tolerance.
void expect_same(const ndarray& found, const ndarray& expected, double tolerance = 1e-12,
                 double atol = 1e-12) {
  ASSERT_EQ(found.is_none(), expected.is_none());
  if (!found.is_none()) expect_allclose(found, expected, tolerance, atol);
}

class GradientsTest : public RowTest {
 protected:
  std::vector<ndarray> draw_gradients(const Variables& y) {
    std::vector<ndarray> gy;
    for (const Variable& each : y) gy.push_back(draw(each.shape()));
    return gy;
  }

  /// Results, then the gradients of the inputs, for gradients of the results.
  std::vector<ndarray> run(const std::vector<ndarray>& x, const std::vector<ndarray>& gy) {
    Variables v;
    for (const ndarray& a : x) v.emplace_back(a);
    const Variables y = row().call(v);
    std::vector<ndarray> results;
    for (std::size_t i = 0; i < y.size(); ++i) {
      results.push_back(y[i].data());
      y[i].set_grad(gy[i]);
    }
    go_backward(y);
    for (const Variable& each : v) results.push_back(each.grad());
    return results;
  }
};

TEST_P(GradientsTest, MatchFiniteDifferences) {
  const std::vector<ndarray> x = draw_inputs();
  gradcheck::check_backward([&](const Variables& v) { return row().call(v); }, x,
                            draw_gradients(row().call(as_variables(x))),
                            {.eps = 1e-5, .atol = 1e-6, .rtol = 1e-5});
}

TEST_P(GradientsTest, HaveGradientsThemselves) {
  const std::vector<ndarray> x = draw_inputs();
  const std::vector<ndarray> gy = draw_gradients(row().call(as_variables(x)));
  std::vector<ndarray> ggx;
  for (const ndarray& a : x) ggx.push_back(draw(a.shape()));
  std::vector<int> no_grad;
  if (has(kFirstInputOnly)) {
    no_grad = {1};
    ggx.resize(1);
  }
  gradcheck::check_double_backward([&](const Variables& v) { return row().call(v); }, x, gy, ggx,
                                   {.eps = 1e-5, .atol = 1e-6, .rtol = 1e-5, .no_grad = no_grad});
}

TEST_P(GradientsTest, OtherTypesAgreeWithFloat64) {
  if (has(kOwnNoise)) return expect_only(row().covers, "gaussian");
  for (const cupyxx::dtype type : {cupyxx::float32, cupyxx::float16, cupyxx::bfloat16_}) {
    SCOPED_TRACE(type.name());
    const double tolerance = 8 * rounding(type);
    std::vector<ndarray> x, wide, gy, wide_gy;
    for (const ndarray& a : draw_inputs()) x.push_back(a.astype(type));
    for (const ndarray& a : x) wide.push_back(a.astype(cupyxx::float64));
    for (const Variable& y : row().call(as_variables(x))) {
      EXPECT_EQ(y.dtype(), type);
      gy.push_back(cupyxx::ones_like(y.data()));
      wide_gy.push_back(cupyxx::ones(y.shape(), cupyxx::float64));
    }
    const auto found = run(x, gy), expected = run(wide, wide_gy);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (expected[i].is_none()) {
        EXPECT_TRUE(found[i].is_none());
        continue;
      }
      EXPECT_EQ(found[i].dtype(), type);
      expect_same(found[i].astype(cupyxx::float64), expected[i], tolerance, tolerance);
    }
  }
}

TEST_P(GradientsTest, LayoutsMakeNoDifference) {
  const std::vector<ndarray> x = draw_inputs();
  const std::vector<ndarray> gy = draw_gradients(row().call(as_variables(x)));
  const auto expected = run(x, gy);
  for (const auto layout : {transposed, strided, channels_last}) {
    std::vector<ndarray> other_x, other_gy;
    for (const ndarray& a : x) other_x.push_back(layout(a));
    for (const ndarray& a : gy) other_gy.push_back(layout(a));
    const auto found = run(other_x, other_gy);
    for (std::size_t i = 0; i < found.size(); ++i) {
      expect_same(found[i], expected[i]);
    }
  }
}

TEST_P(GradientsTest, ConvolutionsIntoAnyLayoutAgree) {
  const std::vector<ndarray> x = draw_inputs();
  const std::vector<ndarray> gy = draw_gradients(row().call(as_variables(x)));
  const auto expected = run(x, gy);
  const LayoutScope scope(Layout::channels_last);
  const auto found = run(x, gy);
  for (std::size_t i = 0; i < found.size(); ++i) expect_same(found[i], expected[i]);
}

TEST_P(GradientsTest, ABroadcastGradientIsLikeAnyOther) {
  const std::vector<ndarray> x = draw_inputs();
  std::vector<ndarray> broadcast, full;
  for (const Variable& y : row().call(as_variables(x))) {
    broadcast.push_back(cupyxx::broadcast_to(cupyxx::full({}, 0.5, cupyxx::float64), y.shape()));
    full.push_back(cupyxx::full(y.shape(), 0.5, cupyxx::float64));
  }
  const auto found = run(x, broadcast), expected = run(x, full);
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_same(found[i], expected[i]);
  }
}

TEST_P(GradientsTest, ConstantsGetNoneAndChangeNoOther) {
  const std::vector<ndarray> x = draw_inputs();
  const std::vector<ndarray> gy = draw_gradients(row().call(as_variables(x)));
  const auto expected = run(x, gy);
  for (std::size_t constant = 0; constant < x.size(); ++constant) {
    Variables v;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i == constant) {
        v.push_back(x[i]);
      } else {
        v.emplace_back(x[i]);
      }
    }
    const Variables y = row().call(v);
    for (std::size_t i = 0; i < y.size(); ++i) y[i].set_grad(gy[i]);
    go_backward(y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i == constant) {
        EXPECT_TRUE(v[i].grad().is_none()) << "input " << i;
      } else {
        expect_same(v[i].grad(), expected[y.size() + i]);
      }
    }
  }
}

CHAINERXX_TEST_ON_ROWS(GradientsTest);

class LayersTest : public LayerTest {};

TEST_P(LayersTest, GradientsOfParametersMatchFiniteDifferences) {
  const Layer layer = make();
  const std::vector<ndarray> x = draw_inputs();
  std::vector<ndarray> gy;
  for (const Variable& y : layer.call(as_variables(x))) gy.push_back(draw(y.shape()));
  ASSERT_FALSE(layer.parameters.empty());
  gradcheck::check_backward([&](const Variables& v) { return layer.call(v); }, x, gy,
                            {.eps = 1e-5,
                             .atol = 1e-6,
                             .rtol = 1e-5,
                             .parameters = layer.parameters,
                             .gradients = layer.gradients});
}

TEST_P(LayersTest, GradientsOfParametersAddUp) {
  const Layer layer = make();
  const std::vector<ndarray> x = draw_inputs();
  std::vector<ndarray> once;
  for (int turn = 1; turn <= 2; ++turn) {
    const Variables y = layer.call(as_variables(x));
    for (const Variable& each : y) each.set_grad(cupyxx::ones_like(each.data()));
    go_backward(y);
    for (std::size_t i = 0; i < layer.gradients.size(); ++i) {
      if (turn == 1) once.push_back(layer.gradients[i].copy());
      if (turn == 2) expect_allclose(layer.gradients[i], once[i] + once[i], 1e-12, 1e-12);
    }
  }
}

CHAINERXX_TEST_ON_LAYERS(LayersTest);

}  // namespace
}  // namespace chainerxx::testing
