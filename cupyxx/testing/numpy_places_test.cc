// SPDX-License-Identifier: MIT
// Options in the places that NumPy gives them, and the truth of arrays. The texts are what NumPy
// 1.24 prints.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class NumpyPlaces : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NumpyPlaces);

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_P(NumpyPlaces, PositionsWithAMode) {
  const ndarray a = array({10., 20., 30.}), m = array({{1, 2}, {3, 4}});
  EXPECT_EQ(printed(a.take(7, none, "wrap")), "20.0");
  EXPECT_EQ(printed(take(a, 7, none, "clip")), "30.0");
  EXPECT_EQ(printed(m.take(5, 1, "clip")), "[2 4]");
  EXPECT_EQ(printed(m.take(-1, 0, "raise")), "[3 4]");
  EXPECT_EQ(printed(a.take(7, {.mode = "wrap"})), "20.0");
  EXPECT_EQ(printed(m.take(5, 1, {.mode = "wrap"})), "[2 4]");
  a.put(7, 5, "clip");
  EXPECT_EQ(printed(a), "[10. 20.  5.]");
}

/// Counts in a container of the standard library, of any integers.
TEST_P(NumpyPlaces, RepetitionsInContainers) {
  const ndarray a = arange(3), m = array({{1, 2}, {3, 4}});
  const std::vector<int> counts{1, 0, 2};
  EXPECT_EQ(printed(repeat(a, counts)), "[0 2 2]");
  EXPECT_EQ(printed(a.repeat(counts)), "[0 2 2]");
  EXPECT_EQ(printed(repeat({7, 8, 9}, counts)), "[7 9 9]");
  EXPECT_EQ(printed(repeat(a, std::vector<std::int64_t>{1, 0, 2})), "[0 2 2]");
  EXPECT_EQ(printed(repeat(m, std::array{2, 1}, 1)), "[[1 1 2]\n [3 3 4]]");
  EXPECT_EQ(printed(repeat(m, std::vector<std::uint8_t>{0, 1}, {.axis = 0})), "[[3 4]]");
  EXPECT_EQ(printed(m.repeat(std::vector{2, 1}, {.axis = 1})), "[[1 1 2]\n [3 3 4]]");
  expect_error<ValueError>(
      [&] {
        repeat(m, std::vector{1, 2, 3}, 0);
      },
      "repeat: 3 counts for an axis of 2");
}

TEST_P(NumpyPlaces, Tolerances) {
  const ndarray a = array({1., 2.}), b = array({1.01, 2.});
  EXPECT_EQ(printed(isclose(a, b)), "[False  True]");
  EXPECT_EQ(printed(isclose(a, b, 0.1)), "[ True  True]");
  EXPECT_EQ(printed(isclose(a, b, 0, 0.1)), "[ True  True]");
  EXPECT_TRUE(allclose(a, b, 1e-2, 1e-3));
  EXPECT_FALSE(allclose(a, b, 1e-3, 1e-3));
  EXPECT_TRUE(allclose(array({nan}), array({nan}), 1e-5, 1e-8, true));
}

TEST_P(NumpyPlaces, FunctionsOfSamples) {
  const ndarray y = array({1., 2., 4.});
  EXPECT_EQ(printed(trapz(y, array({0., 2., 3.}))), "6.0");
  EXPECT_EQ(printed(trapz(y, none, 0.5)), "2.25");
  EXPECT_EQ(printed(trapezoid(y, {0, 2, 3})), "6.0");
  EXPECT_EQ(printed(convolve(y, array({1., 1.}), "same")), "[1. 3. 6.]");
  EXPECT_EQ(printed(convolve(y, {1, 1}, "valid")), "[3. 6.]");
  EXPECT_EQ(printed(correlate(y, {0, 1, .5}, "full")), "[0.5 2.  4.  4.  0. ]");
  expect_error<ValueError>([&] { convolve(y, y, "middle"); },
                           "convolve: the mode must be full, same or valid; 'middle'");
  const ndarray xp = array({1., 2., 3.}), fp = array({3., 2., 0.});
  EXPECT_EQ(printed(interp(array({0., 1.5, 4.}), xp, fp, -99, 99)), "[-99.    2.5  99. ]");
  EXPECT_EQ(printed(interp(array({0., 4.}), xp, fp, none, 7)), "[3. 7.]");
  EXPECT_EQ(printed(interp(0, xp, fp, -1)), "-1.0");
  EXPECT_EQ(printed(nan_to_num(array({nan, inf}), true, 5, 6)), "[5. 6.]");
  EXPECT_EQ(printed(diff(array({1, 4, 9, 16}), 2)), "[2 2]");
  EXPECT_EQ(printed(gradient(array({1., 2., 4.}), array({0., 1., 3.}))[0]), "[1. 1. 1.]");
  const auto slopes = gradient(array({{1., 2.}, {3., 5.}}), 2, 1);
  EXPECT_EQ(printed(slopes[0]), "[[1.  1.5]\n [1.  1.5]]");
  EXPECT_EQ(printed(slopes[1]), "[[1. 1.]\n [2. 2.]]");
}

