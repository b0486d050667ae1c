// SPDX-License-Identifier: MIT
// Special functions beyond what cupyxx/ops/special_cases.h tries: tails, limits, numbers of scipy
// 1.10 and of 40 digits, sums over axes.
#include "cupyxx/special.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::special {
namespace {

using testing::expect_allclose;
using testing::expect_array_equal;
using testing::expect_error;

class SpecialTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(SpecialTest);

// Every value within a relative bound; infinities and NaN in their places.
void expect_close(const ndarray& actual, const ndarray& expected, double rtol = 1e-14) {
  expect_allclose(actual, expected, rtol, 0);
}

TEST_P(SpecialTest, InvertsTheErrorFunction) {
  expect_close(
      erfinv(array({1e-300, 1e-08, -0.3, 0.5, 0.9, -0.999, 0.9999999999999999})),
      array({8.86226925452758e-301, 8.86226925452758e-09, -0.2724627147267543, 0.4769362762044699,
             1.1630871536766743, -2.3267537655135246, 5.8635847487551676}),
      4e-15);
  expect_close(erfcinv(array({1e-310, 1e-300, 1e-100, 1e-10, 0.3, 0.99, 1.7})),
               array({26.644806559364763, 26.209469960516124, 15.065574702592645, 4.572824967389486,
                      0.7328690779592169, 0.008862501280950607, -0.7328690779592167}),
               4e-15);
  expect_close(ndtri(array({1e-300, 1e-20, 0.01, 0.3, 0.7})),
               array({-37.0470962993612, -9.262340089798407, -2.326347874040841,
                      -0.5244005127080408, 0.5244005127080407}),
               4e-15);
}

TEST_P(SpecialTest, KnowsTheTails) {
  expect_close(erfc(array({6.0, 10.0, 26.0, -3.0})),
               array({2.1519736712498913e-17, 2.088487583762545e-45, 5.663192408856143e-296,
                      1.9999779095030015}));
  expect_close(erfcx(array({-26.6287, -26.62, -20.5, -3.3, -1.0, -1e-05, 0.5, 3.75, 10.0, 26.5,
                            1000.0, 1000000000.0, 1.7e+308})),
               array({1.7942771311773468e+308, 1.1290070599146823e+308, 6.50557990548002e+182,
                      107274.43593281436, 5.008980080762283, 1.0000112838916717, 0.6156903441929259,
                      0.14558972127503855, 0.05614099274382259, 0.021275046685371106,
                      0.0005641893014533876, 5.641895835477563e-10, 3.31876225616327e-309}),
               1e-15);
  expect_close(log_ndtr(array({-10000000000.0, -1000.0, -100.0, -40.0, -34.9, -20.0, -5.0, -1.0,
                               0.0, 1.0, 5.0, 10.0, 30.0})),
               array({-5e+19, -500007.82669481216, -5005.524208694205, -804.6084420137538,
                      -613.4772446953714, -203.91715537109727, -15.064998393988725,
                      -1.8410216450092636, -0.6931471805599453, -0.17275377902344988,
                      -2.866516129637636e-07, -7.619853024160525e-24, -4.906713927148187e-198}));
  expect_close(ndtr(array({-10.0, -3.0, 0.0, 2.0, 9.0})),
               array({7.619853024160525e-24, 0.0013498980316300946, 0.5, 0.9772498680518208, 1.0}),
               1e-13);
  expect_close(
      expit(array({-740.0, -100.0, -1.0, 0.0, 30.0})),
      array({4.2e-322, 3.720075976020836e-44, 0.2689414213699951, 0.5, 0.9999999999999064}));
  expect_close(logit(array({1e-300, 1e-05, 0.2, 0.4999999, 0.5, 0.7, 0.9999999999999999})),
               array({-690.7755278982137, -11.512915464920228, -1.3862943611198906,
                      -4.000000000115076e-07, 0.0, 0.8472978603872034, 36.7368005696771}));
}

TEST_P(SpecialTest, KnowsTheGammaFunction) {
  expect_close(gamma(array({0.5, -2.5, 5.0, 30.25, 170.5, 1e-10})),
               array({1.772453850905516, -0.9453087204829419, 24.0, 2.0628053137753467e+31,
                      5.56209241456e+305, 9999999999.422785}),
               1e-14);
  expect_close(gammaln(array({1e-10, 0.5, -2.5, 5.0, 30.25, 10000000000.0})),
               array({23.025850929882736, 0.5723649429247001, -0.056243716497674054,
                      3.1780538303479458, 72.104204742008, 220258509288.81058}),
               1e-14);
  expect_close(digamma(array({1e-10, 0.1, 1.0, 1.4, 1.4616321449683622, 1.5, 1.9, 7.9, 8.0, 100.0,
                              1e+20, -0.5, -10.3})),
               array({-10000000000.577215, -10.423754940411076, -0.5772156649015329,
                      -0.06138454458511624, -9.241265521729427e-17, 0.03648997397857652,
                      0.35618416116405965, 2.002238487563571, 2.01564147795561, 4.600161852738087,
                      46.051701859880914, 0.03648997397857652, 4.662403493582087}),
               1e-14);
  expect_close(
      riemann_zeta(array({-20.5, -3.0, -1.0, -0.5, 0.0, 0.5, 0.999, 1.001, 2.0, 30.0, 60.0})),
      array({-108.21747505877606, 0.008333333333333333, -0.08333333333333333, -0.20788622497735457,
             -0.5, -1.4603545088095868, -999.4228571557879, 1000.5772884760116, 1.6449340668482264,
             1.0000000009313275, 1.0}),
      2e-14);
}

TEST_P(SpecialTest, KnowsBesselFunctions) {
  expect_close(i0(array({0.0, 0.1, 1.0, 7.9, 8.1, -50.0, 300.0, 705.0, 712.0})),
               array({1.0, 1.0025015629340956, 1.2660658777520084, 389.406283282158,
                      469.5006067101215, 2.9325537838493362e+20, 4.475847367935052e+128,
                      2.2620505526554727e+304, 2.4684110577627523e+307}),
               2e-14);
  expect_close(i1(array({1e-300, 0.1, -1.0, 7.9, 8.1, -50.0, 300.0, 712.0})),
               array({5e-301, 0.050062526047092694, -0.565159103992485, 363.8539440845084,
                      439.48430891035844, -2.903078590103557e+20, 4.468381385036955e+128,
                      2.4666770135246153e+307}),
               2e-14);
  expect_close(i0e(array({0.0, -3.0, 8.0, 9.0, 100.0, 100000.0})),
               array({1.0, 0.2430003541618254, 0.14343178185685032, 0.134959524581723,
                      0.03994437929909668, 0.0012615678379767768}));
  expect_close(i1e(array({0.001, -3.0, 8.0, 9.0, 100.0, 100000.0})),
               array({0.0004995003123542213, -0.19682671329730086, 0.13414249329269817,
                      0.1272249839358912, 0.03974415302513025, 0.0012615615301218171}));
  expect_close(j0(array({0.0, 0.5, -2.0, 10.0, 50.5})),
               array({1.0, 0.9384698072408129, 0.22389077914123567, -0.24593576445134835,
                      0.09551989154970057}),
               1e-13);
  expect_close(j1(array({1e-05, 0.5, -2.0, 10.0, 50.5})),
               array({4.9999999999375e-06, 0.2422684576748739, -0.5767248077568734,
                      0.04347274616886144, -0.058062876421320686}),
               1e-13);
  expect_close(y0(array({1e-05, 0.5, 2.0, 10.0, 50.5})),
               array({-7.40316028370197, -0.44451873350670656, 0.5103756726497451,
                      0.055671167283599395, -0.05900563494765445}),
               1e-13);
  expect_close(y1(array({1e-05, 0.5, 2.0, 10.0, 50.5})),
               array({-63661.97727536548, -1.471472392670243, -0.10703243154093754,
                      0.24901542420695388, -0.09610872758567612}),
               1e-13);
}

TEST_P(SpecialTest, HasHurwitzZeta) {
  expect_close(zeta(array({1.5, 2.0, 3.0, 10.0, 2.0, 1.001, 2.0}),
                    array({0.5, 1.0, 2.5, 0.1, 100.0, 3.0, 10000000000.0})),
               array({4.776537947554833, 1.6449340668482264, 0.1181020258208637, 10000000000.38615,
                      0.010050166663333571, 999.0776349295164, 1.00000000005e-10}),
               4e-15);
}

TEST_P(SpecialTest, HasScipysLimits) {
  const ndarray x = array({0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 2.0, -2.0});
  const auto check = [&](const auto& f, const ndarray& expected) {
    expect_close(f(x), expected, 2e-15);
  };
  const double n = nan;
  check(erf, array({0.0, -0.0, 0.8427007929497149, -0.8427007929497149, 1.0, -1.0, n,
                    0.9953222650189527, -0.9953222650189527}));
  check(erfcx, array({1.0, 1.0, 0.427583576155807, 5.008980080762283, 0.0, inf, n,
                      0.25539567631050574, 108.94090438997797}));
  check(erfinv, array({0.0, 0.0, inf, -inf, n, n, n, n, n}));
  check(erfcinv, array({inf, inf, 0.0, n, n, n, n, -inf, n}));
  check(ndtri, array({-inf, -inf, inf, n, n, n, n, n, n}));
  check(logit, array({-inf, -inf, inf, n, n, n, n, n, n}));
  check(entr, array({0.0, 0.0, 0.0, -inf, -inf, -inf, n, -1.3862943611198906, -inf}));
  check(digamma, array({-inf, inf, -0.5772156649015329, n, inf, n, n, 0.42278433509846713, n}));
  check(log_ndtr,
        array({-0.6931471805599453, -0.6931471805599453, -0.17275377902344988, -1.841021645009264,
               0.0, -inf, n, -0.023012909328963486, -3.7831843336820317}));
  check(i0e, array({1.0, 1.0, 0.46575960759364043, 0.46575960759364043, 0.0, 0.0, n,
                    0.308508322553671, 0.308508322553671}));
  check(y0, array({-inf, -inf, 0.08825696421567698, n, 0.0, n, n, 0.510375672649745, n}));
  check(riemann_zeta,
        array({-0.5, -0.5, inf, -0.08333333333333333, 1.0, n, n, 1.6449340668482264, 0.0}));
  // Limits where scipy has NaN.
  expect_array_equal(i0(array({inf, -inf})), array({inf, inf}));
  expect_array_equal(i1(array({inf, -inf})), array({inf, -inf}));
  expect_array_equal(j0(array({inf, -inf})), array({0.0, 0.0}));
  EXPECT_TRUE(isnan(gamma(array({-1.0, -2.0}))).all().item<bool>());
  expect_array_equal(gammaln(array({0.0, -1.0, -2.0, inf})), array({inf, inf, inf, inf}));
  const ndarray p = array({0.0, 0.0, 0.0, 1.0, 1.0, -1.0, nan, 2.0}),
                q = array({0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0});
  expect_close(rel_entr(p, q), array({0.0, 0.0, inf, inf, 0.0, inf, nan, 1.3862943611198906}));
  expect_close(kl_div(p, q), array({0.0, 1.0, inf, inf, 0.0, inf, nan, 0.3862943611198906}));
  expect_close(xlogy(p, q), array({0.0, 0.0, 0.0, -inf, 0.0, 0.0, nan, 0.0}));
  expect_close(xlog1py(p, q), array({0.0, 0.0, 0.0, 0.0, 0.6931471805599453, -0.6931471805599453,
                                     nan, 1.3862943611198906}));
  expect_close(zeta(array({1.0, 0.5, 2.0, 2.0, 2.5}), array({2.0, 2.0, 0.0, -3.0, -0.5})),
               array({inf, nan, inf, inf, nan}));
}

TEST_P(SpecialTest, KeepsDtypesAndOptions) {
  const ndarray x = array({0.25, 0.5, 0.75});
  for (const dtype type : {float16, bfloat16_, float32, float64}) {
    EXPECT_EQ(erf(x.astype(type)).dtype(), type);
    EXPECT_EQ(zeta(x.astype(type) + 1, 1).dtype(), type);
    const double eps = type == float16     ? 1e-3
                       : type == bfloat16_ ? 8e-3
                       : type == float32   ? 3e-7
                                           : 1e-14;
    expect_close(digamma(x.astype(type)).astype(float64), digamma(x), eps);
    expect_close(erfinv(x.astype(type)).astype(float64), erfinv(x), eps);
    expect_close(erfcx(x.astype(type)).astype(float64), erfcx(x), eps);
    expect_close(i0(x.astype(type)).astype(float64), i0(x), eps);
  }
  EXPECT_EQ(gammaln(array({1, 2, 3})).dtype(), float64);
  expect_close(gamma(arange(1, 6)), array({1.0, 1.0, 2.0, 6.0, 24.0}));
  const ndarray out = zeros({3});
  EXPECT_EQ(ndtr(x, {.out = out}).data(), out.data());
  expect_array_equal(cupyxx::i0(x), special::i0(x));
  expect_array_equal(psi(x), digamma(x));
  expect_array_equal(zeta(array({2.0, 3.0})), riemann_zeta(array({2.0, 3.0})));
  EXPECT_NO_THROW(find_ufunc("psi"));
  expect_error<TypeError>([] { erf(array(complex<double>(1, 1))); }, "erf");
}

TEST_P(SpecialTest, SumsExponentials) {
  const ndarray a = array({{1000.0, 1001.0, 999.0}, {-inf, -inf, -inf}});
  expect_close(logsumexp(a, 1), array({1001.4076059644443, -inf}));
  expect_close(logsumexp(a), array(1001.4076059644443));
  EXPECT_EQ(logsumexp(a, 1, {.keepdims = true}).shape(), Shape({2, 1}));
  EXPECT_EQ(logsumexp(a, {}, {.keepdims = true}).shape(), Shape({1, 1}));
  // log(2 e^1 + 0 e^inf - 1 e^0): what counts 0 times does not matter.
  expect_close(logsumexp(array({1.0, inf, 0.0}), {}, {.b = array({2.0, 0.0, -1.0})}),
               array(1.48988012564475));
  EXPECT_TRUE(std::isnan(logsumexp(array({0.0}), {}, {.b = array({-1.0})}).item<double>()));
  EXPECT_EQ(logsumexp(array({inf, 1.0})).item<double>(), inf);
  EXPECT_EQ(logsumexp(zeros({0})).item<double>(), -inf);
  EXPECT_TRUE(std::isnan(logsumexp(array({nan, 1.0})).item<double>()));
  EXPECT_EQ(logsumexp(array({1, 2})).dtype(), float64);
  EXPECT_EQ(logsumexp(array({1.0f, 2.0f})).dtype(), float32);
  expect_error<DtypeError>([] { logsumexp(array(complex<double>(1, 1))); },
                           "logsumexp: no loop for complex128");
  expect_error<AxisError>([&] { logsumexp(a, 2); }, "");
}

TEST_P(SpecialTest, NormalisesExponentials) {
  const ndarray x = array({{1.0, 2.0, 3.0}, {1000.0, 1000.0, -1000.0}});
  expect_allclose(
      softmax(x, 1),
      array({{0.09003057317038046, 0.24472847105479764, 0.6652409557748218}, {0.5, 0.5, 0.0}}),
      1e-14, 0);
  expect_allclose(softmax(x).sum(), array(1.0), 1e-14);
  expect_allclose(log_softmax(x, -1),
                  array({{-2.4076059644443806, -1.4076059644443804, -0.4076059644443804},
                         {-0.6931471805599453, -0.6931471805599453, -2000.6931471805599}}),
                  1e-14, 0);
  expect_allclose(softmax(x.T(), 0), softmax(x, 1).T(), 1e-15);
  EXPECT_EQ(softmax(x.astype(float16), 1).dtype(), float16);
  EXPECT_EQ(softmax(zeros({0, 3}), 1).shape(), Shape({0, 3}));
  EXPECT_EQ(softmax(array({1, 2})).dtype(), float64);
}

}  // namespace
}  // namespace cupyxx::special
