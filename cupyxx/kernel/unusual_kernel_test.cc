// SPDX-License-Identifier: MIT
// Users' kernels at the edges of what the documents promise.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/kernel.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/special.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class UnusualKernel : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(UnusualKernel);

TEST_P(UnusualKernel, RawArgumentWithElementNumberAndCount) {
  // A ring: each element and its right neighbour.
  const ElementwiseKernel ring("raw T x", "T y", "y = x[i] + 10 * x[(i + 1) % n]", "ring");
  const auto x = array({1, 2, 3, 4});
  EXPECT_EQ(ring({x}, {.size = 4}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{21, 32, 43, 14}));
  // The raw argument may be longer than the loop, and of any strides.
  EXPECT_EQ(ring({arange(12).reshape({3, 4}).T()}, {.size = 3}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{40, 84, 8}));
}

TEST_P(UnusualKernel, AxesAreKeptWithoutReduceDims) {
  const ElementwiseKernel shapes("T x, raw T y", "T z", "z = x + y.shape()[0] * 100 + y.ndim()",
                                 "shapes", {.reduce_dims = false});
  EXPECT_EQ(shapes(ones({2, 2}, int64), ones({7, 3, 2}, int64)).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{704, 704, 704, 704}));
  const auto turned = arange(6).reshape({2, 3}).T();
  const ElementwiseKernel number("T x", "int64 z", "z = 10 * i + x", "number",
                                 {.reduce_dims = false});
  EXPECT_EQ(number(turned).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{0, 13, 21, 34, 42, 55}));
}

TEST_P(UnusualKernel, PreambleWithTemplatesAndAStruct) {
  const ElementwiseKernel horner(
      "T x", "T y", "const Polynomial<T> p{3, -2, 1};\n  y = evaluate(p, x)", "horner",
      {.preamble =
           "template <class T> struct Polynomial { T c[3]; };\n"
           "template <class T> T evaluate(const Polynomial<T>& p, T x) {\n"
           "  T y = 0;\n  for (int k = 2; k >= 0; --k) y = y * x + p.c[k];\n  return y;\n}"});
  EXPECT_EQ(horner(array({0, 1, 2, 3})).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{3, 2, 3, 6}));
  EXPECT_EQ(horner(array({0.5})).to_vector<double>(), (std::vector<double>{2.25}));
}

TEST_P(UnusualKernel, LoopPrepAndAfterLoopShareAVariable) {
  // A thread adds up what it was given; all of it ends in one place.
  const ElementwiseKernel total(
      "T x, raw T sum", "T y", "mine += x; y = x", "total",
      {.loop_prep = "T mine = 0;", .after_loop = "atomicAdd(const_cast<T*>(&sum[0]), mine);"});
  const auto sum = zeros({1}, int32);
  total(ones({1000}, int32), sum);
  EXPECT_EQ(sum(0).get().item<std::int32_t>(), 1000);
}

TEST_P(UnusualKernel, SeveralOutputsOfSeveralTypes) {
  const ElementwiseKernel split("float64 x", "int32 whole, float32 part, bool negative",
                                "whole = (int)x; part = (float)(x - whole); negative = x < 0",
                                "split");
  const auto out = split.call_all(array({1.5, -2.25, 0.0}));
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, -2, 0}));
  EXPECT_EQ(out[1].to_vector<float>(), (std::vector<float>{0.5f, -0.25f, 0}));
  EXPECT_EQ(out[2].to_vector<bool>(), (std::vector<bool>{false, true, false}));
}

TEST_P(UnusualKernel, ComplexNumbers) {
  const ElementwiseKernel square("T z", "T w", "w = z * z + z", "square");
  const auto z = array({complex<double>(1, 0), complex<double>(2, 1)});
  const auto w = square(z);
  EXPECT_EQ(real(w).to_vector<double>(), (std::vector<double>{2, 5}));
  EXPECT_EQ(imag(w).to_vector<double>(), (std::vector<double>{0, 5}));
}