TEST_P(NumpyPlaces, PartsOfResults) {
  const ndarray a = array({{2., 0.}, {0., 3.}});
  EXPECT_EQ(printed(linalg::svd(a)[1]), "[3. 2.]");
  EXPECT_EQ(printed(linalg::qr(a, "r")[0].shape()), "(2, 2)");
  EXPECT_EQ(printed(linalg::eigh(a)[0]), "[2. 3.]");
  EXPECT_EQ(printed(linalg::eig(a)[0]), "[2. 3.]");
  EXPECT_EQ(printed(linalg::slogdet(a)[0]), "1.0");
  EXPECT_EQ(printed(linalg::lstsq(a, array({2., 3.}))[0]), "[1. 1.]");
  EXPECT_EQ(printed(linalg::lstsq(a, array({2., 3.}))[2]), "2");
  EXPECT_EQ(printed(polydiv(array({1., 2.}), array({1.}))[0]), "[1. 2.]");
  EXPECT_EQ(printed(histogram(arange(4.), 2)[0]), "[2 2]");
  EXPECT_EQ(printed(histogram2d(arange(4.), arange(4.), 2)[2]), "[0.  1.5 3. ]");
  EXPECT_EQ(printed(unique(array({3, 1, 3}), {.return_counts = true})[1]), "[1 2]");
  EXPECT_EQ(printed(unique(array({3, 1, 3}), {.return_index = true})[-1]), "[1 0]");
  EXPECT_EQ(printed(intersect1d({3, 1}, {5, 3}, {.return_indices = true})[2]), "[1]");
  expect_error<IndexError>(
      [&] {
        unique(array({3, 1}), {.return_index = true})[2];
      },
      "unique: there is no part 2 among 2");
  expect_error<IndexError>([&] { linalg::svd(a)[-4]; }, "svd: there is no part -4 among 3");
}

TEST_P(NumpyPlaces, LengthsOfTransforms) {
  const ndarray k = arange(4.).reshape({2, 2}), image = zeros({3, 4});
  EXPECT_TRUE(array_equal(fft::rfft2(k, image.shape()), fft::rfft2(k, {3, 4})));
  EXPECT_TRUE(array_equal(fft::irfft2(k, image.shape()), fft::irfft2(k, {.s = {3, 4}})));
  EXPECT_TRUE(array_equal(fft::fft2(k, {image.shape(0), 4}), fft::fft2(k, {3, 4})));
  EXPECT_TRUE(array_equal(fft::ifft2(k, {array(3), 4}), fft::ifft2(k, {3, 4})));
  EXPECT_TRUE(array_equal(fft::rfftn(k, std::vector{3, 4}), fft::rfftn(k, {3, 4})));
  EXPECT_EQ(printed(fft::fftn(k, Shape{2, 3}, {0, 1}, "ortho")(0).imag().round(4)),
            "[ 0.     -1.4142  1.4142]");
}

TEST_P(NumpyPlaces, ShortForms) {
  const ndarray v = arange(4.);
  EXPECT_EQ(printed(vander(v, 3, true)), "[[1. 0. 0.]\n [1. 1. 1.]\n [1. 2. 4.]\n [1. 3. 9.]]");
  expect_error<ValueError>([&] { vander(v, -2); },
                           "vander: the number of columns must not be negative; -2");
  EXPECT_EQ(printed(polyint(v, 1, 5)), "[0.         0.33333333 1.         3.         5.        ]");
  EXPECT_EQ(printed(geomspace(1, 16, 4, false)), "[1. 2. 4. 8.]");
  EXPECT_EQ(printed(arange(4).clip(1)), "[1 1 2 3]");
  ndarray o = zeros({4});
  EXPECT_EQ(printed(exp(v * 0, o, {.where = v > 1})), "[0. 0. 1. 1.]");
  EXPECT_EQ(printed(add(v, 1, o, {.where = v > 1})), "[0. 0. 3. 4.]");
  expect_error<TypeError>([&] { add(v, 1, o, {.out = o}); },
                          "add: out is given in its place and as an option");
  o = zeros({2, 3});
  add.at(o, {slice(), array({0, 0})}, 1);
  EXPECT_EQ(printed(o), "[[2. 0. 0.]\n [2. 0. 0.]]");
  negative.at(o, {ellipsis, array({0})});
  EXPECT_EQ(printed(o), "[[-2.  0.  0.]\n [-2.  0.  0.]]");
  const ndarray a = arange(6.).reshape({2, 3});
  EXPECT_TRUE(array_equal(einsum("ij,kj->ik", {a, a}, {.optimize = true}), matmul(a, a.T())));
}

