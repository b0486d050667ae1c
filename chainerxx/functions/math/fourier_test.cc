// SPDX-License-Identifier: MIT
// Transforms of variables against NumPy's numbers, and what they refuse.
#include "chainerxx/functions/math/fourier.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using testing::f32;
using testing::f64;
using testing::i32;

class FourierTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FourierTest);

ndarray eighths(int step) {
  return ((cupyxx::remainder(cupyxx::arange(10) * step, 17) - 8) / 8.0).reshape({2, 5});
}

TEST_P(FourierTest, RowsAreTransformed) {
  const auto [real, imag] = fft(eighths(3), eighths(7));
  expect_allclose(real.data(),
                  cupyxx::array({{-1.25, -0.6782966927819851, -2.4202132715151783,
                                  0.5452132715151783, -1.1967033072180147},
                                 {-0.375, 1.4467033072180147, -0.2952132715151783,
                                  2.6702132715151783, 0.9282966927819853}}),
                  1e-12, 1e-12);
  expect_allclose(imag.data(),
                  cupyxx::array({{-0.5, 0.16535805044172514, -0.8203877847816503,
                                  -1.4296122152183497, -2.415358050441725},
                                 {0.125, 0.16535805044172514, -0.8203877847816503,
                                  -1.4296122152183497, -2.415358050441725}}),
                  1e-12, 1e-12);
}

TEST_P(FourierTest, TheInverseDividesByTheLength) {
  const auto [real, imag] = ifft(eighths(3), eighths(7));
  expect_allclose(real.data(),
                  cupyxx::array({{-0.25, -0.23934066144360294, 0.10904265430303567,
                                  -0.48404265430303567, -0.13565933855639703},
                                 {-0.075, 0.18565933855639707, 0.5340426543030357,
                                  -0.05904265430303566, 0.28934066144360293}}),
                  1e-12, 1e-12);
  expect_allclose(imag.data(),
                  cupyxx::array({{-0.1, -0.483071610088345, -0.2859224430436699,
                                  -0.16407755695633008, 0.03307161008834503},
                                 {0.025, -0.483071610088345, -0.2859224430436699,
                                  -0.16407755695633008, 0.03307161008834503}}),
                  1e-12, 1e-12);
}

TEST_P(FourierTest, OneUndoesTheOther) {
  const auto [real, imag] = ifft(fft(eighths(3), eighths(7)));
  expect_allclose(real.data(), eighths(3), 0, 1e-14);
  expect_allclose(imag.data(), eighths(7), 0, 1e-14);
}

// Of the sum of the real parts of one result the gradient by x[j] is the sum of cos(2 pi j k / n)
// over all k: n at j = 0, else nothing.
TEST_P(FourierTest, GradientsOfASum) {
  const Variable x(cupyxx::zeros({4})), zero(cupyxx::zeros({4}));
  const Variable real = fft(x, zero)[0];
  real.set_grad(cupyxx::ones({4}));
  real.backward();
  expect_allclose(x.grad(), cupyxx::array({4.0, 0.0, 0.0, 0.0}), 0, 1e-15);
  expect_allclose(zero.grad(), cupyxx::zeros({4}), 0, 1e-15);
}

TEST_P(FourierTest, SixteenBitsAreTransformedInFloat32) {
  const ndarray x = cupyxx::full({512}, 1.0 / 16, cupyxx::bfloat16_);
  const Variable y = fft(x, cupyxx::zeros_like(x))[0];
  EXPECT_EQ(y.dtype(), cupyxx::bfloat16_);
  EXPECT_EQ(y.data()(0).item<float>(), 32.0f);
}

TEST_P(FourierTest, Refusals) {
  testing::expect_refusals({
      {"integers", [] { fft(i32({3}), i32({3})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"two dtypes", [] { fft(f32({3}), f64({3})); }, "InvalidType",
       "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"two shapes", [] { ifft(f32({3}), f32({4})); }, "InvalidType",
       "Expect: in_types[1].shape == in_types[0].shape\nActual: (4,) != (3,)"},
      {"numbers", [] { fft(f32({}), f32({})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
      {"one input", [] { FourierTransform().call(std::vector<Variable>{f32({3})}); }, "InvalidType",
       "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
