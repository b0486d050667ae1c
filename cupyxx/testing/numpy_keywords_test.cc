// SPDX-License-Identifier: MIT
// NumPy's keywords as named options, its texts for choices, and lists and numbers in front of both.
// The texts are what NumPy 1.24 prints.
#include <gtest/gtest.h>

#include <complex>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class NumpyKeywords : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NumpyKeywords);

std::string printed(const auto& value) {
  if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
    return value ? "True" : "False";
  } else {
    std::ostringstream out;
    out << value;
    return out.str();
  }
}

TEST_P(NumpyKeywords, ListsBesideOptions) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  EXPECT_EQ(printed(sum({0.5, 0.7, 1.5}, {.dtype = int32})), "1");
  EXPECT_EQ(printed(sum({{0, 1}, {0, 5}}, {.axis = 1, .keepdims = true})), "[[1]\n [5]]");
  EXPECT_EQ(printed(prod({1, 2, 3}, {.initial = 5})), "30");
  EXPECT_EQ(printed(amax({{-50, 3}, {10, 7}}, {.axis = -1})), "[ 3 10]");
  EXPECT_EQ(printed(all({{true, false}, {true, true}}, {.axis = 0})), "[ True False]");
  EXPECT_EQ(printed(cumsum({{1, 2}, {3, 4}}, {.axis = 0})), "[[1 2]\n [4 6]]");
  EXPECT_EQ(printed(nanprod({1.0, nan, 3.0})), "3.0");
  EXPECT_EQ(printed(nancumsum({1.0, nan, 3.0})), "[1. 1. 4.]");
  EXPECT_EQ(printed(sort({{3, 1}, {2, 5}}, {.axis = 0})), "[[2 1]\n [3 5]]");
  EXPECT_EQ(printed(append({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {.axis = 0})),
            "[[1 2]\n [3 4]\n [5 6]\n [7 8]]");
  EXPECT_EQ(printed(compress({false, true}, a, {.axis = 0})), "[[6 5 4]]");
  EXPECT_EQ(printed(median(a, {.axis = 1, .overwrite_input = true})), "[2. 5.]");
  EXPECT_EQ(printed(percentile(a, 40, {.axis = 0, .overwrite_input = true, .method = "lower"})),
            "[3 1 2]");
}

TEST_P(NumpyKeywords, NumbersOfSamples) {
  EXPECT_EQ(printed(linspace(0, 1, {.num = 5})), "[0.   0.25 0.5  0.75 1.  ]");
  EXPECT_EQ(printed(linspace(0, 1, {.num = 4, .endpoint = false})), "[0.   0.25 0.5  0.75]");
  EXPECT_EQ(printed(linspace(array({0, 10}), array({1, 30}), {.num = 3})),
            "[[ 0.  10. ]\n [ 0.5 20. ]\n [ 1.  30. ]]");
  EXPECT_EQ(printed(logspace(0, 2, {.num = 3, .base = 2})), "[1. 2. 4.]");
  EXPECT_EQ(printed(geomspace(1, 256, {.num = 3})), "[  1.  16. 256.]");
}

