// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/gated.h"
#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/activation/prelu.h"
#include "chainerxx/functions/activation/rectifiers.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class ActivationRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ActivationRefusalsTest);

TEST_P(ActivationRefusalsTest, Activations) {
  expect_refusals({
      {"relu of integers", [] { F::relu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"two inputs of relu",
       [] {
         F::ReLU().call(std::vector<Variable>{f32({2}), f32({2})});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
      {"no input of sigmoid", [] { F::Sigmoid().call({}); }, "InvalidType",
       "Expect: in_types.size == 1\nActual: 0 != 1"},
      {"sigmoid of integers", [] { F::sigmoid(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"tanh of integers", [] { F::tanh(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softmax of integers",
       [] {
         F::softmax(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softmax of a vector", [] { F::softmax(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim > 1\nActual: 1 <= 1"},
      {"softmax of a number", [] { F::softmax(f32({}), 0); }, "InvalidType",
       "Expect: in_types[0].ndim > 0\nActual: 0 <= 0"},
      {"softmax over a missing axis",
       [] {
         F::softmax(f32({2, 3}), 2);
       },
       "InvalidType", "Expect: in_types[0].ndim > 2\nActual: 2 <= 2"},
      {"softmax over a missing axis from the end",
       [] {
         F::softmax(f32({2, 3}), -3);
       },
       "InvalidType", "Expect: in_types[0].ndim >= 3\nActual: 2 < 3"},
      {"softmax over the last axis that a number can say",
       [] {
         F::softmax(f32({2, 3}), std::numeric_limits<int>::min());
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2147483648\nActual: 2 < 2147483648"},
      {"log_softmax of integers",
       [] {
         F::log_softmax(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"log_softmax over a missing axis", [] { F::log_softmax(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim > 1\nActual: 1 <= 1"},
      {"maxout of pools that do not fit",
       [] {
         F::maxout(f32({2, 5}), 2);
       },
       "ValueError", "maxout: pool_size does not divide the extent of axis 1; 2 and 5"},
      {"maxout of empty pools",
       [] {
         F::maxout(f32({2, 5}), 0);
       },
       "ValueError", "maxout: pool_size does not divide the extent of axis 1; 0 and 5"},
      {"maxout over a missing axis",
       [] {
         F::maxout(f32({2, 4}), 2, 2);
       },
       "AxisError", "maxout: axis 2 is out of bounds for array of dimension 2"},
      {"maxout of integers",
       [] {
         F::maxout(i32({2, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"clipped_relu of integers", [] { F::clipped_relu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"clipped_relu at 0", [] { F::clipped_relu(f32({2}), 0); }, "ValueError",
       "clipped_relu: z is not positive; 0.0"},
      {"clipped_relu at no number",
       [] { F::clipped_relu(f32({2}), std::numeric_limits<double>::quiet_NaN()); }, "ValueError",
       "clipped_relu: z is not positive; nan"},
      {"leaky_relu of integers", [] { F::leaky_relu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"elu of integers", [] { F::elu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"selu of integers", [] { F::selu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softplus of integers", [] { F::softplus(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softplus with beta 0", [] { F::softplus(f32({2}), 0); }, "ValueError",
       "softplus: beta is 0"},
      {"hard_sigmoid of integers", [] { F::hard_sigmoid(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"gelu of integers", [] { F::gelu(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"swish of integers", [] { F::swish(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"mish of integers", [] { F::mish(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softsign of integers", [] { F::softsign(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
  });
}

TEST_P(ActivationRefusalsTest, PReLU) {
  expect_refusals({
      {"integers",
       [] {
         F::PReLU()(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: int32 != float32"},
      {"another dtype than W",
       [] {
         F::PReLU()(f64({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"too few axes", [] { F::PReLU({3})(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1 + W.ndim\nActual: 1 < 2"},
      {"another extent than W",
       [] {
         F::PReLU({3})(f32({2, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == W.shape[0]\nActual: 4 != 3"},
      {"a negative extent of W", [] { F::PReLU({-1}); }, "ValueError",
       "PReLU: a size is negative; (-1,)"},
      {"integers as W",
       [] {
         F::prelu(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: int32 != float32"},
      {"W of another dtype",
       [] {
         F::prelu(f32({2, 3}), f64({3}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"W of as many axes",
       [] {
         F::prelu(f32({2, 3}), f32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= in_types[1].ndim + 1\nActual: 2 < 3"},
      {"W of another extent",
       [] {
         F::prelu(f32({2, 3, 4}), f32({3, 5}));
       },
       "InvalidType", "Expect: in_types[0].shape[2] == in_types[1].shape[1]\nActual: 4 != 5"},
      {"one input",
       [] {
         F::PReLUFunction().call(std::vector<Variable>{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

TEST_P(ActivationRefusalsTest, Lstm) {
  expect_refusals({
      {"integers as cells",
       [] {
         F::lstm(i32({2, 3}), f32({2, 12}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"another dtype",
       [] {
         F::lstm(f32({2, 3}), f64({2, 12}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"a vector of cells",
       [] {
         F::lstm(f32({3}), f32({2, 12}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"a vector as x",
       [] {
         F::lstm(f32({2, 3}), f32({12}));
       },
       "InvalidType", "Expect: in_types[1].ndim >= 2\nActual: 1 < 2"},
      {"other ranks",
       [] {
         F::lstm(f32({2, 3}), f32({2, 12, 1}));
       },
       "InvalidType", "Expect: in_types[0].ndim == in_types[1].ndim\nActual: 2 != 3"},
      {"another batch",
       [] {
         F::lstm(f32({2, 3}), f32({1, 12}));
       },
       "InvalidType", "Expect: in_types[1].shape[0] == in_types[0].shape[0]\nActual: 1 != 2"},
      {"another width",
       [] {
         F::lstm(f32({2, 3}), f32({2, 9}));
       },
       "InvalidType", "Expect: in_types[1].shape[1] == 4 * in_types[0].shape[1]\nActual: 9 != 12"},
      {"another inner extent",
       [] {
         F::lstm(f32({2, 3, 4}), f32({2, 12, 5}));
       },
       "InvalidType", "Expect: in_types[1].shape[2] == in_types[0].shape[2]\nActual: 5 != 4"},
      {"one input",
       [] {
         F::LSTM().call(std::vector<Variable>{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

TEST_P(ActivationRefusalsTest, Gated) {
  expect_refusals({
      {"glu of integers",
       [] {
         F::glu(i32({2, 4}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"glu of an odd extent",
       [] {
         F::glu(f32({2, 3}));
       },
       "ValueError", "glu: the extent of axis 1 is odd; (2, 3)"},
      {"glu along a missing axis",
       [] {
         F::glu(f32({2, 4}), 2);
       },
       "AxisError", "glu: axis 2 is out of bounds for array of dimension 2"},
      {"glu of a number", [] { F::glu(f32({})); }, "AxisError",
       "glu: axis -1 is out of bounds for array of dimension 0"},
      {"glu of None", [] { F::glu(Variable()); }, "TypeError", "glu: input 0 is None"},
  });
}

TEST_P(ActivationRefusalsTest, Rectifiers) {
  const Variable x = f32({2, 3});
  expect_refusals({
      {"rrelu of slopes in another order", [=] { F::rrelu(x, 0.5, 0.25); }, "ValueError",
       "rrelu: the slopes are not 0 <= lower <= upper < 1; 0.5 and 0.25"},
      {"crelu of integers",
       [] {
         F::crelu(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"crelu along a missing axis", [=] { F::crelu(x, 2); }, "InvalidType",
       "Expect: in_types[0].ndim > axis\nActual: 2 <= 2"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
