// SPDX-License-Identifier: MIT
// Fourier transforms; the expectations are NumPy's, or known transforms.
#include "cupyxx/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::fft {
namespace {

using testing::expect_allclose;
using testing::expect_error;
using Z = complex<double>;

class Fft : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Fft);

ndarray numbers(const std::vector<Z>& values) { return array(values); }

TEST_P(Fft, OfFourNumbers) {
  const ndarray a = array({1., 2., 4., 8.});
  expect_allclose(fft(a), numbers({{15, 0}, {-3, 6}, {-5, 0}, {-3, -6}}), 1e-14);
  expect_allclose(ifft(numbers({{15, 0}, {-3, 6}, {-5, 0}, {-3, -6}})), a.astype(complex128),
                  1e-14);
  expect_allclose(rfft(a), numbers({{15, 0}, {-3, 6}, {-5, 0}}), 1e-14);
  expect_allclose(irfft(numbers({{15, 7}, {-3, 6}, {-5, 3}})), a, 1e-14);
  expect_allclose(irfft(numbers({{15, 0}, {-3, 6}}), {.n = 3}),
                  array({3., 2.535898384862247, 9.464101615137753}), 1e-14);
  EXPECT_EQ(fft(a.astype(float32)).dtype(), complex128);
  EXPECT_EQ(rfft(array({1, 2, 3})).dtype(), complex128);
  EXPECT_EQ(irfft(a).dtype(), float64);
  EXPECT_EQ(fft(a).device(), device());
}

TEST_P(Fft, CutsAndFillsToALength) {
  const ndarray a = array({{1., 2., 3.}, {4., 5., 6.}});
  expect_allclose(fft(a, {.n = 2}), numbers({{3, 0}, {-1, 0}, {9, 0}, {-1, 0}}).reshape({2, 2}),
                  1e-14);
  expect_allclose(fft(a, {.n = 4, .axis = 0})(slice(), 0),
                  numbers({{5, 0}, {1, -4}, {-3, 0}, {1, 4}}), 1e-14);
  EXPECT_EQ(fft(a, {.n = 4, .axis = 0}).shape(), (Shape{4, 3}));
  EXPECT_TRUE(fft(a, {.axis = 0}).flags().c_contiguous);
}

TEST_P(Fft, NormsDivideOneDirection) {
  const ndarray a = array({1., 2., 4., 8.});
  expect_allclose(fft(a, {.norm = Norm::forward}), fft(a) / 4, 1e-14);
  expect_allclose(fft(a, {.norm = Norm::ortho}), fft(a) / 2, 1e-14);
  for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward}) {
    expect_allclose(ifft(fft(a, {.norm = norm}), {.norm = norm}).real(), a, 1e-14);
    expect_allclose(irfft(rfft(a, {.norm = norm}), {.norm = norm}), a, 1e-14);
    expect_allclose(hfft(ihfft(a, {.norm = norm}), {.norm = norm}), a, 1e-14);
    expect_allclose(irfftn(rfftn(a, {.norm = norm}), {.norm = norm}), a, 1e-14);
  }
  expect_allclose(hfft(numbers({{1, 0}, {2, 1}, {3, 0}})), array({8., 0., 0., -4.}), 1e-14);
  expect_allclose(ihfft(a), numbers({{3.75, 0}, {-0.75, -1.5}, {-1.25, 0}}), 1e-14);
}

TEST_P(Fft, AWaveHasOneFrequency) {
  for (const std::int64_t n : {7, 12, 94, 128, 1009, 3600}) {
    const ndarray t = arange(n) * (2 * std::numbers::pi * 3 / static_cast<double>(n));
    ndarray expected = zeros({n}, complex128);
    expected(3) = static_cast<double>(n);
    expect_allclose(fft(exp(t * Z(0, 1))), expected, 1e-10);
    EXPECT_EQ(fft(exp(t * Z(0, 1)), {.dtype = complex64}).dtype(), complex64);
    expect_allclose(fft(exp(t * Z(0, 1)), {.dtype = complex64}), expected.astype(complex64), 1e-5,
                    1e-6 * static_cast<double>(n));
  }
}

TEST_P(Fft, AlongSeveralAxes) {
  const ndarray a = arange(24.0).reshape({2, 3, 4});
  const ndarray both = fft(fft(a, {.axis = 2}), {.axis = 1});
  expect_allclose(fft2(a), both, 1e-12);
  expect_allclose(fftn(a), fft(both, {.axis = 0}), 1e-12);
  expect_allclose(fftn(a, {.axes = {0, 2}}), fft(fft(a, {.axis = 2}), {.axis = 0}), 1e-12);
  expect_allclose(rfft2(a), both(ellipsis, slice(3)), 1e-12);
  expect_allclose(ifft2(fft2(a)).real(), a, 1e-12);
  expect_allclose(irfft2(rfft2(a)), a, 1e-12);
  expect_allclose(ifftn(fftn(a)).real(), a, 1e-12);
  EXPECT_EQ(fftn(a, {.s = Shape{5, 6}}).shape(), (Shape{2, 5, 6}));
  EXPECT_EQ(irfftn(rfftn(a), {.s = Shape{2, 3, 5}}).shape(), (Shape{2, 3, 5}));
}