TEST_P(UnusualKernel, FunctionsOfComplexNumbers) {
  const auto z = array({complex<double>(3, 4), complex<double>(0, -2)});
  const ElementwiseKernel size("T z", "float64 y", "y = abs(z)", "size");
  EXPECT_EQ(size(z).to_vector<double>(), (std::vector<double>{5, 2}));
  const ElementwiseKernel parts("complex64 z", "float32 y",
                                "y = real(z) + 10 * imag(z) + 100 * norm(z)", "parts");
  EXPECT_EQ(parts(z.astype(complex64)).to_vector<float>(), (std::vector<float>{2543, 380}));
  const ElementwiseKernel turned("T z", "T y", "y = conj(z) * complex<double>(0, 1)", "turned");
  EXPECT_EQ(turned(z).to_vector<complex<double>>(),
            (std::vector<complex<double>>{{4, 3}, {-2, 0}}));
  const ElementwiseKernel angle("T z", "float64 y", "y = arg(z)", "angle");
  EXPECT_EQ(angle(z)(1).item<double>(), -1.5707963267948966);
  const ElementwiseKernel composed("T z", "T y", "y = exp(z) + sqrt(z) * pow(z, 2) - log(cos(z))",
                                   "composed");
  const auto want = exp(z) + sqrt(z) * z * z - log(cos(z));
  EXPECT_LT(amax(abs(composed(z) - want)).item<double>(), 1e-13);
  const ReductionKernel energy("T z", "float64 y", "z * conj(z)", "a + b", "y = real(a)", "0",
                               "energy", {.reduce_type = "complex<double>"});
  EXPECT_EQ(energy(z).item<double>(), 29);
  // A text without complex arguments, and one with a complex of its own.
  const ElementwiseKernel product("float64 x, float64 y", "float64 w",
                                  "w = (complex<double>(x, 1) * complex<double>(y, 2)).real()",
                                  "product");
  EXPECT_EQ(product(3, 5).item<double>(), 13);
  const ElementwiseKernel own("float64 x", "float64 y", "y = complex{x, 1}.sum()", "own",
                              {.preamble = "struct complex {\n  double re, im;\n"
                                           "  __device__ double sum() { return re + im; }\n};"});
  EXPECT_EQ(own(2).item<double>(), 3);
}

TEST_P(UnusualKernel, ExtremesPassOverNaN) {
  // CUDA's min and max of a NaN and a number are the number.
  const auto x = array({1.0, nan, 3.0, nan}), y = array({nan, 2.0, 2.0, nan});
  const ElementwiseKernel least("T x, T y", "T z", "z = min(x, y)", "least");
  const ElementwiseKernel most("T x, T y", "T z", "z = max(x, y)", "most");
  for (const dtype type : {float32, float64, float16}) {
    const auto low = least(x.astype(type), y.astype(type)).astype(float64).get();
    const auto high = most(x.astype(type), y.astype(type)).astype(float64).get();
    EXPECT_TRUE(array_equal(low, fmin(x, y).get(), {.equal_nan = true})) << low;
    EXPECT_TRUE(array_equal(high, fmax(x, y).get(), {.equal_nan = true})) << high;
  }
  const ElementwiseKernel rectify("T x", "T y", "y = max(x, 0.0f)", "rectify");
  EXPECT_EQ(rectify(array({-1.5, 2.5}).astype(float16)).astype(float64).to_vector<double>(),
            (std::vector<double>{0, 2.5}));
}

TEST_P(UnusualKernel, MultiplesOfPiAreExact) {
  const auto x = array({1.0, 1e6, 0.5, -0.5, 1e6 + 0.5, -3.0});
  const ElementwiseKernel sine("T x", "T y", "y = sinpi(x)", "sine");
  const ElementwiseKernel cosine("T x", "T y", "y = cospi(x)", "cosine");
  for (const dtype type : {float32, float64}) {
    EXPECT_EQ(sine(x.astype(type)).to_vector<double>(), (std::vector<double>{0, 0, 1, -1, 1, 0}));
    EXPECT_EQ(cosine(x.astype(type)).to_vector<double>(),
              (std::vector<double>{-1, 1, 0, 0, 0, -1}));
  }
  EXPECT_NEAR(sine(array({0.25, 2.75}))(1).item<double>(), 0.70710678118654752, 1e-15);
  EXPECT_NEAR(cosine(array({0.25, 2.75}))(1).item<double>(), -0.70710678118654752, 1e-15);
}

TEST_P(UnusualKernel, BitsByTheNamesOfCuda) {
  const ElementwiseKernel count("int32 x", "int32 y",
                                "y = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x)", "count");
  EXPECT_EQ(count(array({7, 0, 256}, int32)).to_vector<int>(),
            (std::vector<int>{12903, 3200, 92301}));
  const ElementwiseKernel size("float32 x", "float32 y",
                               "y = __int_as_float(__float_as_int(x) & 0x7fffffff)", "size");
  EXPECT_EQ(size(array({-1.5, 2.0}, float32)).to_vector<float>(), (std::vector<float>{1.5f, 2}));
  const ElementwiseKernel turned("uint32 x", "uint32 y", "y = __brev(x)", "turned");
  EXPECT_EQ(turned(array({1, 6}, uint32)).to_vector<std::uint32_t>(),
            (std::vector<std::uint32_t>{0x80000000u, 0x60000000u}));
}

