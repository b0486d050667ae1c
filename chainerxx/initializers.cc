// SPDX-License-Identifier: MIT
#include "chainerxx/initializers.h"

#include <cmath>
#include <limits>

#include "chainerxx/internal/initialize.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::initializers {
namespace {

/// A scale of random numbers.
double checked_scale(const char* name, double scale) {
  if (scale >= 0) return scale;
  throw cupyxx::ValueError(
      cupyxx::message(name, ": the scale is negative; ", cupyxx::Scalar(scale)));
}

void fill_normal(const ndarray& array, double deviation) {
  const cupyxx::DeviceScope device(array.device());
  array.set(internal::normal(array.shape(), deviation, array.dtype()));
}

void fill_uniform(const ndarray& array, double bound) {
  internal::check_floating("uniform", array.dtype());
  const cupyxx::DeviceScope device(array.device());
  const cupyxx::dtype drawn = array.dtype() == cupyxx::float64 ? cupyxx::float64 : cupyxx::float32;
  const ndarray numbers =
      cupyxx::random::uniform(array.shape(), {.low = -bound, .high = bound, .dtype = drawn});
  array.set(numbers.astype(array.dtype(), false));
}

double fan_of(const ndarray& array, FanOption option) {
  const Fans fans = get_fans(array.shape());
  return static_cast<double>(option == FanOption::fan_in ? fans.fan_in : fans.fan_out);
}

double both_fans(const ndarray& array) {
  const Fans fans = get_fans(array.shape());
  return static_cast<double>(fans.fan_in) + static_cast<double>(fans.fan_out);
}

/// scale * sqrt(a / fan); nothing is drawn for layers without inputs.
double spread(double scale, double a, double fan) {
  return fan > 0 ? scale * std::sqrt(a / fan) : 0;
}

const char* text_of(OrthogonalMode mode) {
  switch (mode) {
    case OrthogonalMode::projection:
      return "projection";
    case OrthogonalMode::embedding:
      return "embedding";
    case OrthogonalMode::basis:
      return "basis";
    default:
      return "automatic";
  }
}

/// Numbers of the type in which matrices are decomposed.
ndarray drawn_matrix(std::int64_t rows, std::int64_t columns, cupyxx::dtype dtype) {
  const cupyxx::dtype type = dtype == cupyxx::float64 ? cupyxx::float64 : cupyxx::float32;
  return internal::normal({rows, columns}, 1, type);
}

}  // namespace

Fans get_fans(const cupyxx::Shape& shape) {
  if (shape.ndim() < 2) {
    throw cupyxx::ValueError(
        cupyxx::message("get_fans: the shape has fewer than two axes; ", shape));
  }
  std::int64_t window = 1;
  for (int i = 2; i < shape.ndim(); ++i) window *= shape[i];
  return {shape[1] * window, shape[0] * window};
}

Initializer::~Initializer() = default;

Normal::Normal(double scale) : scale_(checked_scale("Normal", scale)) {}
void Normal::operator()(const ndarray& array) const { fill_normal(array, scale_); }

Uniform::Uniform(double scale) : scale_(checked_scale("Uniform", scale)) {}
void Uniform::operator()(const ndarray& array) const { fill_uniform(array, scale_); }

LeCunNormal::LeCunNormal(double scale) : scale_(checked_scale("LeCunNormal", scale)) {}
void LeCunNormal::operator()(const ndarray& array) const {
  fill_normal(array, spread(scale_, 1, fan_of(array, FanOption::fan_in)));
}

LeCunUniform::LeCunUniform(double scale) : scale_(checked_scale("LeCunUniform", scale)) {}
void LeCunUniform::operator()(const ndarray& array) const {
  fill_uniform(array, spread(scale_, 3, fan_of(array, FanOption::fan_in)));
}

GlorotNormal::GlorotNormal(double scale) : scale_(checked_scale("GlorotNormal", scale)) {}
void GlorotNormal::operator()(const ndarray& array) const {
  fill_normal(array, spread(scale_, 2, both_fans(array)));
}

GlorotUniform::GlorotUniform(double scale) : scale_(checked_scale("GlorotUniform", scale)) {}
void GlorotUniform::operator()(const ndarray& array) const {
  fill_uniform(array, spread(scale_, 6, both_fans(array)));
}

HeNormal::HeNormal(double scale, FanOption fan_option)
    : scale_(checked_scale("HeNormal", scale)), fan_(fan_option) {}
void HeNormal::operator()(const ndarray& array) const {
  fill_normal(array, spread(scale_, 2, fan_of(array, fan_)));
}

HeUniform::HeUniform(double scale, FanOption fan_option)
    : scale_(checked_scale("HeUniform", scale)), fan_(fan_option) {}
void HeUniform::operator()(const ndarray& array) const {
  fill_uniform(array, spread(scale_, 6, fan_of(array, fan_)));
}

Orthogonal::Orthogonal(double scale, OrthogonalMode mode) : scale_(scale), mode_(mode) {}

