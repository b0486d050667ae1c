// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/compositions.h"
#include "chainerxx/functions/math/contractions.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/fourier.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/matrices.h"
#include "chainerxx/functions/math/products.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/rounding.h"
#include "chainerxx/functions/math/special.h"
#include "chainerxx/functions/math/statistics.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/math/trigonometric.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

std::vector<FunctionRow> arithmetic() {
  return {
      {"neg", "neg", {{3, 2}}, one([](const V& x) { return -x[0]; })},
      {"absolute", "absolute", {{3, 2}}, one([](const V& x) { return F::absolute(x[0]); })},
      {"abs", "abs", {{3, 2}}, one([](const V& x) { return F::abs(x[0]); })},
      {"add_row", "add", {{3, 2}, {2}}, one([](const V& x) { return x[0] + x[1]; })},
      {"sub_column", "sub", {{3, 1}, {3, 2}}, one([](const V& x) { return x[0] - x[1]; })},
      {"mul_outer", "mul", {{3, 1}, {2}}, one([](const V& x) { return x[0] * x[1]; })},
      {"div_row", "div", {{3, 2}, {1, 2}}, one([](const V& x) { return x[0] / x[1]; }), 0.5, 2},
      {"pow_single",
       "pow",
       {{}, {3, 2}},
       one([](const V& x) { return F::pow(x[0], x[1]); }),
       0.5,
       2},
      {"add", "add", {{3, 2}, {3, 2}}, one([](const V& x) { return x[0] + x[1]; })},
      {"add_itself", "add", {{3, 2}}, one([](const V& x) { return x[0] + x[0]; })},
      {"add_number", "add", {{3, 2}}, one([](const V& x) { return 2 + (x[0] + 1.5); })},
      {"sub", "sub", {{3, 2}, {3, 2}}, one([](const V& x) { return x[0] - x[1]; })},
      {"sub_number", "sub", {{3, 2}}, one([](const V& x) { return 2 - (x[0] - 1.5); })},
      {"rsub", "rsub", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::rsub(F::rsub(x[0], x[1]), 2);
       })},
      {"mul", "mul", {{3, 2}, {3, 2}}, one([](const V& x) { return x[0] * x[1]; })},
      {"mul_itself", "mul", {{3, 2}}, one([](const V& x) { return x[0] * x[0]; })},
      {"mul_number", "mul", {{3, 2}}, one([](const V& x) { return 2 * (x[0] * 1.5); })},
      {"div", "div", {{3, 2}, {3, 2}}, one([](const V& x) { return x[0] / x[1]; }), 0.5, 2},
      {"div_number", "div", {{3, 2}}, one([](const V& x) { return 2 / (x[0] / 1.5); }), 0.5, 2},
      {"rdiv",
       "rdiv",
       {{3, 2}, {3, 2}},
       one([](const V& x) { return F::rdiv(F::rdiv(x[0], x[1]), 2); }),
       0.5,
       2},
      {"pow", "pow", {{3, 2}, {3, 2}}, one([](const V& x) { return F::pow(x[0], x[1]); }), 0.5, 2},
      {"pow_number", "pow", {{3, 2}}, one([](const V& x) { return F::pow(x[0], 3); })},
      {"pow_half", "pow", {{3, 2}}, one([](const V& x) { return F::pow(x[0], 0.5); }), 0.5, 2},
      {"number_pow", "pow", {{3, 2}}, one([](const V& x) { return F::pow(2, x[0]); })},
      {"rpow",
       "rpow",
       {{3, 2}, {3, 2}},
       one([](const V& x) { return F::rpow(x[0], x[1]) + F::rpow(x[0], 2); }),
       0.5,
       2},
  };
}