TEST_P(UnusualKernel, OptionsWithoutAName) {
  const ElementwiseKernel tripled("T x", "T y", "y = K * x", {.preamble = "#define K 3"});
  EXPECT_EQ(tripled.name(), "kernel");
  EXPECT_EQ(tripled(array({1, 2})).to_vector<int>(), (std::vector<int>{3, 6}));
}

TEST_P(UnusualKernel, SizeBehindTheArguments) {
  const ElementwiseKernel twice("raw T x", "raw T z", "z[i] = x[i] * 2", "twice");
  const auto z = zeros({4}, int64);
  twice(arange(4), z, {.size = 3});
  EXPECT_EQ(z.to_vector<int>(), (std::vector<int>{0, 2, 4, 0}));
  const ElementwiseKernel first("raw T x", "T z", "z = x[i]", "first");
  EXPECT_EQ(first(arange(4), {.size = 2}).to_vector<int>(), (std::vector<int>{0, 1}));
  const ElementwiseKernel sum("raw T x, raw T y", "raw T z", "z[i] = x[i] + y[i]", "sum");
  sum(arange(4), arange(4), z, {.size = 4});
  EXPECT_EQ(z.to_vector<int>(), (std::vector<int>{0, 2, 4, 6}));
  expect_error<ValueError>(
      [&] { twice(arange(4), z); },
      "twice: all arguments are raw; give the size behind the arguments, {.size = n}");
}

