// SPDX-License-Identifier: MIT
// Activation functions and their gradients as operations, on every floating type and layout; the
// references are formulas in double, the gradients' by themselves.
#include "chainerxx/internal/ops/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/extension/op.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::ops {
namespace {

using cupyxx::ndarray;
using cupyxx::Shape;
using cupyxx::extension::Ufunc;

class ActivationOps : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ActivationOps);

constexpr double kZ = 1.25, kSlope = 0.25, kAlpha = 0.75, kScale = 1.5, kBeta = -1.5;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double phi(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }
double below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

struct Row {
  const char* name;
  ndarray (*value)(const ndarray& x);
  ndarray (*grad)(const ndarray& read, const ndarray& gy);
  double (*expected)(double x);
  double (*slope)(double x);  // the derivative at what the gradient reads: x or y
};

template <class Op, class... Numbers>
ndarray value(const ndarray& x, Numbers... numbers) {
  return Ufunc<Op, 1 + sizeof...(Numbers)>()(x, numbers...);
}
template <class Op, class... Numbers>
ndarray grad(const ndarray& read, const ndarray& gy, Numbers... numbers) {
  return Ufunc<GradientOf<Op>, 2 + sizeof...(Numbers)>()(read, gy, numbers...);
}

using A = const ndarray&;
const Row kRows[] = {
    {"relu", [](A x) { return value<Relu>(x); }, [](A y, A gy) { return grad<Relu>(y, gy); },
     [](double x) { return std::max(x, 0.0); }, [](double y) { return y > 0 ? 1.0 : 0.0; }},
    {"sigmoid", [](A x) { return value<Sigmoid>(x); },
     [](A y, A gy) { return grad<Sigmoid>(y, gy); }, logistic,
     [](double y) { return y * (1 - y); }},
    {"tanh", [](A x) { return value<Tanh>(x); }, [](A y, A gy) { return grad<Tanh>(y, gy); },
     [](double x) { return std::tanh(x); }, [](double y) { return 1 - y * y; }},
    {"clipped_relu", [](A x) { return value<ClippedRelu>(x, kZ); },
     [](A x, A gy) { return grad<ClippedRelu>(x, gy, kZ); },
     [](double x) { return std::min(std::max(x, 0.0), kZ); },
     [](double x) { return x > 0 && x < kZ ? 1.0 : 0.0; }},
    {"leaky_relu", [](A x) { return value<LeakyRelu>(x, kSlope); },
     [](A x, A gy) { return grad<LeakyRelu>(x, gy, kSlope); },
     [](double x) { return x < 0 ? kSlope * x : x; },
     [](double x) { return x < 0 ? kSlope : 1.0; }},
    {"elu", [](A x) { return value<Elu>(x, kAlpha, kScale); },
     [](A x, A gy) { return grad<Elu>(x, gy, kAlpha, kScale); },
     [](double x) { return kScale * (x < 0 ? kAlpha * std::expm1(x) : x); },
     [](double x) { return kScale * (x < 0 ? kAlpha * std::exp(x) : 1.0); }},
    {"softplus", [](A x) { return value<Softplus>(x, kBeta); },
     [](A x, A gy) { return grad<Softplus>(x, gy, kBeta); },
     [](double x) { return std::log1p(std::exp(kBeta * x)) / kBeta; },
     [](double x) { return logistic(kBeta * x); }},
    {"hard_sigmoid", [](A x) { return value<HardSigmoid>(x); },
     [](A x, A gy) { return grad<HardSigmoid>(x, gy); },
     [](double x) { return std::min(std::max(0.2 * x + 0.5, 0.0), 1.0); },
     [](double x) { return std::fabs(x) < 2.5 ? 0.2 : 0.0; }},
    {"gelu", [](A x) { return value<Gelu>(x); }, [](A x, A gy) { return grad<Gelu>(x, gy); },
     [](double x) { return x * below(x); }, [](double x) { return below(x) + x * phi(x); }},
    {"gelu_tanh", [](A x) { return value<GeluTanh>(x); },
     [](A x, A gy) { return grad<GeluTanh>(x, gy); },
     [](double x) {
       return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
     },
     [](double x) {
       const double t = std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
       return 0.5 * (1 + t) +
              0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
     }},
    {"swish", [](A x) { return value<Swish>(x, kBeta); },
     [](A x, A gy) { return grad<Swish>(x, gy, kBeta); },
     [](double x) { return x * logistic(kBeta * x); },
     [](double x) {
       const double s = logistic(kBeta * x);
       return s + kBeta * x * s * (1 - s);
     }},
    {"softsign", [](A x) { return value<Softsign>(x); },
     [](A x, A gy) { return grad<Softsign>(x, gy); },
     [](double x) { return x / (1 + std::fabs(x)); },
     [](double x) { return std::pow(1 + std::fabs(x), -2); }},
    {"mish", [](A x) { return value<Mish>(x); }, [](A x, A gy) { return grad<Mish>(x, gy); },
     [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
     [](double x) {
       const double t = std::tanh(std::log1p(std::exp(x)));
       return t + x * (1 - t * t) * logistic(x);
     }},
};

// Between -4 and 4, corners of the functions apart.
ndarray waves(const Shape& shape, cupyxx::dtype type) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    values.push_back(4 * std::sin(0.7 * static_cast<double>(i) + 0.1));
  }
  return cupyxx::array(values, type).reshape(shape);
}