std::vector<FunctionRow> elementary() {
  return {
      {"exp", "exp", {{5}}, one([](const V& x) { return F::exp(x[0]); })},
      {"log", "log", {{5}}, one([](const V& x) { return F::log(x[0]); }), 0.5, 2},
      {"sin", "sin", {{5}}, one([](const V& x) { return F::sin(x[0]); })},
      {"cos", "cos", {{5}}, one([](const V& x) { return F::cos(x[0]); })},
      {"tan", "tan", {{5}}, one([](const V& x) { return F::tan(x[0]); })},
      {"arcsin", "arcsin", {{5}}, one([](const V& x) { return F::arcsin(x[0]); }), -0.8, 0.8},
      {"arccos", "arccos", {{5}}, one([](const V& x) { return F::arccos(x[0]); }), -0.8, 0.8},
      {"arctan", "arctan", {{5}}, one([](const V& x) { return F::arctan(x[0]); })},
      {"arctan2",
       "arctan2",
       {{3, 1}, {2}},
       one([](const V& x) { return F::arctan2(x[0], x[1]); }),
       0.3,
       1},
      {"sinh", "sinh", {{5}}, one([](const V& x) { return F::sinh(x[0]); })},
      {"cosh", "cosh", {{5}}, one([](const V& x) { return F::cosh(x[0]); })},
      {"arcsinh", "arcsinh", {{5}}, one([](const V& x) { return F::arcsinh(x[0]); })},
      {"arccosh", "arccosh", {{5}}, one([](const V& x) { return F::arccosh(x[0]); }), 1.5, 3},
      {"arctanh", "arctanh", {{5}}, one([](const V& x) { return F::arctanh(x[0]); }), -0.8, 0.8},
      {"fmod",
       "fmod",
       {{3, 1}, {2}},
       one([](const V& x) { return F::fmod(x[0] * 4.5, x[1]); }),
       0.55,
       0.6},
      {"fmod_number",
       "fmod",
       {{5}},
       one([](const V& x) { return F::fmod(x[0] * 3, 0.9); }),
       0.4,
       0.55},
      {"expm1", "expm1", {{5}}, one([](const V& x) { return F::expm1(x[0]); })},
      {"log1p", "log1p", {{5}}, one([](const V& x) { return F::log1p(x[0]); }), -0.5, 2},
      {"log2", "log2", {{5}}, one([](const V& x) { return F::log2(x[0]); }), 0.5, 2},
      {"log10", "log10", {{5}}, one([](const V& x) { return F::log10(x[0]); }), 0.5, 2},
      {"erf", "erf", {{5}}, one([](const V& x) { return F::erf(x[0]); })},
      {"erfc", "erfc", {{5}}, one([](const V& x) { return F::erfc(x[0]); })},
      {"rsqrt", "rsqrt", {{5}}, one([](const V& x) { return F::rsqrt(x[0]); }), 0.5, 2},
      {"sign", "sign", {{5}}, one([](const V& x) { return F::sign(x[0]); })},
      {"floor", "floor", {{5}}, one([](const V& x) { return F::floor(x[0]); }), 0.2, 0.8},
      {"ceil", "ceil", {{5}}, one([](const V& x) { return F::ceil(x[0]); }), 0.2, 0.8},
      {"fix", "fix", {{5}}, one([](const V& x) { return F::fix(x[0]); })},
      {"sqrt", "sqrt", {{3, 4}}, one([](const V& x) { return F::sqrt(x[0]); }), 0.5, 2},
      {"square", "square", {{3, 4}}, one([](const V& x) { return F::square(x[0]); })},
      {"maximum", "Maximum maximum", {{3, 4}, {3, 4}}, one([](const V& x) {
         return F::maximum(x[0], x[1]);
       })},
      {"minimum", "Minimum minimum", {{3, 4}, {3, 4}}, one([](const V& x) {
         return F::minimum(x[0], x[1]);
       })},
      {"maximum_row", "maximum", {{3, 4}, {4}}, one([](const V& x) {
         return F::maximum(x[0], x[1]);
       })},
      {"minimum_outer", "minimum", {{3, 1}, {2, 1, 4}}, one([](const V& x) {
         return F::minimum(x[0], x[1]);
       })},
      {"clip", "Clip clip", {{3, 4}}, one([](const V& x) { return F::clip(x[0], -0.5, 0.4); })},
  };
}