TEST_P(NumpyKeywords, OptionsByName) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  const ndarray f = array({1., 4., 9., 16.});
  const ndarray n = array({1.5, nan, -2.5});
  EXPECT_EQ(printed(around(array({0.374, 1.648}), {.decimals = 1})), "[0.4 1.6]");
  EXPECT_EQ(printed(round({12, 37, 55}, {.decimals = -1})), "[10 40 60]");
  EXPECT_EQ(printed(diag(a, {.k = 1})), "[1 4]");
  EXPECT_EQ(printed(diagflat({1, 2}, {.k = -1})), "[[0 0 0]\n [1 0 0]\n [0 2 0]]");
  EXPECT_EQ(printed(tril(a, {.k = -1})), "[[0 0 0]\n [6 0 0]]");
  EXPECT_EQ(printed(tri(2, 4, 1, {.dtype = int64})), "[[1 1 0 0]\n [1 1 1 0]]");
  EXPECT_EQ(printed(vander({2, 3}, {.increasing = true})), "[[1 2]\n [1 3]]");
  EXPECT_EQ(printed(digitize({0.5, 2.0, 7.5}, {0, 2, 5, 9}, {.right = true})), "[1 1 3]");
  EXPECT_EQ(printed(array_equal(n, n, {.equal_nan = true})), "True");
  EXPECT_EQ(printed(average(a, {.axis = 1, .weights = {1, 2, 1}})), "[1.75 5.  ]");
  EXPECT_EQ(printed(bincount({0, 1, 1}, {.weights = {0.5, 1, 2}})), "[0.5 3. ]");
  EXPECT_EQ(printed(trapz({1, 2, 3}, {.x = {4, 6, 8}})), "8.0");
  EXPECT_EQ(printed(gradient(f, {.edge_order = 2})[0]), "[2. 4. 6. 8.]");
  EXPECT_EQ(printed(gradient(f.reshape({2, 2}), {.axis = 0})[0]), "[[ 8. 12.]\n [ 8. 12.]]");
  EXPECT_EQ(printed(unwrap({0, 1, 2, -1, 0}, {.period = 4})), "[0 1 2 3 4]");
  EXPECT_EQ(printed(roll(a, {1, 2}, {.axis = {0, 1}})), "[[5 4 6]\n [1 2 3]]");
  EXPECT_EQ(printed(unravel_index({5, 3}, {2, 3}, {.order = "F"})[0]), "[1 1]");
  EXPECT_EQ(printed(ravel_multi_index(array({{1, 0}, {2, 1}}), {2, 3})), "[5 1]");
  EXPECT_EQ(printed(ravel_multi_index({1, 5}, {2, 3}, {.mode = "clip"})), "5");
  EXPECT_EQ(printed(choose({1, 0, 4}, a, {.mode = "clip"})), "[6 1 4]");
  EXPECT_EQ(printed(as_strided(f, {.shape = {3, 2}, .strides = {8, 8}})),
            "[[ 1.  4.]\n [ 4.  9.]\n [ 9. 16.]]");
  EXPECT_EQ(printed(tensordot(a, a, {.axes = {{0, 1}, {0, 1}}})), "91");
  EXPECT_EQ(printed(tensordot(a, a.T(), {.axes = 1})), "[[14 31]\n [31 77]]");
  EXPECT_EQ(printed(fft::fftfreq(4, {.d = 0.5})), "[ 0.   0.5 -1.  -0.5]");
  EXPECT_EQ(printed(binary_repr(-3, {.width = 5})), "11101");
  EXPECT_EQ(printed(base_repr(10, {.base = 3, .padding = 2})), "00101");
  EXPECT_EQ(printed(searchsorted({1, 2, 2, 3}, 2, {.side = "right"})), "3");
  EXPECT_EQ(printed(angle({1.0, -1.0}, {.deg = true})), "[  0. 180.]");
}

TEST_P(NumpyKeywords, ChoicesByText) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  const ndarray f = array({1., 4., 9., 16.});
  EXPECT_EQ(printed(ravel(a, {.order = "F"})), "[3 6 1 5 2 4]");
  EXPECT_EQ(printed(ravel(a, "F")), "[3 6 1 5 2 4]");
  EXPECT_EQ(printed(a.flatten("F")), "[3 6 1 5 2 4]");
  EXPECT_EQ(printed(reshape(a, {3, 2}, {.order = "F"})), "[[3 5]\n [6 2]\n [1 4]]");
  EXPECT_EQ(printed(a.reshape({3, 2}, "F")), "[[3 5]\n [6 2]\n [1 4]]");
  EXPECT_EQ(printed(isfortran(array({{1, 2}, {3, 4}}, {.order = "F"}))), "True");
  EXPECT_EQ(printed(zeros({2, 2}, {.order = "F"}).flags().f_contiguous), "True");
  EXPECT_EQ(printed(add(1, array({1.7}), {.casting = "unsafe", .dtype = int64})), "[2]");
  EXPECT_EQ(printed(can_cast("f8", "f4", "same_kind")), "True");
  EXPECT_EQ(printed(quantile(f, 0.4, {.method = "nearest"})), "4.0");
  EXPECT_EQ(printed(fft::fft({1, 2, 3, 4}, {.norm = "ortho"})(0)), "(5+0j)");
  EXPECT_EQ(printed(pad(array({1, 2}), 1, {.mode = "edge"})), "[1 1 2 2]");
  EXPECT_EQ(printed(packbits(array({1, 0, 1}), {.bitorder = "little"})), "[5]");
}

