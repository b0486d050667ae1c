// SPDX-License-Identifier: MIT
// Every function with a gradient against finite differences, in float64, and in the other dtypes
// against float64.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using Variables = std::vector<Variable>;

/// A function of variables; each input is drawn from [low, high).
struct Row {
  const char* name;
  std::vector<Shape> shapes;
  std::function<Variables(const Variables&)> call;
  double low = -1;
  double high = 1;
  bool twice = true;  // whether its gradients have gradients
};

template <class F>
auto one(F f) {
  return [f](const Variables& x) { return Variables{f(x)}; };
}

ndarray ids() { return cupyxx::array({2, 0, 2, 1}); }

const std::vector<Row>& rows() {
  using V = Variables;
  static const std::vector<Row> table = {
      {"clipped_relu", {{3, 4}}, one([](const V& x) { return clipped_relu(x[0], 0.6); })},
      {"leaky_relu", {{3, 4}}, one([](const V& x) { return leaky_relu(x[0]); })},
      {"elu", {{3, 4}}, one([](const V& x) { return elu(x[0], 0.7); })},
      {"selu", {{3, 4}}, one([](const V& x) { return selu(x[0]); })},
      {"softplus", {{3, 4}}, one([](const V& x) { return softplus(x[0], 3); })},
      {"hard_sigmoid", {{3, 4}}, one([](const V& x) { return hard_sigmoid(x[0]); }), -4, 4},
      {"gelu", {{3, 4}}, one([](const V& x) { return gelu(x[0]); }), -2, 2},
      {"swish", {{3, 4}}, one([](const V& x) { return swish(x[0], 1.5); }), -2, 2},
      {"prelu", {{2, 3, 2}, {3}}, one([](const V& x) { return prelu(x[0], x[1]); })},
      {"prelu_rows", {{2, 3, 2}, {3, 2}}, one([](const V& x) { return prelu(x[0], x[1]); })},
      {"prelu_scalar", {{2, 3}, {}}, one([](const V& x) { return prelu(x[0], x[1]); })},
      {"softmax_first", {{3, 4}}, one([](const V& x) { return softmax(x[0], 0); })},
      {"softmax_last", {{2, 3, 4}}, one([](const V& x) { return softmax(x[0], -1); })},
      {"log_softmax", {{3, 4}}, one([](const V& x) { return log_softmax(x[0]); })},
      {"log_softmax_last", {{2, 3, 4}}, one([](const V& x) { return log_softmax(x[0], -1); })},
      {"maxout", {{3, 6}}, one([](const V& x) { return maxout(x[0], 2); })},
      {"lstm",
       {{3, 2}, {3, 8}},
       [](const V& x) {
         const auto [c, h] = lstm(x[0], x[1]);
         return V{c, h};
       }},
      {"lstm_inner",
       {{2, 2, 3}, {2, 8, 3}},
       [](const V& x) {
         const auto [c, h] = lstm(x[0], x[1]);
         return V{c * h};
       }},
      {"transpose", {{2, 3, 4}}, one([](const V& x) { return transpose(x[0]); })},
      {"transpose_axes", {{2, 3, 4}}, one([](const V& x) {
         return transpose(x[0], {1, -1, 0});
       })},
      {"swapaxes", {{2, 3, 4}}, one([](const V& x) { return swapaxes(x[0], 0, -1); })},
      {"expand_dims", {{2, 3}}, one([](const V& x) { return expand_dims(x[0], -1); })},
      {"squeeze", {{2, 1, 3}}, one([](const V& x) { return squeeze(x[0], 1); })},
      {"flatten", {{2, 3}}, one([](const V& x) { return flatten(x[0]); })},
      {"copy", {{2, 3}}, one([](const V& x) { return functions::copy(x[0], x[0].device()); })},
      {"broadcast",
       {{3, 1}, {1, 4}, {4}},
       [](const V& x) {
         return broadcast({x[0], x[1], x[2]});
       }},
      {"broadcast_to", {{3, 1}}, one([](const V& x) {
         return broadcast_to(x[0], {2, 3, 4});
       })},
      {"tile", {{2, 3}}, one([](const V& x) {
         return functions::tile(x[0], {2, 1, 3});
       })},
      {"pad", {{2, 3}}, one([](const V& x) {
         return pad(x[0], {{1, 0}, {2, 1}}, 0.5);
       })},
      {"split_axis", {{4, 3}}, [](const V& x) { return split_axis(x[0], 2, 0); }},
      {"split_axis_places",
       {{2, 5}},
       [](const V& x) {
         return split_axis(x[0], {1, 3}, 1);
       }},
      {"stack", {{2, 3}, {2, 3}}, one([](const V& x) { return functions::stack(x, 1); })},
      {"get_item_slices", {{4, 3}}, one([](const V& x) {
         return get_item(x[0], {cupyxx::slice(0, cupyxx::none, 2), cupyxx::newaxis, -1});
       })},
      {"get_item_repeated", {{4, 3}}, one([](const V& x) { return get_item(x[0], {ids()}); })},
      {"select_item", {{4, 3}}, one([](const V& x) { return select_item(x[0], ids()); })},
      {"where", {{4, 3}, {3}}, one([](const V& x) {
         const ndarray condition = cupyxx::expand_dims(cupyxx::equal(ids(), 2), 1);
         return functions::where(condition, x[0], x[1]);
       })},
      {"matmul", {{2, 3}, {3, 4}}, one([](const V& x) { return functions::matmul(x[0], x[1]); })},
      {"matmul_transposed", {{3, 2}, {4, 3}}, one([](const V& x) {
         return functions::matmul(x[0], x[1], true, true);
       })},
      {"matmul_vector", {{2, 3}, {3}}, one([](const V& x) {
         return functions::matmul(x[0], x[1]);
       })},
      {"batch_matmul", {{2, 3, 4}, {2, 4, 2}}, one([](const V& x) {
         return batch_matmul(x[0], x[1]);
       })},
      {"batch_matmul_transposed", {{2, 4, 3}, {2, 2, 4}}, one([](const V& x) {
         return batch_matmul(x[0], x[1], true, true);
       })},
      {"batch_matmul_vectors", {{2, 3}, {2, 3}}, one([](const V& x) {
         return batch_matmul(x[0], x[1], true);
       })},
      {"batch_matmul_broadcast", {{2, 1, 3, 4}, {5, 4, 2}}, one([](const V& x) {
         return batch_matmul(x[0], x[1]);
       })},
      {"max", {{3, 4}}, one([](const V& x) { return functions::max(x[0], 1); })},
      {"min", {{3, 4}}, one([](const V& x) {
         return functions::min(x[0], {0, 1}, true);
       })},
      {"mean", {{3, 4}}, one([](const V& x) { return functions::mean(x[0], 0); })},
      {"logsumexp", {{3, 4}}, one([](const V& x) { return logsumexp(x[0], 1); })},
      {"logsumexp_all", {{3, 4}}, one([](const V& x) { return logsumexp(x[0]); })},
      {"maximum", {{3, 4}, {3, 4}}, one([](const V& x) { return functions::maximum(x[0], x[1]); })},
      {"minimum", {{3, 4}, {3, 4}}, one([](const V& x) { return functions::minimum(x[0], x[1]); })},
      {"clip", {{3, 4}}, one([](const V& x) { return functions::clip(x[0], -0.5, 0.4); })},
      {"sqrt", {{3, 4}}, one([](const V& x) { return functions::sqrt(x[0]); }), 0.5, 2},
      {"square", {{3, 4}}, one([](const V& x) { return functions::square(x[0]); })},
      {"embed_id", {{3, 2}}, one([](const V& x) { return embed_id(ids(), x[0]); })},
      {"embed_id_ignored", {{3, 2}}, one([](const V& x) { return embed_id(ids(), x[0], 2); })},
      {"attention", {{2, 3, 4}, {2, 5, 4}, {2, 5, 2}}, one([](const V& x) {
         return scaled_dot_product_attention(x[0], x[1], x[2]);
       })},
      {"attention_causal", {{2, 3, 4}, {2, 3, 4}, {2, 3, 2}}, one([](const V& x) {
         return scaled_dot_product_attention(x[0], x[1], x[2], {.is_causal = true});
       })},
      {"sigmoid_cross_entropy", {{2, 3}}, one([](const V& x) {
         return sigmoid_cross_entropy(x[0], cupyxx::array({{1, 0, -1}, {0, 1, 1}}));
       })},
      {"sigmoid_cross_entropy_normalized", {{2, 3}}, one([](const V& x) {
         return sigmoid_cross_entropy(x[0], cupyxx::array({{1, 0, -1}, {0, 1, 1}}), true);
       })},
      {"ctc",
       {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
       one([](const V& x) {
         return connectionist_temporal_classification(x, cupyxx::array({{0, 1}, {1, 1}}), 2);
       }),
       -1,
       1,
       false},
      {"ctc_lengths",
       {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
       one(
           [](const V& x) {
             return connectionist_temporal_classification(
                 x, cupyxx::array({{0, 1}, {1, 1}}), 2,
                 {.input = cupyxx::array({4, 2}), .label = cupyxx::array({2, 1})});
           }),
       -1,
       1,
       false},
      {"hinge", {{4, 3}}, one([](const V& x) { return hinge(x[0], ids()); })},
      {"hinge_squares", {{4, 3}}, one([](const V& x) {
         return hinge(x[0], ids(), HingeNorm::L2);
       })},
      {"huber_loss", {{3, 4}, {3, 4}}, one([](const V& x) { return huber_loss(x[0], x[1], 0.6); })},
      {"cross_covariance", {{4, 2}, {4, 3}}, one([](const V& x) {
         return cross_covariance(x[0], x[1]);
       })},
      {"contrastive", {{4, 2}, {4, 2}}, one([](const V& x) {
         return contrastive(x[0], x[1], cupyxx::array({1, 0, 0, 1}), 2);
       })},
      {"triplet", {{4, 2}, {4, 2}, {4, 2}}, one([](const V& x) {
         return triplet(x[0], x[1], x[2], 3);
       })},
      {"gaussian_kl_divergence", {{3, 2}, {3, 2}}, one([](const V& x) {
         return gaussian_kl_divergence(x[0], x[1]);
       })},
      {"bernoulli_nll", {{3, 2}, {3, 2}}, one([](const V& x) {
         return bernoulli_nll(x[0], x[1]);
       })},
      {"gaussian_nll", {{3, 2}, {3, 2}, {3, 2}}, one([](const V& x) {
         return gaussian_nll(x[0], x[1], x[2]);
       })},
  };
  return table;
}

struct Param {
  cupyxx::Device device;
  std::size_t row;
};

std::vector<Param> params() {
  std::vector<Param> list;
  for (const cupyxx::Device device : cupyxx::testing::devices()) {
    for (std::size_t i = 0; i < rows().size(); ++i) list.push_back({device, i});
  }
  return list;
}

std::ostream& operator<<(std::ostream& os, const Param& param) {
  return os << rows()[param.row].name << " on " << param.device;
}

class GradientsTest : public ::testing::TestWithParam<Param> {
 protected:
  GradientsTest() : scope_(GetParam().device), row_(rows()[GetParam().row]), random_(5) {}

  std::vector<ndarray> draw() {
    std::vector<ndarray> arrays;
    for (const Shape& shape : row_.shapes) {
      arrays.push_back(random_.uniform(shape, {.low = row_.low, .high = row_.high}));
    }
    return arrays;
  }

  cupyxx::DeviceScope scope_;
  const Row& row_;
  cupyxx::random::RandomState random_;
};

TEST_P(GradientsTest, MatchFiniteDifferences) {
  const std::vector<ndarray> x = draw();
  Variables v(x.begin(), x.end());
  std::vector<ndarray> gy;
  for (const Variable& y : row_.call(v)) {
    gy.push_back(random_.uniform(y.shape(), {.low = -1, .high = 1}));
  }
  gradcheck::check_backward([&](const Variables& inputs) { return row_.call(inputs); }, x, gy,
                            {.eps = 1e-5, .atol = 1e-6, .rtol = 1e-5});
}

TEST_P(GradientsTest, HaveGradientsThemselves) {
  const std::vector<ndarray> x = draw();
  Variables v(x.begin(), x.end());
  std::vector<ndarray> gy, ggx;
  for (const Variable& y : row_.call(v)) {
    gy.push_back(random_.uniform(y.shape(), {.low = -1, .high = 1}));
  }
  for (const ndarray& a : x) ggx.push_back(random_.uniform(a.shape(), {.low = -1, .high = 1}));
  const auto check = [&] {
    gradcheck::check_double_backward([&](const Variables& inputs) { return row_.call(inputs); }, x,
                                     gy, ggx, {.eps = 1e-5, .atol = 1e-6, .rtol = 1e-5});
  };
  if (row_.twice) {
    check();
  } else {
    cupyxx::testing::expect_error<cupyxx::TypeError>(check, "it has no gradients of second order");
  }
}

TEST_P(GradientsTest, OtherTypesAgreeWithFloat64) {
  for (const cupyxx::dtype type : {cupyxx::float32, cupyxx::float16}) {
    const double tolerance = type == cupyxx::float32 ? 2e-5 : 2e-2;
    const auto run = [&](cupyxx::dtype compute, const std::vector<ndarray>& from) {
      Variables v;
      for (const ndarray& a : from) v.push_back(Variable(a.astype(compute)));
      const Variables y = row_.call(v);
      std::vector<ndarray> results;
      for (const Variable& each : y) {
        EXPECT_EQ(each.dtype(), compute);
        results.push_back(each.data());
        each.set_grad(cupyxx::ones_like(each.data()));
      }
      y[0].backward();
      for (const Variable& each : v) {
        EXPECT_EQ(each.grad().dtype(), compute);
        results.push_back(each.grad());
      }
      return results;
    };
    std::vector<ndarray> x;
    for (const ndarray& a : draw()) x.push_back(a.astype(type));
    const auto found = run(type, x), expected = run(cupyxx::float64, x);
    for (std::size_t i = 0; i < found.size(); ++i) {
      cupyxx::testing::expect_allclose(found[i].astype(cupyxx::float64), expected[i], tolerance,
                                       4 * tolerance);
    }
  }
}

std::string param_name(const ::testing::TestParamInfo<Param>& info) {
  return std::string(rows()[info.param.row].name) + (info.param.device.is_cpu() ? "_cpu" : "_cuda");
}

INSTANTIATE_TEST_SUITE_P(, GradientsTest, ::testing::ValuesIn(params()), param_name);

}  // namespace
}  // namespace chainerxx::functions