std::vector<FunctionRow> products() {
  return {
      {"matmul", "MatMul matmul", {{2, 3}, {3, 4}}, one([](const V& x) {
         return F::matmul(x[0], x[1]);
       })},
      {"matmul_first_transposed", "matmul", {{3, 2}, {3, 4}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true);
       })},
      {"matmul_second_transposed", "matmul", {{2, 3}, {4, 3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], false, true);
       })},
      {"matmul_transposed", "matmul", {{3, 2}, {4, 3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true, true);
       })},
      {"matmul_vector", "matmul", {{2, 3}, {3}}, one([](const V& x) {
         return F::matmul(x[0], x[1]);
       })},
      {"matmul_inner", "matmul", {{3}, {3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true);
       })},
      {"matmul_outer", "matmul", {{3}, {2}}, one([](const V& x) {
         return F::matmul(x[0], x[1], false, true);
       })},
      {"matmul_batches", "matmul", {{2, 2, 3}, {2, 3, 2}}, one([](const V& x) {
         return F::matmul(x[0], x[1]);
       })},
      {"matmul_batches_transposed", "matmul", {{2, 3, 2}, {2, 4, 3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true, true);
       })},
      {"matmul_batches_broadcast", "matmul", {{2, 1, 2, 3}, {3, 4, 3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], false, true);
       })},
      {"matmul_batch_by_matrix", "matmul", {{2, 2, 2, 3}, {3, 2}}, one([](const V& x) {
         return F::matmul(x[0], x[1]);
       })},
      {"matmul_batch_by_matrix_transposed", "matmul", {{2, 3, 2}, {4, 3}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true, true);
       })},
      {"matmul_matrix_by_batch", "matmul", {{3, 2}, {2, 3, 2}}, one([](const V& x) {
         return F::matmul(x[0], x[1], true);
       })},
      {"batch_matmul", "BatchMatMul batch_matmul", {{2, 3, 4}, {2, 4, 2}}, one([](const V& x) {
         return F::batch_matmul(x[0], x[1]);
       })},
      {"batch_matmul_transposed", "batch_matmul", {{2, 4, 3}, {2, 2, 4}}, one([](const V& x) {
         return F::batch_matmul(x[0], x[1], true, true);
       })},
      {"batch_matmul_vectors", "batch_matmul", {{2, 3}, {2, 3}}, one([](const V& x) {
         return F::batch_matmul(x[0], x[1], true);
       })},
      {"batch_matmul_outer", "batch_matmul", {{2, 3}, {2, 2}}, one([](const V& x) {
         return F::batch_matmul(x[0], x[1], false, true);
       })},
      {"batch_matmul_broadcast", "batch_matmul", {{2, 1, 3, 4}, {5, 4, 2}}, one([](const V& x) {
         return F::batch_matmul(x[0], x[1]);
       })},
  };
}

std::vector<FunctionRow> contractions() {
  const auto summed = [](const char* subscripts) {
    return one([=](const V& x) { return F::einsum(subscripts, x); });
  };
  return {
      {"tensordot", "tensordot", {{2, 3, 4}, {3, 4, 2}}, one([](const V& x) {
         return F::tensordot(x[0], x[1]);
       })},
      {"tensordot_axes", "tensordot", {{2, 3, 4}, {4, 3, 2}}, one([](const V& x) {
         return F::tensordot(x[0], x[1], {0, -1}, {2, 0});
       })},
      {"einsum", "einsum", {{2, 3}, {4, 3}}, summed("ij,kj->ki")},
      {"einsum_batch", "einsum", {{2, 3, 4}, {4, 2}}, summed("bij, jb")},
      {"einsum_diagonal", "einsum", {{2, 2, 3}, {3, 2}, {2}}, summed("iij,jk,k->ik")},
      {"einsum_ellipsis", "einsum", {{2, 1, 3, 2}, {4, 2}}, summed("...ij,...j->...i")},
  };
}

/// Small matrices beside `scale` times the identity, so that they are well conditioned.
Variable beside_identity(const Variable& x, double scale) { return x + cupyxx::eye(2) * scale; }