TEST_P(UnusualKernel, RawArgumentsAtAnArrayOfIndices) {
  const ElementwiseKernel turn("raw T x", "T y", "ptrdiff_t at[] = {i % 2, i / 2}; y = x[at]",
                               "turn");
  const auto x = arange(6).reshape({2, 3});
  EXPECT_EQ(turn({x}, {.size = 6}).to_vector<int>(), (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(turn({arange(6).reshape({3, 2}).T()}, {.size = 6}).to_vector<int>(),
            (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST_P(UnusualKernel, HalfPrecisionIsRoundedOnce) {
  const ElementwiseKernel axpy("float16 x, float16 y", "float16 z", "z = 3 * x + y", "axpy");
  const auto x = array({0.1f, 2049.0f, -1.0f}).astype(float16), y = ones({3}, float16);
  // 0.1 is 0.0999755859375 in float16; 3 * 2048 + 1 rounds to 6144.
  EXPECT_EQ(axpy(x, y).astype(float64).to_vector<double>(),
            (std::vector<double>{1.2998046875, 6144, -2}));
}

TEST_P(UnusualKernel, ReductionOverSeveralAxesIntoAnArray) {
  const ReductionKernel span("T x", "T y", "x", "a < b ? b : a", "y = a", "-1000", "largest");
  const auto x = arange(24).reshape({2, 3, 4});
  const auto out = zeros({1, 3, 1}, int64);
  const auto made = span(x, {.axis = {0, 2}, .keepdims = true, .out = out});
  EXPECT_EQ(out.to_vector<std::int64_t>(), (std::vector<std::int64_t>{15, 19, 23}));
  EXPECT_EQ(made.shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(span(x, {.axis = {-1, 0}}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{15, 19, 23}));
}

TEST_P(UnusualKernel, ReductionWithoutIdentity) {
  const ReductionKernel least("T x", "T y", "x", "a < b ? a : b", "y = a", "", "least");
  EXPECT_EQ(least(array({5, 3, 9})).item<std::int64_t>(), 3);
  EXPECT_EQ(least(array({{5, 3}, {1, 9}}), {.axis = 0}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{1, 3}));
  expect_error<ValueError>([&] { least(zeros({0}, int64)); }, "least");
}

TEST_P(UnusualKernel, ReductionOfAStruct) {
  const ReductionKernel range(
      "T x", "T width", "Range{x, x}",
      "Range{a.low < b.low ? a.low : b.low, a.high < b.high ? b.high : a.high}",
      "width = a.high - a.low", "", "range",
      {.reduce_type = "Range", .preamble = "struct Range { long low, high; };"});
  EXPECT_EQ(range(array({{5, 3, 8}, {1, 9, 1}}), {.axis = 1}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{5, 8}));
}

TEST_P(UnusualKernel, OptionsDefineMacros) {
  const ElementwiseKernel scaled("T x", "T y", "y = x * FACTOR", "scaled",
                                 {.options = {"-DFACTOR=7"}});
  EXPECT_EQ(scaled(array({1, 2})).to_vector<std::int64_t>(), (std::vector<std::int64_t>{7, 14}));
}

TEST_P(UnusualKernel, RowsColumnsAndTransposesInOneCall) {
  const ElementwiseKernel mix("T x, T y, T z", "T out", "out = x * 10000 + y * 100 + z", "mix");
  const auto x = arange(35 * 70).reshape({35, 70}), row = arange(70);
  const auto column = arange(35).reshape({35, 1}), turned = arange(35 * 70).reshape({70, 35}).T();
  const auto host = [](const ndarray& a) { return a.get(); };
  const auto want = host(x) * 10000 + host(row) * 100 + host(column);
  EXPECT_TRUE(array_equal(mix(x, row, column).get(), want));
  const auto mixed = host(turned) * 10000 + host(x) * 100 + host(row);
  EXPECT_TRUE(array_equal(mix(turned, x, row).get(), mixed));
}

TEST_P(UnusualKernel, ReturnBreakAndContinueEndOneElement) {
  std::vector<double> want(5000, -1);
  for (std::size_t k = 0; k < want.size(); ++k) {
    if (k % 3 != 1) want[k] = static_cast<double>(k);
  }
  const auto x = arange(5000, float64);
  for (const char* leave : {"return", "break", "continue"}) {
    const std::string text = std::string("if ((long long)x % 3 == 1) ") + leave + "; y = x";
    const ElementwiseKernel part("T x", "T y", text, std::string("part_by_") + leave);
    const auto y = full({5000}, -1.0);
    part(x, y);
    EXPECT_EQ(y.to_vector<double>(), want) << leave;
    const auto strided = full({2, 2500}, -1.0);
    part(x.reshape({2500, 2}).T(), strided);
    EXPECT_EQ(strided.T().ravel().to_vector<double>(), want) << leave;
  }
  // Those of an inner loop are that loop's.
  const ElementwiseKernel power("int64 x", "int64 y",
                                "y = 1; for (;;) { if (y > x) break; y *= 2; } // next", "power");
  EXPECT_EQ(power(array({0, 1, 5, 8})).to_vector<int>(), (std::vector<int>{1, 2, 8, 16}));
  const ReductionKernel some("T x", "T y", "x", "a + b", "if (i == 1) return; y = a", "0", "some");
  const auto sums = full({4}, -1.0);
  some(ones({4, 3}), {.axis = 1, .out = sums});
  EXPECT_EQ(sums.to_vector<double>(), (std::vector<double>{3, -1, 3, 3}));
}

TEST_P(UnusualKernel, CountsElementsByTheNamesOfCuPy) {
  const ElementwiseKernel add_reverse("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]",
                                      "add_reverse");
  EXPECT_EQ(add_reverse(array({1, 2, 3}), array({10, 20, 30})).to_vector<int>(),
            (std::vector<int>{31, 22, 13}));
  const ReductionKernel average("T x", "T y", "x", "a + b",
                                "y = a * _out_ind.size() / _in_ind.size()", "0", "average");
  EXPECT_EQ(average(arange(6, float64).reshape({2, 3}), {.axis = 1}).to_vector<double>(),
            (std::vector<double>{1, 4}));
}

TEST_P(UnusualKernel, ReductionsTakeInputsWithoutBraces) {
  const ReductionKernel dot("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot");
  const auto x = arange(6, float64).reshape({2, 3});
  EXPECT_EQ(dot(x, x).item<double>(), 55);
  EXPECT_EQ(dot(x, 2).item<double>(), 30);
  EXPECT_EQ(dot(x, x, {.axis = 1}).to_vector<double>(), (std::vector<double>{5, 50}));
  const auto out = zeros({3});
  dot(x, x, out, {.axis = 0});
  EXPECT_EQ(out.to_vector<double>(), (std::vector<double>{9, 17, 29}));
  expect_error<TypeError>([&] { dot(x, x, out, {.axis = 0, .out = out}); }, "dot");
}

// What the host's compiler is given.
TEST(UnusualKernelOnTheHost, NamesOfCudaAndCAreThere) {
  const DeviceScope host{Device()};
  const auto p = array({0.5, 0.975, 1e-300});
  const ElementwiseKernel inverse("T x", "T y", "y = normcdfinv(x) + erfcinv(2 * x)", "inverse");
  const auto expected = special::ndtri(p) + special::erfcinv(2 * p);
  EXPECT_LT(amax(abs(inverse(p) - expected)).item<double>(), 1e-14);
  const ElementwiseKernel error("float32 x", "float32 y", "y = erfinv(x) - erfinvf(-x)", "error");
  EXPECT_EQ(error(float32(0.5)).item<float>(), 2 * special::erfinv(float32(0.5)).item<float>());
  const ElementwiseKernel limits("float64 x", "float64 y",
                                 "y = x > 0 ? FLT_MAX : x < 0 ? DBL_EPSILON : INT_MAX", "limits");
  EXPECT_EQ(limits(array({1, -1, 0})).to_vector<double>(),
            (std::vector<double>{3.4028234663852886e38, 2.220446049250313e-16, 2147483647}));
  const ElementwiseKernel angle("float64 x", "float64 y", "y = x * M_PI / 180", "angle");
  EXPECT_EQ(angle(180.0).item<double>(), 3.14159265358979323846);
  const ElementwiseKernel vectors(
      "float32 x", "float32 y",
      "float4 v = make_float4(x, 2, 3, 4); int2 k = {1, 2}; v.w += k.y; y = v.x + v.y * v.w + k.x",
      "vectors");
  EXPECT_EQ(vectors(float32(10)).item<float>(), 23);
  // A text's own definitions are left to it.
  const ElementwiseKernel own(
      "float32 x", "float32 y", "float2 v = {x, 1}; y = v.b * FLT_MAX + erfinv(x)", "own",
      {.preamble = "struct float2 { float a, b; };\nconst float FLT_MAX = 3;\n"
                   "__device__ float erfinv(float x) { return 100 * x; }"});
  EXPECT_EQ(own(float32(2)).item<float>(), 203);
}

// The words are the host compiler's.
TEST(UnusualKernelOnTheHost, ChoicesOfFloat16SayWhatToWrite) {
  const DeviceScope host{Device()};
  const ElementwiseKernel relu("T x", "T y", "y = x > 0 ? x : 0", "relu");
  EXPECT_EQ(relu(array({-1.5, 2})).to_vector<double>(), (std::vector<double>{0, 2}));
  expect_error<CompileError>(
      [&] {
        relu(float16({-1.5, 2.0}));
      },
      "both sides of ?: need one type, for float16 write x > 0 ? x : T(0)");
  const ElementwiseKernel cast("T x", "T y", "y = x > 0 ? x : T(0)", "cast");
  EXPECT_EQ(cast(float16({-1.5, 2.0})).to_vector<double>(), (std::vector<double>{0, 2}));
}

TEST_P(UnusualKernel, OutputsAreSet) {
  expect_error<ValueError>([] { ElementwiseKernel("T x", "T y", "x + 1", "plus"); },
                           "plus: operation: the output 'y' is never set; write y = ...");
  expect_error<ValueError>([] { ElementwiseKernel("T x", "T y, T z", "y = x; zz = x", "two"); },
                           "two: operation: the output 'z' is never set");
  expect_error<ValueError>([] { ReductionKernel("T x", "T y", "x", "a + b", "a", "0", "total"); },
                           "total: post_map_expr: the output 'y' is never set; write y = ...");
  // Compared is not set.
  expect_error<ValueError>([] { ElementwiseKernel("T x", "T y", "y == x", "same"); },
                           "same: operation: the output 'y' is never set; write y = ...");
  expect_error<ValueError>([] { ElementwiseKernel("T x", "T y, bool z", "z = y\n!= x", "two"); },
                           "two: operation: the output 'y' is never set; write y = ...");
  const ElementwiseKernel counted("T x", "T y", "y = x; if (y == 2) y = 7", "counted");
  EXPECT_EQ(counted(array({2, 3})).to_vector<int>(), (std::vector<int>{7, 3}));
  const ElementwiseKernel by_macro("T x", "T y", "SET(x)", "by_macro",
                                   {.preamble = "#define SET(v) y = (v)"});
  EXPECT_EQ(by_macro(array({3})).item<int>(), 3);
}

}  // namespace
}  // namespace cupyxx
