// SPDX-License-Identifier: MIT
#include "cupyxx/internal/printing/array_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cupyxx/internal/io/npy.h"
#include "cupyxx/internal/io/zip_reader.h"

namespace cupyxx::internal::printing {
namespace {

using Extents = std::vector<std::int64_t>;

template <class T>
std::string repr(const Extents& shape, const std::vector<T>& elements,
                 const TextOptions& options = {}) {
  return repr_text({dtype_of<T>(), shape, elements.data()}, options);
}

template <class T>
std::string str(const Extents& shape, const std::vector<T>& elements,
                const TextOptions& options = {}) {
  return str_text({dtype_of<T>(), shape, elements.data()}, options);
}

/// The elements of edge_shape(shape) out of all elements in C order.
std::vector<char> edges_of(const Extents& shape, const std::vector<char>& all,
                           std::size_t itemsize) {
  const Extents edges = edge_shape(shape, {});
  std::vector<char> result;
  Extents index(shape.size(), 0);
  const std::int64_t count =
      std::accumulate(edges.begin(), edges.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t left = i;
    std::int64_t offset = 0;
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      std::int64_t at = left % edges[axis];
      left /= edges[axis];
      if (edges[axis] != shape[axis] && at >= TextOptions().edge_items)
        at += shape[axis] - edges[axis];
      offset += at * stride;
      stride *= shape[axis];
    }
    const char* element = all.data() + offset * static_cast<std::int64_t>(itemsize);
    result.insert(result.end(), element, element + itemsize);
  }
  return result;
}

/// NumPy's references hold arrays of C's long long too: int64, of which NumPy says so.
std::string without_int64(std::string text) {
  const std::size_t at = text.rfind(", dtype=int64)");
  const std::size_t at_line = text.rfind(",\n      dtype=int64)");
  if (at != text.npos) return text.substr(0, at) + ")";
  if (at_line != text.npos) return text.substr(0, at_line) + ")";
  return text;
}

TEST(ArrayFormat, PrintsEveryReferenceCaseAsNumPy) {
  std::ifstream file("cupyxx/testing/testdata/repr.json");
  const auto cases = nlohmann::json::parse(file);
  const io::ZipReader archive("cupyxx/testing/testdata/repr.npz");
  ASSERT_GE(cases.size(), 80u);
  for (const auto& c : cases) {
    const std::string name = c["a"].get<std::string>() + ".npy";
    const auto entry = std::find_if(archive.entries().begin(), archive.entries().end(),
                                    [&](const io::ZipEntry& e) { return e.name == name; });
    ASSERT_NE(entry, archive.entries().end()) << name;
    const auto source = archive.open(*entry);
    const io::NpyHeader header = io::read_npy_header(*source);
    std::vector<char> all(header.nbytes);
    io::read_npy_elements(*source, header, all.data());
    const auto itemsize = static_cast<std::size_t>(header.dtype.itemsize());
    const std::vector<char> edges = edges_of(header.shape, all, itemsize);

    TextOptions options;
    const auto& kw = c["kw"];
    options.line_width = kw.value("max_line_width", options.line_width);
    options.precision = kw.value("precision", options.precision);
    options.suppress_small = kw.value("suppress_small", false);
    const Edges array{header.dtype, header.shape, edges.data()};
    std::string expected = c["repr"];
    if (header.dtype == int64 && !edges.empty()) expected = without_int64(expected);
    EXPECT_EQ(repr_text(array, options), expected) << name;
    EXPECT_EQ(str_text(array, options), c["str"].get<std::string>()) << name;
  }
}

TEST(ArrayFormat, PadsNonFiniteNumbersToTheWidthOfTheOthers) {
  const double inf = INFINITY;
  const double nan = NAN;
  EXPECT_EQ(repr<double>({3}, {nan, inf, -inf}), "array([ nan,  inf, -inf])");
  EXPECT_EQ(repr<double>({1}, {nan}), "array([nan])");
  EXPECT_EQ(repr<double>({2}, {nan, 1.0}), "array([nan,  1.])");
  EXPECT_EQ(repr<double>({2}, {nan, -123.25}), "array([    nan, -123.25])");
  EXPECT_EQ(repr<double>({2}, {-inf, 1e-10}), "array([  -inf, 1.e-10])");
}

TEST(ArrayFormat, SwitchesToExponentsByNumPysRule) {
  EXPECT_EQ(repr<double>({2}, {1000.0, 1.0}), "array([1000.,    1.])");
  EXPECT_EQ(repr<double>({2}, {1001.0, 1.0}), "array([1.001e+03, 1.000e+00])");
  EXPECT_EQ(repr<double>({1}, {99999999.0}), "array([99999999.])");
  EXPECT_EQ(repr<double>({1}, {1e8}), "array([1.e+08])");
  EXPECT_EQ(repr<double>({1}, {1e-4}), "array([0.0001])");
  EXPECT_EQ(repr<float>({1}, {1e-4F}), "array([1.e-04], dtype=float32)");
  EXPECT_EQ(repr<double>({1}, {9.9e-5}), "array([9.9e-05])");
  EXPECT_EQ(repr<double>({2}, {1e-100, 1.0}), "array([1.e-100, 1.e+000])");
  EXPECT_EQ(str<double>({4}, {-4.9304e-32, -4.4409e-16, 0, 0}, {.suppress_small = true}),
            "[-0. -0.  0.  0.]");
}

TEST(ArrayFormat, UsesTheFewestDigitsOfEachType) {
  EXPECT_EQ(repr<float>({2}, {0.1f, 16777216.f}),
            "array([1.0000000e-01, 1.6777216e+07], dtype=float32)");
  EXPECT_EQ(repr<float>({1}, {0.1f}), "array([0.1], dtype=float32)");
  EXPECT_EQ(repr<double>({1}, {0.1f}), "array([0.1])");
  EXPECT_EQ(repr<double>({1}, {0.1f}, {.precision = 17}), "array([0.10000000149011612])");
  EXPECT_EQ(repr<half>({2}, {half(0.1f), half(65504.f)}),
            "array([1.00e-01, 6.55e+04], dtype=float16)");
  EXPECT_EQ(str<half>({}, {half(0.1f)}), "0.1");
  EXPECT_EQ(str<half>({}, {half(5.9604645e-08f)}), "6e-08");
  EXPECT_EQ(str<half>({}, {half(65504.f)}), "65500.0");
  EXPECT_EQ(str<half>({}, {half(0.333f)}), "0.333");
  EXPECT_EQ(str<bfloat16>({}, {bfloat16(0.1f)}), "0.1");
}

TEST(ArrayFormat, PrintsAScalarWithAllItsDigits) {
  EXPECT_EQ(str<double>({}, {1.0 / 3}), "0.3333333333333333");
  EXPECT_EQ(repr<double>({}, {1.0 / 3}), "array(0.33333333)");
  EXPECT_EQ(str<double>({}, {1e16}), "1e+16");
  EXPECT_EQ(str<double>({}, {1.5e300}), "1.5e+300");
  EXPECT_EQ(str<double>({}, {123456789012345.0}), "123456789012345.0");
  EXPECT_EQ(str<double>({}, {5e-324}), "5e-324");
  EXPECT_EQ(str<double>({}, {-0.0}), "-0.0");
  EXPECT_EQ(str<double>({}, {NAN}), "nan");
  EXPECT_EQ(str<std::uint64_t>({}, {UINT64_MAX}), "18446744073709551615");
}

TEST(ArrayFormat, RoundsAtThePrecision) {
  EXPECT_EQ(repr<double>({2}, {0.5, 1.5}, {.precision = 0}), "array([0., 2.])");
  EXPECT_EQ(repr<double>({2}, {0.99999999999, 2.0}), "array([1., 2.])");
  EXPECT_EQ(repr<double>({1}, {9.9999999999e-5}), "array([1.e-04])");
}

TEST(ArrayFormat, BreaksLinesBeforeTheWidth) {
  std::vector<std::int64_t> count(30);
  std::iota(count.begin(), count.end(), 0);
  EXPECT_EQ(repr<std::int64_t>({30}, count),
            "array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16,\n"
            "       17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])");
  // A width below one word still puts one word in a line.
  EXPECT_EQ(str<std::int64_t>({2}, {10, 20}, {.line_width = 1}), "[10\n 20]");
}

TEST(ArrayFormat, NamesTheShapeOfEmptyArrays) {
  EXPECT_EQ(repr<double>({0}, {}), "array([], dtype=float64)");
  EXPECT_EQ(repr<std::int64_t>({2, 0}, {}), "array([], shape=(2, 0), dtype=int64)");
  EXPECT_EQ(str<double>({2, 0}, {}), "[]");
}

TEST(ArrayFormat, NeedsOnlyTheEdgesOfALargeArray) {
  const Extents shape = {std::int64_t{1} << 40, 4};
  EXPECT_EQ(edge_shape(shape, {}), (Extents{6, 4}));
  EXPECT_EQ(edge_shape(Extents{1000}, {}), (Extents{1000}));
  EXPECT_EQ(edge_shape(Extents{INT64_MAX, INT64_MAX}, {}), (Extents{6, 6}));
  EXPECT_EQ(edge_shape(Extents{2000, 0}, {}), (Extents{2000, 0}));
  EXPECT_EQ(str<std::uint8_t>({2, 1000}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
            "[[ 1  2  3 ...  4  5  6]\n [ 7  8  9 ... 10 11 12]]");
}

}  // namespace
}  // namespace cupyxx::internal::printing