TEST_P(NumpyKeywords, HistogramsByName) {
  const ndarray f = array({1., 4., 9., 16.});
  EXPECT_EQ(printed(histogram({1, 2, 1, 4}, {.bins = {0, 2, 3, 5}}).hist), "[2 1 1]");
  EXPECT_EQ(printed(histogram(f, {.bins = 3, .density = true}).hist), "[0.1  0.05 0.05]");
  EXPECT_EQ(printed(histogram(f, {.bins = "sqrt"}).bin_edges), "[ 1.   8.5 16. ]");
  EXPECT_EQ(printed(histogram({1, 2, 1}, {.bins = array({0, 2, 3}), .weights = {1, 2, 4}}).hist),
            "[5 2]");
  EXPECT_EQ(printed(histogram_bin_edges(f, {.bins = 2, .range = {{0, 20}}})), "[ 0. 10. 20.]");
  EXPECT_EQ(printed(histogram_bin_edges(f, {.bins = 2, .range = {0, 20}})), "[ 0. 10. 20.]");
  EXPECT_EQ(printed(histogram_bin_edges(f, {.bins = 2, .range = std::pair{0, 4.0}})), "[0. 2. 4.]");
  EXPECT_EQ(printed(histogram(f, 2, {.range = {0, 20}}).bin_edges), "[ 0. 10. 20.]");
  EXPECT_EQ(printed(histogram(f, {.bins = 2, .range = none}).bin_edges),
            printed(histogram(f, 2).bin_edges));
  EXPECT_EQ(printed(histogram_bin_edges(f, {.bins = {1, 2, 30}})), "[ 1  2 30]");
}

TEST_P(NumpyKeywords, NumbersAndListsInFront) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  EXPECT_EQ(printed(round(2.567, 2)), "2.57");
  EXPECT_EQ(printed(fix({2.1, -2.9})), "[ 2. -2.]");
  EXPECT_EQ(printed(fix(-3.7)), "-3.0");
  EXPECT_EQ(printed(isposinf({1.0, inf})), "[False  True]");
  EXPECT_EQ(printed(isneginf(-inf)), "True");
  EXPECT_EQ(printed(nan_to_num({1.0, nan})), "[1. 0.]");
  EXPECT_EQ(printed(cupyxx::real(std::complex<double>(1, 2))), "1.0");
  EXPECT_EQ(printed(imag({std::complex<double>(1, 2), std::complex<double>(3, 4)})), "[2. 4.]");
  EXPECT_EQ(printed(isreal({1.0, 2.0})), "[ True  True]");
  EXPECT_EQ(printed(atleast_2d({1, 2})), "[[1 2]]");
  EXPECT_EQ(printed(atleast_1d(3.5)), "[3.5]");
  EXPECT_EQ(printed(atleast_3d(2).shape()), "(1, 1, 1)");
  EXPECT_EQ(printed(trace({{1, 2}, {3, 4}})), "5");
  EXPECT_EQ(printed(ravel({{1, 2}, {3, 4}})), "[1 2 3 4]");
  EXPECT_EQ(printed(expand_dims({1, 2}, 0)), "[[1 2]]");
  EXPECT_EQ(printed(tril({{1, 2}, {3, 4}})), "[[1 0]\n [3 4]]");
  EXPECT_EQ(printed(gradient({1, 2, 4, 7})[0]), "[1.  1.5 2.5 3. ]");
  EXPECT_EQ(printed(zeros_like({{1, 2}, {3, 4}})), "[[0 0]\n [0 0]]");
  EXPECT_EQ(printed(full_like({1, 2}, 7)), "[7 7]");
  EXPECT_EQ(printed(flipud({1, 2, 3})), "[3 2 1]");
  EXPECT_EQ(printed(swapaxes({{1, 2}, {3, 4}}, 0, 1)), "[[1 3]\n [2 4]]");
  EXPECT_EQ(printed(sort_complex({3, 1, 2})), "[1.+0.j 2.+0.j 3.+0.j]");
  EXPECT_EQ(printed(argpartition({3, 4, 1}, 1)), "[2 0 1]");
  EXPECT_EQ(printed(lexsort({{1, 5, 1}, {9, 4, 0}})), "[2 1 0]");
  EXPECT_EQ(printed(broadcast_shapes({6, 7}, {5, 6, 1}, {7})), "(5, 6, 7)");
  EXPECT_EQ(printed(hsplit(a, array({1}))[1]), "[[1 2]\n [5 4]]");
  EXPECT_EQ(printed(find_common_type({int32}, {float64})), "float64");
}