std::vector<FunctionRow> matrices() {
  const auto positive = [](const Variable& x) {
    return beside_identity(x + F::swapaxes(x, -2, -1), 8);
  };
  return {
      {"inv", "inv", {{2, 2}}, one([](const V& x) { return F::inv(beside_identity(x[0], 3)); })},
      {"batch_inv", "batch_inv", {{3, 2, 2}}, one([](const V& x) {
         return F::batch_inv(beside_identity(x[0], 3));
       })},
      {"det", "det", {{2, 2}}, one([](const V& x) { return F::det(beside_identity(x[0], 2)); })},
      {"batch_det", "batch_det", {{3, 2, 2}}, one([](const V& x) {
         return F::batch_det(beside_identity(x[0], 2));
       })},
      {"cholesky", "cholesky", {{2, 2}}, one([=](const V& x) {
         return F::cholesky(positive(x[0]));
       })},
      {"cholesky_batch", "cholesky", {{3, 2, 2}}, one([=](const V& x) {
         return F::cholesky(positive(x[0]));
       })},
  };
}

std::vector<FunctionRow> special() {
  return {
      {"erfcx", "erfcx", {{5}}, one([](const V& x) { return F::erfcx(x[0]); }), -0.5, 2},
      {"erfcx_tail", "erfcx", {{5}}, one([](const V& x) { return F::erfcx(x[0]); }), 5, 7},
      {"zeta", "zeta", {{5}}, one([](const V& x) { return F::zeta(2.5, x[0]); }), 0.5, 2},
      {"zeta_broadcast",
       "zeta",
       {{3}},
       one([](const V& x) {
         return F::zeta(cupyxx::array({{2}, {3}}), x[0]);
       }),
       0.5,
       2},
      {"erfinv", "erfinv", {{5}}, one([](const V& x) { return F::erfinv(x[0]); }), -0.8, 0.8},
      {"erfcinv", "erfcinv", {{5}}, one([](const V& x) { return F::erfcinv(x[0]); }), 0.4, 1.6},
      {"ndtr", "ndtr", {{5}}, one([](const V& x) { return F::ndtr(x[0]); })},
      {"ndtri", "ndtri", {{5}}, one([](const V& x) { return F::ndtri(x[0]); }), 0.2, 0.8},
      {"log_ndtr", "log_ndtr", {{5}}, one([](const V& x) { return F::log_ndtr(x[0]); })},
      {"lgamma", "lgamma", {{5}}, one([](const V& x) { return F::lgamma(x[0]); }), 0.5, 2},
      {"digamma", "digamma", {{5}}, one([](const V& x) { return F::digamma(x[0]); }), 0.5, 2},
      {"polygamma",
       "polygamma",
       {{5}},
       one([](const V& x) { return F::polygamma(1, x[0]); }),
       0.5,
       2},
  };
}

std::vector<FunctionRow> fourier() {
  const auto both = [](const auto& transform) {
    return [transform](const V& x) {
      const auto [real, imag] = transform(x[0], x[1]);
      return V{real, imag};
    };
  };
  const auto forward = [](const Variable& real, const Variable& imag) {
    return F::fft(real, imag);
  };
  return {
      {"fft", "FourierTransform fft", {{2, 5}, {2, 5}}, both(forward)},
      {"fft_imaginary", "fft", {{6}, {6}}, [](const V& x) { return V{F::fft(x[0], x[1])[1]}; }},
      {"ifft", "ifft", {{2, 4}, {2, 4}}, both([](const Variable& real, const Variable& imag) {
         return F::ifft(real, imag);
       })},
  };
}

std::vector<FunctionRow> compositions() {
  return {
      {"normalize", "normalize", {{3, 4}}, one([](const V& x) { return F::normalize(x[0]); })},
      {"normalize_axes", "normalize", {{2, 3, 2}}, one([](const V& x) {
         return F::normalize(x[0], 0.1, {0, 2});
       })},
      {"batch_l2_norm_squared", "batch_l2_norm_squared", {{2, 3, 2}}, one([](const V& x) {
         return F::batch_l2_norm_squared(x[0]);
       })},
      {"linear_interpolate", "linear_interpolate", {{2, 3}, {2, 3}, {2, 3}}, one([](const V& x) {
         return F::linear_interpolate(x[0], x[1], x[2]);
       })},
      {"bias", "bias", {{2, 3, 2}, {3}}, one([](const V& x) { return F::bias(x[0], x[1]); })},
  };
}