void expect_row(const Row& row, const ndarray& x, const ndarray& gy, double tolerance) {
  const ndarray y = row.value(x), gx = row.grad(x, gy);
  ASSERT_EQ(y.shape(), x.shape());
  ASSERT_EQ(y.dtype(), x.dtype());
  ASSERT_EQ(gx.dtype(), x.dtype());
  const auto xs = x.to_vector<double>(), ys = y.to_vector<double>(), gxs = gx.to_vector<double>();
  const auto gys = cupyxx::broadcast_to(gy, x.shape()).to_vector<double>();
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double bound = tolerance * (1 + std::fabs(xs[i]));
    ASSERT_NEAR(ys[i], row.expected(xs[i]), bound) << row.name << " of " << xs[i];
    const double expected = row.slope(xs[i]) * gys[i];
    ASSERT_NEAR(gxs[i], expected, tolerance * (1 + std::fabs(expected)) * 4)
        << row.name << "_grad at " << xs[i];
  }
}

struct Precision {
  cupyxx::dtype type;
  double tolerance;
};
const Precision kPrecisions[] = {{cupyxx::float16, 1e-3},
                                 {cupyxx::bfloat16_, 8e-3},
                                 {cupyxx::float32, 1e-6},
                                 {cupyxx::float64, 1e-14}};

TEST_P(ActivationOps, OfEveryTypeAndSize) {
  for (const auto& [type, tolerance] : kPrecisions) {
    for (const std::int64_t n : {0, 1, 31, 1000, 70001}) {
      const ndarray x = waves({n}, type);
      for (const Row& row : kRows) expect_row(row, x, waves({n}, type) * 0.5, tolerance);
    }
  }
}

TEST_P(ActivationOps, OfEveryLayout) {
  for (const auto& [type, tolerance] : kPrecisions) {
    const ndarray x = waves({6, 8}, type);
    for (const Row& row : kRows) {
      expect_row(row, x.T(), waves({8, 6}, type), tolerance);
      expect_row(row, x(cupyxx::slice(), cupyxx::slice(0, 8, 2)), waves({6, 4}, type), tolerance);
      expect_row(row, x, waves({8}, type), tolerance);
      expect_row(row, cupyxx::broadcast_to(x(0), {5, 8}), waves({5, 8}, type).T().T(), tolerance);
      expect_row(row, waves({}, type), waves({}, type), tolerance);
    }
  }
}

// Half of tanh(x / 2) + 1 is 0 where this is 2e-9: its logarithm was minus infinity.
TEST_P(ActivationOps, SmallResultsOfSigmoidsKeepTheirDigits) {
  const ndarray x = cupyxx::array({-10.0, -17.0, -20.0, -80.0, 20.0, -1e30});
  for (const auto& [type, tolerance] :
       {std::pair{cupyxx::float32, 1e-5}, {cupyxx::float64, 1e-14}}) {
    const auto y = value<Sigmoid>(x.astype(type)).to_vector<double>();
    const auto swish = value<Swish>(x.astype(type), 1.0).to_vector<double>();
    for (std::size_t i = 0; i < 5; ++i) {
      const double at = x(static_cast<std::int64_t>(i)).item<double>();
      EXPECT_NEAR(y[i], logistic(at), tolerance * logistic(at)) << at;
      EXPECT_NEAR(swish[i], at * logistic(at), tolerance * std::fabs(at) * logistic(at)) << at;
    }
    EXPECT_EQ(y[5], 0);
  }
  const auto narrow = value<Sigmoid>(cupyxx::array({-8.0}, cupyxx::float16)).to_vector<double>();
  EXPECT_NEAR(narrow[0], logistic(-8), 1e-3 * logistic(-8));
}

TEST_P(ActivationOps, PassNaNOn) {
  const ndarray x = cupyxx::array({NAN, -1.0, 2.0}, cupyxx::float32);
  for (const Row& row : kRows) {
    if (std::string_view(row.name) == "hard_sigmoid") continue;  // a comparison with NaN clips it
    EXPECT_TRUE(std::isnan(row.value(x).to_vector<double>()[0])) << row.name;
  }
}

TEST(ActivationOpsNames, AreThoseOfTheFunctions) {
  const Ufunc<Elu, 3> elu;
  EXPECT_EQ(elu.name(), "elu");
  const Ufunc<GradientOf<Elu>, 4> elu_grad;
  EXPECT_EQ(elu_grad.name(), "elu_grad");
  EXPECT_EQ(elu_grad.nin(), 4);
  EXPECT_EQ(elu_grad.types(),
            (std::vector<std::string>{"eeee->e", "EEEE->E", "ffff->f", "dddd->d"}));
}

}  // namespace
}  // namespace chainerxx::ops