TEST_P(NumpyKeywords, DtypesAsFunctions) {
  const ndarray f = array({1., 4., 9., 16.});
  EXPECT_EQ(printed(float32(3.14159265358979)), "3.1415927");
  EXPECT_EQ(printed((float32(1) / 3).dtype()), "float32");  // as NumPy 2 promotes
  EXPECT_EQ(printed(uint8({1, 2, 255})), "[  1   2 255]");
  EXPECT_EQ(printed(int64(f)), "[ 1  4  9 16]");
  EXPECT_EQ(printed(left_shift(uint8(255), uint8(1))), "254");
  EXPECT_EQ(printed(bool_(2)), "True");
}

TEST_P(NumpyKeywords, MasksInLists) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  EXPECT_EQ(printed(a(slice(), {true, false, true})), "[[3 2]\n [6 4]]");
  EXPECT_EQ(printed(a({false, true}, slice(1, none))), "[[5 4]]");
  EXPECT_EQ(printed(a({false, true}, {true, false, false})), "[6]");
  EXPECT_EQ(printed(a({1, 0}, {true, false, true})), "[6 2]");
  EXPECT_EQ(printed(a(1, {true, false, true})), "[6 4]");
  EXPECT_EQ(printed(a(ix_({true, true}, {0, 2}))), "[[3 2]\n [6 4]]");
  EXPECT_EQ(printed(a(ix_({1, 0}, {true, false, true}))), "[[6 4]\n [3 2]]");
}

TEST_P(NumpyKeywords, BlocksKeepTheirAxes) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  const ndarray f = array({1., 4., 9., 16.});
  EXPECT_EQ(printed(block({{f, f}}).shape()), "(1, 8)");
  EXPECT_EQ(printed(block({{array(1)}})), "[[1]]");
  EXPECT_EQ(printed(block({f, f}).shape()), "(8,)");
  EXPECT_EQ(printed(block(std::vector<ndarray>{f, f}).shape()), "(8,)");
  EXPECT_EQ(printed(block({{a, a}, {a, a}}).shape()), "(4, 6)");
}