std::vector<FunctionRow> reductions() {
  return {
      {"sum", "Sum sum", {{2, 3, 4}}, one([](const V& x) { return F::sum(x[0]); })},
      {"sum_axis", "sum", {{2, 3, 4}}, one([](const V& x) { return F::sum(x[0], 1); })},
      {"sum_axes", "sum", {{2, 3, 4}}, one([](const V& x) {
         return F::sum(x[0], {0, -1});
       })},
      {"sum_to", "SumTo sum_to", {{2, 3, 4}}, one([](const V& x) {
         return F::sum_to(x[0], {3, 1});
       })},
      {"max", "Max max", {{3, 4}}, one([](const V& x) { return F::max(x[0], 1); })},
      {"max_all", "max", {{3, 4}}, one([](const V& x) { return F::max(x[0]); })},
      {"min", "Min min", {{3, 4}}, one([](const V& x) {
         return F::min(x[0], {0, 1}, true);
       })},
      {"min_axis", "min", {{3, 4}}, one([](const V& x) { return F::min(x[0], -2); })},
      {"mean", "Mean mean", {{3, 4}}, one([](const V& x) { return F::mean(x[0], 0); })},
      {"mean_kept", "mean", {{3, 4}}, one([](const V& x) { return F::mean(x[0], {}, true); })},
      {"var", "Var var", {{3, 4}}, one([](const V& x) { return F::var(x[0]); })},
      {"var_axis", "var", {{3, 4}}, one([](const V& x) { return F::var(x[0], -1, true); })},
      {"var_of_samples", "var", {{2, 3, 2}}, one([](const V& x) {
         return F::var(x[0], {0, 1}, {.ddof = 1});
       })},
      {"std", "Std std", {{3, 4}}, one([](const V& x) { return F::std(x[0]); })},
      {"std_axis", "std", {{3, 4}}, one([](const V& x) { return F::std(x[0], 0); })},
      {"std_of_samples", "std", {{2, 3, 2}}, one([](const V& x) {
         return F::std(x[0], {.axis = 1, .ddof = 1, .keepdims = true});
       })},
      {"prod", "Prod prod", {{3, 4}}, one([](const V& x) { return F::prod(x[0]); }), 0.5, 1.5},
      {"prod_axis", "prod", {{2, 3, 2}}, one([](const V& x) { return F::prod(x[0], 1); })},
      {"prod_kept", "prod", {{2, 3, 2}}, one([](const V& x) {
         return F::prod(x[0], {0, -1}, true);
       })},
      {"cumsum", "Cumsum cumsum", {{2, 3}}, one([](const V& x) { return F::cumsum(x[0], -1); })},
      {"cumsum_flat", "cumsum", {{2, 3}}, one([](const V& x) { return F::cumsum(x[0]); })},
      {"cumprod", "Cumprod cumprod", {{2, 3}}, one([](const V& x) {
         return F::cumprod(x[0], -1);
       })},
      {"cumprod_first", "cumprod", {{3, 2}}, one([](const V& x) { return F::cumprod(x[0], 0); })},
      {"cumprod_flat", "cumprod", {{2, 2}}, one([](const V& x) { return F::cumprod(x[0]); })},
      {"average",
       "average",
       {{3, 4}, {3, 4}},
       one([](const V& x) { return F::average(x[0], 0, x[1]); }),
       0.5,
       1},
      {"average_along",
       "average",
       {{3, 4}, {4}},
       one([](const V& x) { return F::average(x[0], 1, x[1], true); }),
       0.5,
       1},
      {"logsumexp", "LogSumExp logsumexp", {{3, 4}}, one([](const V& x) {
         return F::logsumexp(x[0], 1);
       })},
      {"logsumexp_all", "logsumexp", {{3, 4}}, one([](const V& x) { return F::logsumexp(x[0]); })},
  };
}

}  // namespace

std::vector<FunctionRow> math_rows() {
  std::vector<FunctionRow> all;
  for (const auto family : {arithmetic, elementary, products, contractions, matrices, special,
                            fourier, compositions, reductions}) {
    for (FunctionRow& row : family()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace chainerxx::testing