TEST_P(NumpyPlaces, PlacesBeforeKeywords) {
  const ndarray y = array({1., 2., 4., 8.}), x = array({0., 1., 3., 4.});
  // One of an array and options was one of a number, which the array of four is not.
  EXPECT_EQ(printed(gradient(y, x, {.edge_order = 2})[0]), printed(array({1.0, 1.0, 3.0, 5.0})));
  const ndarray f = array({{1., 2., 4.}, {3., 5., 9.}, {6., 7., 8.}});
  const auto slopes = gradient(f, array({0., 1., 3.}), array({0., 2., 3.}), {.edge_order = 2});
  EXPECT_EQ(slopes.size(), 2u);
  EXPECT_TRUE(
      array_equal(slopes[0], gradient(f, array({0., 1., 3.}), {.axis = 0, .edge_order = 2})[0]));
  EXPECT_EQ(printed(diff(square(arange(6).reshape({2, 3})), 1, {.axis = 0})), "[[ 9 15 21]]");
  EXPECT_EQ(printed(diff(square(arange(6).reshape({3, 2})), 2, {.axis = 0})), "[[8 8]]");
  const ndarray i = array({3, 9}), j = array({4, -1});
  EXPECT_EQ(printed(ravel_multi_index({i, j}, {7, 6}, "wrap")), "[22 17]");
  EXPECT_EQ(printed(ravel_multi_index({i, j}, {7, 6}, IndexMode::clip)), "[22 36]");
  const ndarray a = arange(6), places = array({0, -1, 7}), values = array({10, 20, 30});
  put(a, places, values, "wrap");
  EXPECT_EQ(printed(a), "[10 30  2  3  4 20]");
  put(a, places, 7, "clip");
  EXPECT_EQ(printed(a), "[ 7 30  2  3  4  7]");
  expect_error<ValueError>([&] { put(a, places, values, "wrp"); }, "wrp");
  EXPECT_EQ(printed(lexsort(array({{3, 1, 2, 1}, {1, 1, 0, 0}}))), "[3 2 1 0]");
}

