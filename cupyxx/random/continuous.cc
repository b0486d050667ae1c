// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random/curand_draw.h"
#include "cupyxx/random/draw.h"

namespace cupyxx::random {
namespace {

using internal::Fill;
using internal::Sample;
using internal::kernels::RandomArgs;

template <class Options>
DrawOptions draw_options(const Options& options) {
  return {.dtype = options.dtype, .out = options.out};
}

// The highest number of a type below `high`, so that rounding does not reach it.
double below(double high, dtype type) {
  const auto step = [&](auto value) {
    if (static_cast<double>(static_cast<float>(value)) < high) return value;
    if (static_cast<float>(value) == 0) {
      value.bits = 0x8001;
    } else {
      value.bits = static_cast<unsigned short>(value.bits + (value.bits & 0x8000 ? 1 : -1));
    }
    return value;
  };
  if (type == float16) return static_cast<float>(step(half(high)));
  if (type == bfloat16_) return static_cast<float>(step(bfloat16(high)));
  if (type == float64) return std::nextafter(high, -std::numeric_limits<double>::infinity());
  const auto nearest = static_cast<float>(high);
  if (static_cast<double>(nearest) < high) return nearest;
  return std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

}  // namespace

ndarray RandomState::uniform(const SizeList& size, const UniformOptions& options) {
  const DrawOptions draw = draw_options(options);
  if (options.low.is_array() || options.high.is_array()) {
    check_order("uniform", options.low, options.high, true, "high - low < 0");
    return draw_samples(*this, Sample::uniform, {&options.low, &options.high}, size, draw);
  }
  const dtype type = result_dtype(draw, float64);
  check_floating("uniform", type, true);
  const double low = value_of(options.low), high = value_of(options.high);
  if (!std::isfinite(high - low)) {
    throw OverflowError(
        message("uniform: the range exceeds valid bounds; ", Scalar(low), " and ", Scalar(high)));
  }
  if (high < low) {
    throw ValueError(message("uniform: high - low < 0; ", Scalar(low), " and ", Scalar(high)));
  }
  if (method() != Method::counter) return curand_uniform(*this, low, high, size, draw);
  RandomArgs args{};
  args.a = low;
  args.b = high - low;
  args.most = std::max(below(high, type), low);
  return draw_fill(*this, "uniform", Fill::uniform, size, draw, args);
}

ndarray RandomState::normal(const SizeList& size, const NormalOptions& options) {
  const DrawOptions draw = draw_options(options);
  if (options.loc.is_array() || options.scale.is_array()) {
    return draw_samples(*this, Sample::normal, {&options.loc, &options.scale}, size, draw);
  }
  check_floating("normal", result_dtype(draw, float64), true);
  RandomArgs args{};
  args.a = value_of(options.loc);
  args.b = value_of(options.scale);
  check_parameter("normal", "scale", Check::not_negative, args.b);
  if (method() != Method::counter) return curand_normal(*this, args.a, args.b, size, draw);
  return draw_fill(*this, "normal", Fill::normal, size, draw, args);
}

ndarray RandomState::exponential(const SizeList& size, const ScaleOptions& options) {
  const DrawOptions draw = draw_options(options);
  if (options.scale.is_array()) {
    return draw_samples(*this, Sample::exponential, {&options.scale}, size, draw);
  }
  check_floating("exponential", result_dtype(draw, float64), true);
  RandomArgs args{};
  args.b = value_of(options.scale);
  check_parameter("exponential", "scale", Check::not_negative, args.b);
  return draw_fill(*this, "exponential", Fill::exponential, size, draw, args);
}

ndarray RandomState::lognormal(const SizeList& size, const LognormalOptions& options) {
  const DrawOptions draw = draw_options(options);
  if (method() != Method::counter && !options.mean.is_array() && !options.sigma.is_array()) {
    return curand_lognormal(*this, value_of(options.mean), value_of(options.sigma), size, draw);
  }
  return draw_samples(*this, Sample::lognormal, {&options.mean, &options.sigma}, size, draw);
}

ndarray RandomState::rand(const Shape& size, const DrawOptions& options) {
  return random_sample(size, options);
}
ndarray RandomState::randn(const Shape& size, const DrawOptions& options) {
  return standard_normal(size, options);
}
ndarray RandomState::random_sample(const Shape& size, const DrawOptions& options) {
  return uniform(size, {.dtype = options.dtype, .out = options.out});
}
ndarray RandomState::standard_normal(const Shape& size, const DrawOptions& options) {
  return normal(size, {.dtype = options.dtype, .out = options.out});
}
ndarray RandomState::standard_exponential(const Shape& size, const DrawOptions& options) {
  return exponential(size, {.dtype = options.dtype, .out = options.out});
}

ndarray RandomState::gamma(const Param& shape, const SizeList& size, const ScaleOptions& options) {
  return draw_samples(*this, Sample::gamma, {&shape, &options.scale}, size, draw_options(options));
}
ndarray RandomState::standard_gamma(const Param& shape, const Shape& size,
                                    const DrawOptions& options) {
  return gamma(shape, size, {.dtype = options.dtype, .out = options.out});
}
ndarray RandomState::beta(const Param& a, const Param& b, const Shape& size,
                          const DrawOptions& options) {
  return draw_samples(*this, Sample::beta, {&a, &b}, size, options);
}
ndarray RandomState::chisquare(const Param& df, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::chisquare, {&df}, size, options);
}
ndarray RandomState::f(const Param& dfnum, const Param& dfden, const Shape& size,
                       const DrawOptions& options) {
  return draw_samples(*this, Sample::f, {&dfnum, &dfden}, size, options);
}
ndarray RandomState::noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size,
                                          const DrawOptions& options) {
  return draw_samples(*this, Sample::noncentral_chisquare, {&df, &nonc}, size, options);
}
ndarray RandomState::noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc,
                                  const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::noncentral_f, {&dfnum, &dfden, &nonc}, size, options);
}
ndarray RandomState::standard_t(const Param& df, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::standard_t, {&df}, size, options);
}
ndarray RandomState::standard_cauchy(const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::standard_cauchy, {}, size, options);
}
ndarray RandomState::laplace(const SizeList& size, const NormalOptions& options) {
  return draw_samples(*this, Sample::laplace, {&options.loc, &options.scale}, size,
                      draw_options(options));
}
ndarray RandomState::gumbel(const SizeList& size, const NormalOptions& options) {
  return draw_samples(*this, Sample::gumbel, {&options.loc, &options.scale}, size,
                      draw_options(options));
}
ndarray RandomState::logistic(const SizeList& size, const NormalOptions& options) {
  return draw_samples(*this, Sample::logistic, {&options.loc, &options.scale}, size,
                      draw_options(options));
}
ndarray RandomState::rayleigh(const SizeList& size, const ScaleOptions& options) {
  return draw_samples(*this, Sample::rayleigh, {&options.scale}, size, draw_options(options));
}
ndarray RandomState::weibull(const Param& a, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::weibull, {&a}, size, options);
}
ndarray RandomState::pareto(const Param& a, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::pareto, {&a}, size, options);
}
ndarray RandomState::power(const Param& a, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::power, {&a}, size, options);
}
ndarray RandomState::triangular(const Param& left, const Param& mode, const Param& right,
                                const Shape& size, const DrawOptions& options) {
  if (!left.is_array() && !mode.is_array() && !right.is_array()) {
    const double a = value_of(left), b = value_of(mode), c = value_of(right);
    const std::string values = message(Scalar(a), ", ", Scalar(b), ", ", Scalar(c));
    if (a > b) throw ValueError(message("triangular: left > mode; ", values));
    if (b > c) throw ValueError(message("triangular: mode > right; ", values));
    if (a == c) throw ValueError(message("triangular: left == right; ", values));
  } else {
    check_order("triangular", left, mode, true, "left > mode");
    check_order("triangular", mode, right, true, "mode > right");
    check_order("triangular", left, right, false, "left == right");
  }
  return draw_samples(*this, Sample::triangular, {&left, &mode, &right}, size, options);
}
ndarray RandomState::wald(const Param& mean, const Param& scale, const Shape& size,
                          const DrawOptions& options) {
  return draw_samples(*this, Sample::wald, {&mean, &scale}, size, options);
}
ndarray RandomState::vonmises(const Param& mu, const Param& kappa, const Shape& size,
                              const DrawOptions& options) {
  return draw_samples(*this, Sample::vonmises, {&mu, &kappa}, size, options);
}

ndarray RandomState::multivariate_normal(const ndarray& mean, const ndarray& cov,
                                         const Shape& size) {
  constexpr const char* kName = "multivariate_normal";
  internal::check_not_none(kName, mean);
  internal::check_not_none(kName, cov);
  internal::common_device(kName, mean, cov);
  const std::string shapes = message(mean.shape(), " and ", cov.shape());
  if (mean.ndim() != 1) throw ValueError(message(kName, ": mean must be 1-d; ", shapes));
  if (cov.ndim() != 2 || cov.shape()[0] != cov.shape()[1]) {
    throw ValueError(message(kName, ": cov must be square; ", shapes));
  }
  if (cov.shape()[0] != mean.size()) {
    throw ValueError(message(kName, ": mean and cov must have the same length; ", shapes));
  }
  const DeviceScope scope(mean.device());
  Shape shape = size;
  shape.push_back(mean.size());
  const ndarray factor = linalg::cholesky(cov.astype(float64, false));
  const ndarray z = standard_normal(shape);
  return matmul(z.reshape({-1, mean.size()}), factor.T()).reshape(shape) + mean;
}

}  // namespace cupyxx::random