TEST_P(NumpyKeywords, TuplesOfArrays) {
  const ndarray x = array({1, 2, 3}), y = array({10, 20});
  auto [xx, yy] = meshgrid(x, y);
  EXPECT_EQ(printed(xx), "[[1 2 3]\n [1 2 3]]");
  EXPECT_EQ(printed(yy), "[[10 10 10]\n [20 20 20]]");
  auto [ii, jj] = meshgrid(x, y, {.sparse = true, .indexing = "ij"});
  EXPECT_EQ(printed(ii), "[[1]\n [2]\n [3]]");
  EXPECT_EQ(printed(jj), "[[10 20]]");
  const std::vector<ndarray> listed = meshgrid(x, y, "xy");
  EXPECT_EQ(listed.size(), 2u);
  auto [wide, narrow] = broadcast_arrays(y, array({{1}, {2}}));
  EXPECT_EQ(printed(wide), "[[10 20]\n [10 20]]");
  EXPECT_EQ(printed(narrow), "[[1 1]\n [2 2]]");
  auto [rows, columns] = unpack<2>(nonzero(array({{0, 3}, {4, 0}})));
  EXPECT_EQ(printed(rows), "[0 1]");
  EXPECT_EQ(printed(columns), "[1 0]");
  auto [above, right] = triu_indices(3, 1);
  EXPECT_EQ(printed(above), "[0 0 1]");
  EXPECT_EQ(printed(right), "[1 2 2]");
  const ndarray square = arange(9).reshape(3, 3);
  square(tril_indices_from(square, -1)) = 0;
  square(unpack<2>(nonzero(square > 7))) += 1;
  EXPECT_EQ(printed(square), "[[0 1 2]\n [0 4 5]\n [0 0 9]]");
  EXPECT_EQ(printed(square(above, right)), "[1 2 5]");
  auto [i, j] = unpack<2>(indices({2, 2}));
  EXPECT_EQ(printed(j), "[[0 1]\n [0 1]]");
  EXPECT_EQ(printed(i), "[[0 0]\n [1 1]]");
  expect_error<ValueError>(
      [&] {
        unpack<3>(nonzero(x.reshape({1, 3})));
      },
      "unpack: 3 arrays are wanted, there are 2");
}

TEST_P(NumpyKeywords, WritesThroughMasksInLists) {
  const ndarray a = zeros({2, 3}, int64);
  a(slice(), {true, false, true}) = 7;
  a({false, true}, 1) += 2;
  EXPECT_EQ(printed(a), "[[7 0 7]\n [7 2 7]]");
  add.at(a, {false, true}, 10);
  EXPECT_EQ(printed(a), "[[ 7  0  7]\n [17 12 17]]");
  put(a, 1, -5);
  put(a, {5, 9}, {1, 2}, {.mode = "clip"});
  EXPECT_EQ(printed(a), "[[ 7 -5  7]\n [17 12  2]]");
}

TEST_P(NumpyKeywords, AttributesAsFunctions) {
  EXPECT_EQ(printed(shape({{1, 2, 3}, {4, 5, 6}})), "(2, 3)");
  EXPECT_EQ(ndim(zeros({2, 3, 4})), 3);
  EXPECT_EQ(ndim(2.5), 0);
  EXPECT_EQ(size({1, 2, 3}), 3);
  EXPECT_EQ(size(zeros({2, 3}), 1), 3);
}

TEST_P(NumpyKeywords, RefuseWhatIsGivenTwiceOrHasNoName) {
  const ndarray a = array({{1, 2}, {3, 4}});
  expect_error<TypeError>([&] { linspace(0, 1, 5, {.num = 7}); },
                          "linspace: num is given twice: 5 and 7");
  expect_error<ValueError>([&] { ravel(a, "X"); }, "the order must be C, F, A or K; 'X'");
  expect_error<ValueError>([&] { ravel(a, {.order = "columns"}); },
                           "the order must be C, F, A or K; 'columns'");
  expect_error<ValueError>([&] { put(a, 0, 1, {.mode = "fall"}); },
                           "the mode must be raise, wrap or clip; 'fall'");
  expect_error<ValueError>(
      [&] { quantile(a, 0.5, {.method = "middle"}); },
      "the method must be inverted_cdf, averaged_inverted_cdf, "
      "closest_observation, interpolated_inverted_cdf, hazen, weibull, linear, "
      "median_unbiased, normal_unbiased, lower, higher, midpoint or nearest; "
      "'middle'");
  expect_error<ValueError>([&] { can_cast(int64, float32, "loose"); },
                           "the casting must be no, equiv, safe, same_kind or unsafe; 'loose'");
  expect_error<TypeError>([&] { split(a, array({0.5})); },
                          "split: positions must be integers; float64");
  expect_error<ValueError>([&] { split(a, a); }, "split: positions must have one axis; (2, 2)");
}

}  // namespace
}  // namespace cupyxx