TEST_P(NumpyPlaces, GridsOfBins) {
  const ndarray x = array({0.1, 0.5, 0.9, 1.0}), y = array({0.2, 0.3, 0.9, 2.0});
  EXPECT_EQ(printed(histogram2d(x, y, {.bins = 2}).hist), "[[2. 0.]\n [1. 1.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {.bins = {2, 3}, .range = {{0, 1}, {0, 3}}}).hist),
            "[[1. 0. 0.]\n [2. 0. 1.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {.bins = 2, .range = none, .weights = {1, 2, 3, 4}}).hist),
            "[[3. 0.]\n [3. 4.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {.bins = 1, .range = {{0, 0.5}, {0, 2}}}).hist), "[[2.]]");
  const ndarray points = stack({x, y}, 1);
  EXPECT_EQ(printed(histogramdd(points, {.bins = 2}).hist), "[[2. 0.]\n [1. 1.]]");
  EXPECT_EQ(printed(histogramdd(points, {.bins = {1, 2}, .weights = {1, 2, 3, 4}}).hist),
            "[[6. 4.]]");
  expect_error<ValueError>([&] { histogram2d(x, y, {.bins = 0}); },
                           "the number of bins must be positive; 0");
}

TEST_P(NumpyPlaces, Ranges) {
  EXPECT_EQ(printed(linspace(0, 1, 5, false)), "[0.  0.2 0.4 0.6 0.8]");
  EXPECT_EQ(printed(linspace(0, 1, 5, true)), "[0.   0.25 0.5  0.75 1.  ]");
  EXPECT_EQ(printed(logspace(0, 3, 4, true, 2)), "[1. 2. 4. 8.]");
  const ndarray x = arange(3), y = arange(2);
  EXPECT_EQ(printed(meshgrid(x, y, "ij")[0]), "[[0 0]\n [1 1]\n [2 2]]");
  EXPECT_EQ(printed(meshgrid(x, y, "xy")[0]), "[[0 1 2]\n [0 1 2]]");
  EXPECT_EQ(meshgrid(x, y, {.sparse = true})[0].shape(), (Shape{1, 3}));
  EXPECT_EQ(meshgrid(x, y, x, "ij")[2].shape(), (Shape{3, 2, 3}));
  expect_error<ValueError>([&] { meshgrid(x, y, "ji"); },
                           "meshgrid: the indexing must be xy or ij; 'ji'");
}

TEST_P(NumpyPlaces, Transforms) {
  const ndarray a = array({1., 2., 3., 4.});
  EXPECT_EQ(printed(fft::fft(a, 2).real()), "[ 3. -1.]");
  EXPECT_EQ(printed(fft::fft(a.reshape({2, 2}), 2, 0).real()), "[[ 4.  6.]\n [-2. -2.]]");
  EXPECT_EQ(printed(fft::fft(a, none, 0, "ortho").real()), "[ 5. -1. -1. -1.]");
  EXPECT_EQ(printed(fft::fft(a, 4, -1, fft::Norm::forward).real()), "[ 2.5 -0.5 -0.5 -0.5]");
  EXPECT_EQ(printed(fft::irfft(fft::rfft(a), 4)), "[1. 2. 3. 4.]");
  EXPECT_EQ(printed(fft::ifft(fft::fft(a), 4).real()), "[1. 2. 3. 4.]");
  EXPECT_EQ(fft::fft2(ones({3, 3}), {4, 2}).shape(), (Shape{4, 2}));
  EXPECT_EQ(fft::fftn(ones({3, 3}), {4}, 0).shape(), (Shape{4, 3}));
  EXPECT_EQ(fft::fft2(ones({3, 3}), {.s = Shape{4, 2}}).shape(), (Shape{4, 2}));
  EXPECT_EQ(fft::fft2(ones({3, 3}), {}).shape(), (Shape{3, 3}));
  expect_error<ValueError>([&] { fft::fft(a, 4, 0, "orthogonal"); },
                           "fft: the norm must be backward, ortho or forward; 'orthogonal'");
}

TEST_P(NumpyPlaces, StatisticsAndSorting) {
  const ndarray a = array({1., 2., 1., 4.});
  const auto [hist, edges] = histogram(a, 2, {0, 4});
  EXPECT_EQ(printed(hist), "[2 2]");
  EXPECT_EQ(printed(edges), "[0. 2. 4.]");
  EXPECT_EQ(printed(histogram(a, 2, {0, 4}, true).hist), "[0.25 0.25]");
  EXPECT_EQ(printed(histogram(a, 2, {.density = true}).hist), "[0.5        0.16666667]");
  EXPECT_EQ(histogram(a, "auto").hist.size(), histogram_bin_edges(a, "auto").size() - 1);
  EXPECT_EQ(histogram2d(a, a, 5).hist.shape(), (Shape{5, 5}));
  EXPECT_EQ(histogram2d(a, a, {.bins = {3, 4}}).hist.shape(), (Shape{3, 4}));
  const ndarray x = array({0., 1., 2.}), y = array({2., 1., 0.});
  EXPECT_EQ(printed(cov(x, y)), "[[ 1. -1.]\n [-1.  1.]]");
  EXPECT_EQ(printed(corrcoef(x, {0, 1, 2})), "[[1. 1.]\n [1. 1.]]");
  EXPECT_EQ(printed(sort(a, -1, "stable")), "[1. 1. 2. 4.]");
  EXPECT_EQ(printed(argsort(a, 0, "mergesort")), "[0 2 1 3]");
  EXPECT_EQ(printed(argsort(a, none, "quicksort")), "[0 2 1 3]");
  expect_error<ValueError>([&] { sort(a, 0, "bubble"); },
                           "sort: the kind must be quicksort, mergesort, heapsort or stable; "
                           "'bubble'");
  EXPECT_EQ(printed(searchsorted(array({1, 2, 2, 3}), 2, "right")), "3");
  EXPECT_EQ(printed(searchsorted(array({1, 2, 2, 3}), array({2, 3}), "left")), "[1 3]");
  expect_error<ValueError>([&] { searchsorted(a, 2, "middle"); },
                           "searchsorted: the side must be left or right; 'middle'");
  const auto [values, index, inverse, counts] = unique(a, true, false, true);
  EXPECT_EQ(printed(values), "[1. 2. 4.]");
  EXPECT_EQ(printed(index), "[0 1 3]");
  EXPECT_TRUE(inverse.is_none());
  EXPECT_EQ(printed(counts), "[2 1 1]");
  const auto [seen, first] = unique(a, true);
  EXPECT_EQ(printed(seen), "[1. 2. 4.]");
  EXPECT_EQ(printed(first), "[0 1 3]");
  const auto [known, at, back] = unique({3, 1, 3}, true, true);
  EXPECT_EQ(printed(known), "[1 3]");
  EXPECT_EQ(printed(at), "[1 0]");
  EXPECT_EQ(printed(back), "[1 0 1]");
  EXPECT_EQ(printed(unique(a, false, true)[1]), "[0 1 0 2]");
  EXPECT_EQ(printed(unique(a, false, false, true).counts), "[2 1 1]");
  EXPECT_EQ(printed(bincount(array({0, 1, 1}), array({.5, 1., 2.}), 4)), "[0.5 3.  0.  0. ]");
}

TEST_P(NumpyPlaces, DtypesOfReductions) {
  const ndarray a = array({{1, 2}, {3, 4}});
  EXPECT_EQ(sum(a, 0, float32).dtype(), float32);
  EXPECT_EQ(printed(sum(a, 0, "float64")), "[4. 6.]");
  EXPECT_EQ(prod(a, none, float32).dtype(), float32);
  EXPECT_EQ(mean(a, 1, float32).dtype(), float32);
  EXPECT_EQ(std(a, 1, float32).dtype(), float32);
  EXPECT_EQ(var(a, 1, "float32").dtype(), float32);
  EXPECT_EQ(printed(cumsum(a, 0, float64)), "[[1. 2.]\n [4. 6.]]");
  EXPECT_EQ(cumprod(a, none, float32).shape(), Shape{4});
}

TEST_P(NumpyPlaces, AxesAndModes) {
  const ndarray a = arange(4).reshape({2, 2});
  EXPECT_EQ(printed(rot90(a, 1, {1, 0})), printed(rot90(a, -1)));
  EXPECT_EQ(rot90(ones({2, 3, 4}), 1, {1, 2}).shape(), (Shape{2, 4, 3}));
  expect_error<ValueError>([&] { rot90(a, 1, Shape{0}); }, "rot90: turns two axes; (0,)");
  EXPECT_EQ(printed(concatenate({a, arange(2)}, none)), "[0 1 2 3 0 1]");
  EXPECT_EQ(printed(concatenate(std::vector{a, a}, none)), "[0 1 2 3 0 1 2 3]");
  EXPECT_EQ(printed(tensordot(a, a, {{1, 0}, {0, 1}})), printed(tensordot(a, a, {1, 0}, {0, 1})));
  const auto b = arange(3);
  put(b, {7}, 5, "clip");
  put(b, {3}, 6, "wrap");
  EXPECT_EQ(printed(b), "[6 1 5]");
  expect_error<ValueError>([&] { put(b, {0}, 1, "ignore"); },
                           "put: the mode must be raise, wrap or clip; 'ignore'");
  const ndarray m = array({{2., 0.}, {0., 3.}, {0., 0.}});
  EXPECT_EQ(linalg::qr(m, "complete").q.shape(), (Shape{3, 3}));
  EXPECT_TRUE(linalg::qr(m, "r").q.is_none());
  expect_error<ValueError>([&] { linalg::qr(m, "raw"); },
                           "linalg.qr: the mode must be reduced, complete or r; 'raw'");
  const ndarray s = array({{2., 9.}, {1., 2.}});
  EXPECT_EQ(printed(linalg::eigh(s, "L").eigenvalues), "[1. 3.]");
  EXPECT_EQ(printed(linalg::eigvalsh(s, "U")), "[-7. 11.]");
  expect_error<ValueError>([&] { linalg::eigvalsh(s, "lower"); },
                           "linalg.eigvalsh: the triangle must be 'L' or 'U'; 'lower'");
  EXPECT_TRUE(allclose(linalg::lstsq({{0, 1}, {1, 1}, {2, 1}}, {1, 3, 5}, none).x, {2, 1}));
}

TEST_P(NumpyPlaces, TruthOfArrays) {
  const ndarray a = array({1, 2, 3});
  if (any(a > 5)) FAIL();
  if (!any(a > 2)) FAIL();
  if (!(a > 0).all()) FAIL();
  if (!all(a == a) || !bool(all(a == a))) FAIL();
  EXPECT_TRUE(any(a > 2) ? true : false);
  while (!all(a >= 3)) a += 1;
  EXPECT_EQ(printed(a), "[3 4 5]");
  if (a(0) > 3) FAIL();
  if (a(a > 4)) {
    SUCCEED();
  } else {
    FAIL();
  }
  expect_error<ValueError>([&] { static_cast<void>(a ? 1 : 0); },
                           "bool: the truth value of an array with 3 elements is ambiguous; use "
                           "any() or all()");
  expect_error<ValueError>(
      [&] {
        if (a == a) FAIL();
      },
      "bool: the truth value of an array with 3 elements is ambiguous");
}

TEST_P(NumpyPlaces, ModesOfTakeAndPut) {
  const ndarray a = arange(12).reshape({3, 4});
  const ndarray i = array({0, 5});
  EXPECT_EQ(printed(a.take(i, 1, "wrap")), "[[0 1]\n [4 5]\n [8 9]]");
  EXPECT_EQ(printed(take(a, i, 1, "clip")), "[[ 0  3]\n [ 4  7]\n [ 8 11]]");
  EXPECT_EQ(printed(take(a, {0, -5}, 1, "wrap")), "[[ 0  3]\n [ 4  7]\n [ 8 11]]");
  expect_error<IndexError>([&] { a.take(i, 1, "raise").get(); }, "take");
  expect_error<ValueError>([&] { take(a, i, 1, "wrapp"); }, "wrapp");
  const ndarray b = arange(4);
  b.put(array({0, 6}), array({7, 8}), "wrap");
  EXPECT_EQ(printed(b), "[7 1 8 3]");
  b.put({1, 9}, {5, 6}, "clip");
  EXPECT_EQ(printed(b), "[7 5 8 6]");
  b.put(0, -1);
  EXPECT_EQ(printed(b), "[-1  5  8  6]");
}

TEST_P(NumpyPlaces, ProductsWithANumber) {
  const ndarray a = array({{1, 2}, {3, 4}});
  EXPECT_EQ(printed(a.dot(2)), "[[2 4]\n [6 8]]");
  EXPECT_EQ(printed(dot(a, 0.5)), "[[0.5 1. ]\n [1.5 2. ]]");
  EXPECT_EQ(printed(dot(3, a)), "[[ 3  6]\n [ 9 12]]");
  EXPECT_EQ(dot(a, 2).device(), a.device());
}

TEST_P(NumpyPlaces, JumpsAndMixedNumbers) {
  const ndarray p = array({0.0, 3.5, 7.5, 4.0});
  // Only jumps of more than 3.6 are taken back.
  EXPECT_TRUE(allclose(unwrap(p, 3.6), {0.0, 3.5, 7.5 - 2 * pi, 4.0 - 2 * pi}));
  EXPECT_TRUE(array_equal(unwrap(p, 9.0), p));
  EXPECT_EQ(printed(float16({-1.5, 2})), "[-1.5  2. ]");
  EXPECT_EQ(float16({-1.5, 2}).dtype(), float16);
}

TEST_P(NumpyPlaces, HistogramsNameThemselves) {
  const ndarray x = array({1., 2.}), y = array({3., 4.});
  expect_error<ValueError>([&] { histogram2d(x, y, {.bins = 0}); },
                           "histogram2d: the number of bins must be positive; 0");
  expect_error<ValueError>([&] { histogramdd(x, {.bins = 0}); },
                           "histogramdd: the number of bins must be positive; 0");
  expect_error<ValueError>(
      [&] {
        histogram2d(x, y, {.range = {{1, 0}, {0, 1}}});
      },
      "histogram2d: the range ends before it begins; (1.0, 0.0)");
}

TEST_P(NumpyPlaces, AxesOfTransformsWithoutLengths) {
  const ndarray a = arange(12).reshape({3, 4});
  EXPECT_TRUE(array_equal(fft::fftn(a, none, {0, 1}), fft::fftn(a)));
  EXPECT_TRUE(array_equal(fft::ifft2(a, none, {1, 0}), fft::ifft2(a, {.axes = {1, 0}})));
  EXPECT_TRUE(array_equal(fft::rfftn(a, none, 0, "ortho"),
                          fft::rfftn(a, {.axes = 0, .norm = fft::Norm::ortho})));
  EXPECT_TRUE(array_equal(fft::irfft2(a, none), fft::irfft2(a)));
}

TEST_P(NumpyPlaces, NanSpreadsOfChosenElements) {
  const ndarray a = array({{1, nan, 3}, {5, 7, nan}, {2, 4, 10}});
  const ndarray chosen = array({{true, true, true}, {true, false, true}, {false, true, true}});
  // NumPy 1.24: np.nanvar(a, 0, where=chosen), np.nanstd(a, where=chosen, ddof=1).
  EXPECT_TRUE(array_equal(nanvar(a, 0, {.where = chosen}), {4., 0., 12.25}));
  EXPECT_NEAR(nanstd(a, none, {.ddof = 1, .where = chosen}).item<double>(), 3.361547262794322,
              1e-14);
  EXPECT_EQ(printed(nanvar(a, 1, {.keepdims = true, .where = chosen})), "[[1.]\n [0.]\n [9.]]");
  const ndarray none_chosen = nanvar(a, 0, {.where = zeros({3}, bool_)});
  EXPECT_TRUE(all(isnan(none_chosen)).item<bool>());
}

TEST_P(NumpyPlaces, SortersAndCounts) {
  const ndarray v = array({3.0, 1.0, 2.0}), order = argsort(v), sorted = sort(v);
  testing::expect_elements<int>(searchsorted(v, array({1.0, 2.5}), "left", order), {2}, {0, 2});
  testing::expect_elements<int>(searchsorted(v, {1.0, 2.5}, "right", order), {2}, {1, 2});
  testing::expect_elements<int>(sorted.searchsorted(2, "right"), {}, {2});
  testing::expect_elements<int>(v.searchsorted(2, "left", order), {}, {1});
  expect_error<ValueError>([&] { sorted.searchsorted(2, "middle"); }, "searchsorted");
  const ndarray w = array({0.0, 1.0, 0.0});
  testing::expect_elements<int>(count_nonzero({v, w}, 0), {3}, {1, 2, 1});
  testing::expect_elements<int>(count_nonzero({{1, 0}, {2, 3}}, 1, true), {2, 1}, {1, 2});
}

TEST_P(NumpyPlaces, BinsOfTwoAxes) {
  const ndarray x = array({0.0, 0.5, 1.5, 1.9}), y = array({0.0, 1.0, 1.0, 2.0});
  const Histogram2dResult counts = histogram2d(x, y, {2, 4});
  EXPECT_EQ(counts.hist.shape(), (Shape{2, 4}));
  EXPECT_EQ(printed(counts.hist), "[[1. 0. 1. 0.]\n [0. 0. 1. 1.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {0, 1.0, 2}).hist), "[[1. 1.]\n [0. 2.]]");
  EXPECT_EQ(printed(histogram2d(x, y, array({0, 1, 2})).hist), "[[1. 1.]\n [0. 2.]]");
  EXPECT_EQ(printed(histogram2d(x, y, std::vector{0, 1, 2}).hist), "[[1. 1.]\n [0. 2.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {array({0, 2}), array({0, 1, 2})}).hist), "[[1. 3.]]");
  EXPECT_EQ(printed(histogram2d(x, y, {{0, 1, 2}, {0, 1, 3}}).hist), "[[1. 1.]\n [0. 2.]]");
  expect_error<TypeError>(
      [&] {
        histogram2d(x, y, {0.5, 1.5});
      },
      "histogram2d: two bins are numbers of bins, integers; [0.5 1.5]");
  expect_error<ValueError>([&] { histogram2d(x, y, array({3})); },
                           "histogram2d: bins are a number");
}

TEST_P(NumpyPlaces, NoneBeforeOtherPlaces) {
  const ndarray m = array({{1.0, 2.0}, {2.0, 1.0}, {3.0, 6.0}});
  EXPECT_TRUE(array_equal(cov(m, none, false), cov(m.T())));
  EXPECT_TRUE(array_equal(cov(m, none, true, true), cov(m, {.bias = true})));
  EXPECT_TRUE(
      array_equal(cov(m, m, false, false, 0), cov(m, {.y = m, .rowvar = false, .ddof = 0})));
  EXPECT_TRUE(array_equal(corrcoef(m, none, false), corrcoef(m.T())));
  EXPECT_TRUE(array_equal(corrcoef(m, m, false), corrcoef(m, {.y = m, .rowvar = false})));
  const ndarray i = array({0, 7});
  EXPECT_EQ(printed(take(m, i, none, "wrap")), "[1. 2.]");
  EXPECT_EQ(printed(take(m, {0, 7}, none, "clip")), "[1. 6.]");
  EXPECT_EQ(printed(take(m, 7, none, "wrap")), "2.0");
  EXPECT_EQ(printed(take(m, 7, 0, "clip")), "[3. 6.]");
  EXPECT_EQ(printed(take(m, i, none, {.mode = "clip"})), "[1. 6.]");
}

TEST_P(NumpyPlaces, WhatIsPutTogether) {
  const ndarray v = array({1, 2}), w = array({3, 4}), a = array({{5, 6}});
  EXPECT_EQ(printed(append(0, v)), "[0 1 2]");
  EXPECT_EQ(printed(append(1.5, {2, 3})), "[1.5 2.  3. ]");
  EXPECT_EQ(printed(append(a, {v, w}, 0)), "[[5 6]\n [1 2]\n [3 4]]");
  EXPECT_EQ(printed(append(a, {v, w})), "[5 6 1 2 3 4]");
  EXPECT_EQ(printed(append(v, {w})), "[1 2 3 4]");
  EXPECT_EQ(append(v, {}).dtype(), float64);
  expect_error<TypeError>([&] { append(0, ndarray()); }, "append: the values are None");
  EXPECT_EQ(printed(transpose(nonzero(array({{0, 1}, {2, 0}})))), "[[0 1]\n [1 0]]");
}

TEST_P(NumpyPlaces, TypesAndSizesByName) {
  EXPECT_EQ(zeros<float>({2, 3}).dtype(), float32);
  EXPECT_EQ(ones<bool>(3).dtype(), bool_);
  EXPECT_EQ(printed(full<std::complex<double>>({1}, 2)), "[2.+0.j]");
  EXPECT_EQ(printed(arange<float>(0, 1, 0.5)), "[0.  0.5]");
  EXPECT_TRUE((empty<int>({2, 3}, "F").flags().f_contiguous));
  EXPECT_EQ(random::normal({.size = {2, 3}}).shape(), (Shape{2, 3}));
  random::RandomState one(3), two(3);
  EXPECT_TRUE(array_equal(one.normal({.loc = 5, .scale = 2, .size = 4}), two.normal(5, 2, 4)));
  EXPECT_TRUE(array_equal(one.uniform({.low = -1, .size = 4}), two.uniform(-1, 1, 4)));
  EXPECT_EQ(random::uniform({.size = 2, .dtype = float32}).dtype(), float32);
}

TEST_P(NumpyPlaces, FormsOfTheSecondHunt) {
  const ndarray a = array({{1., 2.}, {3., 5.}});
  EXPECT_TRUE(array_equal(special::softmax(a, {.axis = 1}), special::softmax(a, 1)));
  EXPECT_TRUE(array_equal(special::log_softmax(a, {.axis = 0}), special::log_softmax(a, 0)));
  EXPECT_TRUE(array_equal(special::logsumexp(a, {.axis = 0, .keepdims = true}),
                          special::logsumexp(a, 0, {.keepdims = true})));
  EXPECT_EQ(special::logsumexp(a, {.axis = 0, .keepdims = true}).shape(), (Shape{1, 2}));
  expect_error<TypeError>([&] { special::logsumexp(a, 0, {.axis = 1}); }, "logsumexp");
  EXPECT_EQ(printed(count_nonzero(a, 1, {.keepdims = true})), "[[2]\n [2]]");
  EXPECT_EQ(printed(count_nonzero(a, {0, 1}, true)), "[[4]]");
  expect_error<TypeError>([&] { count_nonzero(a, 0, {.axis = 1}); }, "count_nonzero");
  std::string indices;
  for (const Shape& index : ndindex(2, 2)) indices += index.str();
  EXPECT_EQ(indices, "(0, 0)(0, 1)(1, 0)(1, 1)");
  EXPECT_TRUE(array_equal(unwrap(a * 4, none, 0), unwrap(a * 4, {.axis = 0})));
  EXPECT_EQ(printed(ediff1d(array({1, 2, 4}), 9)), "[1 2 9]");
  const ndarray x = array({0., 1., 2., 4.}), y = array({1., 0., 3., 2.});
  const ndarray w = array({1., 2., 1., 1.});
  EXPECT_TRUE(array_equal(polyfit_cov(x, y, 1, {.w = w}).covariance,
                          polyfit_cov(x, y, 1, true, {.w = w}).covariance));
}

// What no routine takes in that place is refused in the compiler's first lines.
template <class A, class Text>
concept Slips = requires(A a) {
  a.take(1.5);
}
|| requires(A a) { a.reshape(2.0, 3); }
|| requires(A a, Text text) { concatenate({a, a}, text); }
|| requires(A a, Text text) { a == text; }
|| requires(A a) { var(a, 0, 1); }
|| requires(A a, Text text) { argmax(a, text); }
|| requires(Text text) { arange(text); }
|| requires(A a) { pad(a, 1.5); };
static_assert(!Slips<ndarray, const char*>);

}  // namespace
}  // namespace cupyxx