void Orthogonal::operator()(const ndarray& array) const {
  const cupyxx::Shape shape = array.shape();
  internal::check_floating("Orthogonal", array.dtype());
  if (array.size() == 0) {
    throw cupyxx::ValueError(cupyxx::message("Orthogonal: the array has no elements; ", shape));
  }
  const std::int64_t rows = shape.ndim() == 0 ? 1 : shape[0], columns = array.size() / rows;
  const bool refuses_wide = mode_ == OrthogonalMode::embedding || mode_ == OrthogonalMode::basis;
  const bool refuses_tall = mode_ == OrthogonalMode::projection || mode_ == OrthogonalMode::basis;
  if ((columns > rows && refuses_wide) || (columns < rows && refuses_tall)) {
    throw cupyxx::ValueError(cupyxx::message("Orthogonal: a matrix of ", rows, " rows and ",
                                             columns, " columns is no ", text_of(mode_), "; shape ",
                                             shape));
  }
  const cupyxx::DeviceScope device(array.device());
  const bool is_wide = columns > rows;
  const ndarray drawn = drawn_matrix(rows, columns, array.dtype());
  const auto [q, r] = cupyxx::linalg::qr(is_wide ? drawn.T() : drawn);
  // The signs make the result uniform over all such matrices.
  const ndarray signs = cupyxx::copysign(cupyxx::full({}, scale_, r.dtype()), cupyxx::diagonal(r));
  const ndarray signed_q = q * signs;
  array.set((is_wide ? signed_q.T() : signed_q).reshape(shape).astype(array.dtype(), false));
}

void Identity::operator()(const ndarray& array) const {
  const cupyxx::Shape shape = array.shape();
  if (shape.ndim() != 2 || shape[0] != shape[1]) {
    throw cupyxx::ValueError(cupyxx::message("Identity: the array is no square matrix; ", shape));
  }
  const cupyxx::DeviceScope device(array.device());
  array.fill(0);
  cupyxx::fill_diagonal(array, scale_);
}

Constant::Constant(const ndarray& fill_value) : value_(fill_value) {
  if (fill_value.is_none()) throw cupyxx::TypeError("Constant: the array is None");
}

ndarray Constant::number(const cupyxx::Scalar& value) {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  return cupyxx::full({}, value, cupyxx::float64);
}

void Constant::operator()(const ndarray& array) const {
  if (value_.ndim() == 0 && value_.device().is_cpu()) {
    array.fill(value_.astype(cupyxx::float64).item<double>());
    return;
  }
  array.set(cupyxx::broadcast_to(value_.astype(array.dtype(), false), array.shape()));
}

void Zero::operator()(const ndarray& array) const { array.fill(0); }
void One::operator()(const ndarray& array) const { array.fill(1); }
void NaN::operator()(const ndarray& array) const {
  array.fill(std::numeric_limits<double>::quiet_NaN());
}

void UpsamplingDeconvFilter::operator()(const ndarray& array) const {
  const cupyxx::Shape shape = array.shape();
  if (shape.ndim() != 4 || shape[0] != shape[1] || shape[2] != shape[3]) {
    throw cupyxx::ValueError(cupyxx::message(
        "UpsamplingDeconvFilter: the array is not (channels, channels, k, k); ", shape));
  }
  const cupyxx::DeviceScope device(array.device());
  const auto size = static_cast<double>(shape[2]), factor = std::floor((size + 1) / 2);
  const double centre = std::fmod(size, 2) == 1 ? factor - 1 : factor - 0.5;
  const ndarray places = cupyxx::arange(shape[2]).astype(cupyxx::float64);
  const ndarray weights = 1 - cupyxx::absolute(places - centre) / factor;
  const ndarray window = cupyxx::expand_dims(weights, 1) * weights * scale_;
  const ndarray own = cupyxx::eye(shape[0], shape[0], 0, cupyxx::float64);
  array.set((own.reshape({shape[0], shape[0], 1, 1}) * window).astype(array.dtype()));
}

std::shared_ptr<const Initializer> by_name(std::string_view name) {
  if (name == "Normal") return std::make_shared<const Normal>();
  if (name == "Uniform") return std::make_shared<const Uniform>();
  if (name == "LeCunNormal") return std::make_shared<const LeCunNormal>();
  if (name == "LeCunUniform") return std::make_shared<const LeCunUniform>();
  if (name == "GlorotNormal") return std::make_shared<const GlorotNormal>();
  if (name == "GlorotUniform") return std::make_shared<const GlorotUniform>();
  if (name == "HeNormal") return std::make_shared<const HeNormal>();
  if (name == "HeUniform") return std::make_shared<const HeUniform>();
  if (name == "Orthogonal") return std::make_shared<const Orthogonal>();
  if (name == "Identity") return std::make_shared<const Identity>();
  if (name == "Zero") return std::make_shared<const Zero>();
  if (name == "One") return std::make_shared<const One>();
  if (name == "NaN") return std::make_shared<const NaN>();
  if (name == "UpsamplingDeconvFilter") return std::make_shared<const UpsamplingDeconvFilter>();
  throw cupyxx::ValueError(
      cupyxx::message("initializers: there is none of this name; \"", name, "\""));
}

Initial::Initial(const char* name) : initializer_(by_name(name)) {}
Initial::Initial(const std::string& name) : initializer_(by_name(name)) {}

ndarray generate_array(const Initial& initial, const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  if (initial.is_none()) {
    throw cupyxx::ValueError("generate_array: None says no starting value");
  }
  internal::check_floating("generate_array", dtype);
  internal::check_sizes("generate_array", shape);
  if (initial.initializer() != nullptr) {
    const ndarray array = cupyxx::empty(shape, dtype);
    (*initial.initializer())(array);
    return array;
  }
  return internal::checked_initial("generate_array", "the array", initial.array(), shape)
      .to(cupyxx::current_device())
      .astype(dtype, true);
}

}  // namespace chainerxx::initializers