TEST_P(Fft, LeavesItsArgument) {
  const ndarray a = numbers({{1, 2}, {3, 4}, {5, 6}});
  const ndarray before = a.copy();
  fft(a), ifft(a), hfft(a), irfft(a), fftn(a);
  EXPECT_TRUE(static_cast<bool>(all(equal(a, before))));
  EXPECT_EQ(fft(zeros({0, 3})).shape(), (Shape{0, 3}));
  expect_allclose(fft(array({{1., 2.}, {3., 4.}}).T()),
                  numbers({{4, 0}, {-2, 0}, {6, 0}, {-2, 0}}).reshape({2, 2}), 1e-14);
}

TEST_P(Fft, RealTransformsTakeRealParts) {
  expect_allclose(rfft(numbers({{1, 2}, {3, 0}})), numbers({{4, 0}, {-2, 0}}), 1e-15);
}

TEST_P(Fft, Frequencies) {
  expect_allclose(fftfreq(5, 0.1), array({0., 2., 4., -4., -2.}), 1e-15);
  expect_allclose(fftfreq(4), array({0., 0.25, -0.5, -0.25}), 1e-15);
  expect_allclose(rfftfreq(5, 0.5), array({0., 0.4, 0.8}), 1e-15);
  const ndarray a = arange(6).reshape({2, 3});
  expect_allclose(fftshift(a), array({{5, 3, 4}, {2, 0, 1}}), 0);
  expect_allclose(fftshift(a, 1), array({{2, 0, 1}, {5, 3, 4}}), 0);
  expect_allclose(ifftshift(fftshift(a)), a, 0);
}

TEST_P(Fft, SaysWhatIsWrong) {
  const ndarray a = zeros({2, 3});
  expect_error<ValueError>([&] { fft(a, {.n = 0}); }, "fft.fft: a transform needs one number");
  expect_error<ValueError>([&] { irfft(zeros({1})); }, "fft.irfft: a transform needs one number");
  expect_error<ValueError>([&] { fft(zeros({2, 0})); }, "fft.fft: a transform needs one number");
  expect_error<AxisError>([&] { fft(a, {.axis = 2}); }, "fft.fft: axis 2 is out of bounds");
  expect_error<AxisError>([&] { fft(zeros({})); }, "fft.fft: axis -1 is out of bounds");
  expect_error<AxisError>([&] { fft2(zeros({3})); }, "fft.fft2: axis -2 is out of bounds");
  expect_error<ValueError>(
      [&] {
        fftn(a, {.s = Shape{2}, .axes = {0, 1}});
      },
      "fft.fftn: s and axes have different lengths; (2,) and (0, 1)");
  expect_error<DtypeError>([&] { fft(a, {.dtype = float32}); },
                           "fft.fft: computes in complex64 or complex128, not float32");
  expect_error<TypeError>([&] { fft(ndarray()); }, "fft.fft: the array is None");
  expect_error<ValueError>([&] { fftfreq(0); }, "fft.fftfreq: a transform needs one number");
}

TEST_P(Fft, Grids) {
  expect_allclose(mgrid({{0, 3}, {0, 2}}),
                  array({{{0, 0}, {1, 1}, {2, 2}}, {{0, 1}, {0, 1}, {0, 1}}}), 0);
  expect_allclose(mgrid({{5, 0, -2}}), array({5, 3, 1}), 0);
  expect_allclose(mgrid({{.start = -1, .stop = 1, .points = 5}}), array({-1., -0.5, 0., 0.5, 1.}),
                  0);
  const auto open = ogrid({{0, 1, 0.25}, {2, 4}});
  expect_allclose(open[0], array({{0.}, {0.25}, {0.5}, {0.75}}), 0);
  expect_allclose(open[1], array({{2., 3.}}), 0);
  EXPECT_EQ(mgrid({{3, 0}}).shape(), Shape{0});
  expect_error<ValueError>([] { mgrid({{0, 3, 0}}); }, "mgrid: the step must not be zero");
  expect_error<ValueError>([] { ogrid({{.stop = 1, .points = -1}}); },
                           "ogrid: the number of points must not be negative; -1");
}

}  // namespace
}  // namespace cupyxx::fft
