// SPDX-License-Identifier: MIT
#include "chainerxx/functions/caffe/layers.h"

#include <cmath>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/functions/normalization/local_response_normalization.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

namespace F = functions;
using caffe_files::Layer;
using Variables = std::vector<Variable>;

/// A layer of one input and one result.
template <class Call>
CaffeLayer one(Call call) {
  return [call](const Variables& x, bool) { return Variables{call(x[0])}; };
}

Variable eltwise(const caffe_files::EltwiseParam& param, const Variables& x) {
  Variable y = x[0];
  const auto weighted = [&](int i) {
    const Variable& term = x[static_cast<std::size_t>(i)];
    return i < param.coeff_size() && param.coeff(i) != 1 ? term * param.coeff(i) : term;
  };
  const bool is_sum = param.operation() == caffe_files::EltwiseParam::SUM;
  if (is_sum) y = weighted(0);
  for (int i = 1; i < static_cast<int>(x.size()); ++i) {
    const Variable& next = x[static_cast<std::size_t>(i)];
    if (next.shape() != y.shape()) {
      throw cupyxx::ShapeError(
          cupyxx::message("Eltwise: the shapes differ; ", y.shape(), " and ", next.shape()));
    }
    if (is_sum) {
      y = y + weighted(i);
    } else {
      y = param.operation() == caffe_files::EltwiseParam::PROD ? y * next : F::maximum(y, next);
    }
  }
  return y;
}

/// x / (1 + alpha * (the mean of the squares under a window, zeros outside included))^beta.
Variable within_channel(const caffe_files::LrnParam& param, const Variable& x) {
  const std::int64_t n = param.local_size();
  const Variable mean = F::average_pooling_2d(F::square(x), n, {.stride = 1, .pad = (n - 1) / 2});
  return x * F::pow(mean * param.alpha() + 1, -static_cast<double>(param.beta()));
}

Variable reshaped(const caffe_files::ReshapeParam& param, const Variable& x) {
  const cupyxx::Shape old = x.shape();
  cupyxx::Shape shape;
  for (int i = 0; i < param.shape().dim_size(); ++i) {
    const std::int64_t extent = param.shape().dim(i);
    shape.push_back(extent == 0 && i < old.ndim() ? old[i] : extent);
  }
  return F::reshape(x, shape);
}

Variable flattened(const caffe_files::FlattenParam& param, const Variable& x) {
  const cupyxx::Shape old = x.shape();
  const int first = cupyxx::normalize_axis("Flatten", param.axis(), old.ndim());
  const int last = cupyxx::normalize_axis("Flatten", param.end_axis(), old.ndim());
  cupyxx::Shape shape;
  std::int64_t joined = 1;
  for (int i = 0; i < old.ndim(); ++i) {
    if (i >= first && i <= last) joined *= old[i];
    if (i < first || i > last) shape.push_back(old[i]);
    if (i == last) shape.push_back(joined);
  }
  return F::reshape(x, shape);
}

Variables sliced(const caffe_files::SliceParam& param, int parts, const Variable& x) {
  const int axis = param.has_slice_dim() ? static_cast<int>(param.slice_dim()) : param.axis();
  if (param.slice_point_size() == 0) return F::split_axis(x, parts, axis);
  const std::vector<std::int64_t> points(param.slice_point().begin(), param.slice_point().end());
  return F::split_axis(x, points, axis);
}

}  // namespace

void CaffeBuilder::refuse(const Layer& layer, const std::string& what) const {
  throw cupyxx::ValueError(cupyxx::message("CaffeFunction: ", path, ": layer '", layer.name(),
                                           "' (", layer.type(), ") ", what));
}

ndarray CaffeBuilder::blob(const Layer& layer, int index) const {
  const caffe_files::Blob& blob = layer.blobs(index);
  cupyxx::Shape shape;
  std::int64_t declared = 0;
  try {
    if (blob.has_shape()) {
      for (const std::int64_t extent : blob.shape().dim()) shape.push_back(extent);
    } else {
      shape = {blob.num(), blob.channels(), blob.height(), blob.width()};
    }
    declared = shape.element_count();
  } catch (const cupyxx::Error& error) {
    refuse(layer, cupyxx::message("declares an impossible shape; ", error.what()));
  }
  const bool is_double = blob.data_size() == 0 && blob.double_data_size() != 0;
  const std::int64_t held = is_double ? blob.double_data_size() : blob.data_size();
  bool is_negative = false;
  for (const std::int64_t extent : shape) is_negative = is_negative || extent < 0;
  if (is_negative || declared != held) {
    refuse(layer,
           cupyxx::message("declares an array of shape ", shape, " but holds ", held, " numbers"));
  }
  std::vector<float> values;
  if (is_double) {
    values.assign(blob.double_data().begin(), blob.double_data().end());
  } else {
    values.assign(blob.data().begin(), blob.data().end());
  }
  return cupyxx::array(values).reshape(shape);
}

ndarray CaffeBuilder::fill(const caffe_files::Filler* filler, const cupyxx::Shape& shape,
                           double inputs) const {
  const double fan = std::max(inputs, 1.0);
  const auto normal = [&](double mean, double deviation) {
    return random->normal(shape, {.loc = mean, .scale = deviation, .dtype = cupyxx::float32});
  };
  const auto uniform = [&](double low, double high) {
    return random->uniform(shape, {.low = low, .high = high, .dtype = cupyxx::float32});
  };
  if (filler == nullptr) return normal(0, std::sqrt(1 / fan));
  const std::string& type = filler->type();
  if (type == "constant") return cupyxx::full(shape, filler->value(), cupyxx::float32);
  if (type == "gaussian") return normal(filler->mean(), filler->std());
  if (type == "uniform") return uniform(filler->min(), filler->max());
  if (type == "xavier") return uniform(-std::sqrt(3 / fan), std::sqrt(3 / fan));
  if (type == "msra") return normal(0, std::sqrt(2 / fan));
  throw cupyxx::ValueError(
      cupyxx::message("CaffeFunction: ", path, ": unknown filler '", type, "'"));
}

CaffeLayer CaffeBuilder::simple(const Layer& layer) const {
  const std::string& type = layer.type();
  if (type == "AbsVal") return one([](const Variable& x) { return F::absolute(x); });
  if (type == "Concat") {
    const auto& param = layer.concat_param();
    const int axis = param.has_concat_dim() ? static_cast<int>(param.concat_dim()) : param.axis();
    return [axis](const Variables& x, bool) { return Variables{F::concat(x, axis)}; };
  }
  if (type == "Dropout") {
    const double ratio = layer.dropout_param().dropout_ratio();
    static_cast<void>(F::Dropout(ratio));  // throws for a ratio that cannot be
    return [ratio](const Variables& x, bool train) {
      return Variables{F::dropout(x[0], ratio, train)};
    };
  }
  if (type == "ELU") {
    const double alpha = layer.elu_param().alpha();
    return one([alpha](const Variable& x) { return F::elu(x, alpha); });
  }
  if (type == "Eltwise") {
    const auto& param = layer.eltwise_param();
    if (param.coeff_size() != 0 && param.coeff_size() != layer.bottom_size()) {
      refuse(layer, cupyxx::message("has ", param.coeff_size(), " coefficients for ",
                                    layer.bottom_size(), " inputs"));
    }
    return [param](const Variables& x, bool) { return Variables{eltwise(param, x)}; };
  }
  if (type == "Flatten") {
    const auto& param = layer.flatten_param();
    return one([param](const Variable& x) { return flattened(param, x); });
  }
  if (type == "LRN") {
    const auto& param = layer.lrn_param();
    if (param.local_size() == 0) refuse(layer, "has no neighbourhood; local_size is 0");
    if (param.norm_region() == caffe_files::LrnParam::WITHIN_CHANNEL) {
      if (param.local_size() % 2 == 0) {
        refuse(layer,
               cupyxx::message("has a window without centre; local_size is ", param.local_size()));
      }
      return one([param](const Variable& x) { return within_channel(param, x); });
    }
    const F::LocalResponseNormalizationOptions options = {
        .n = static_cast<int>(param.local_size()),
        .k = param.k(),
        .alpha = static_cast<double>(param.alpha()) / param.local_size(),
        .beta = param.beta()};
    return one(
        [options](const Variable& x) { return F::local_response_normalization(x, options); });
  }
  if (type == "Power") {
    const auto& param = layer.power_param();
    return one([param](const Variable& x) {
      Variable y = param.scale() == 1 ? x : x * param.scale();
      if (param.shift() != 0) y = y + param.shift();
      return param.power() == 1 ? y : F::pow(y, static_cast<double>(param.power()));
    });
  }
  if (type == "ReLU") {
    const double slope = layer.relu_param().negative_slope();
    if (slope == 0) return one([](const Variable& x) { return F::relu(x); });
    return one([slope](const Variable& x) { return F::leaky_relu(x, slope); });
  }
  if (type == "Reshape") {
    const auto& param = layer.reshape_param();
    if (param.axis() != 0 || param.num_axes() != -1) {
      refuse(layer, "reshapes a part of the axes, which is not known here");
    }
    return one([param](const Variable& x) { return reshaped(param, x); });
  }
  if (type == "Sigmoid") return one([](const Variable& x) { return F::sigmoid(x); });
  if (type == "Slice") {
    const auto& param = layer.slice_param();
    const int parts = layer.top_size();
    return [param, parts](const Variables& x, bool) { return sliced(param, parts, x[0]); };
  }
  if (type == "Softmax") {
    const int axis = layer.softmax_param().axis();
    return one([axis](const Variable& x) { return F::softmax(x, axis); });
  }
  if (type == "SoftmaxWithLoss") {
    return [name = layer.name()](const Variables& x, bool) {
      if (x.size() < 2) {
        throw cupyxx::ValueError(
            cupyxx::message("CaffeFunction: layer '", name, "' has no labels"));
      }
      return Variables{F::softmax_cross_entropy(x[0], x[1])};
    };
  }
  if (type == "Split") {
    const auto copies = static_cast<std::size_t>(layer.top_size());
    return [copies](const Variables& x, bool) { return Variables(copies, x[0]); };
  }
  if (type == "TanH") return one([](const Variable& x) { return F::tanh(x); });
  return {};
}

CaffeLayer CaffeBuilder::make(const Layer& layer, const Variables& inputs, bool& is_pending) {
  try {
    return make_known(layer, inputs, is_pending);
  } catch (const cupyxx::Error& error) {
    const std::string what = error.what();
    if (what.starts_with("CaffeFunction: ")) throw;
    refuse(layer, cupyxx::message("cannot be made; ", what));
  }
}

CaffeLayer CaffeBuilder::make_known(const Layer& layer, const Variables& inputs, bool& is_pending) {
  const std::string& type = layer.type();
  if (type == "Convolution" || type == "Deconvolution") {
    return convolution(layer, inputs, is_pending);
  }
  if (type == "InnerProduct") return inner_product(layer, inputs, is_pending);
  if (type == "BatchNorm") return batch_norm(layer, inputs, is_pending);
  if (type == "Scale") return scale(layer, inputs, is_pending);
  if (type == "PReLU") return prelu(layer, inputs, is_pending);
  if (type == "Pooling") return pooling(layer);
  return simple(layer);
}

FunctionSet& CaffeBuilder::set_of(const Layer& layer, std::string& name) const {
  FunctionSet* set = functions;
  name = layer.name();
  for (std::size_t slash; (slash = name.find('/')) != std::string::npos;) {
    const std::string part = name.substr(0, slash);
    name = name.substr(slash + 1);
    try {
      set = set->contains(part) ? &set->set(part) : &set->add<FunctionSet>(part);
    } catch (const cupyxx::Error& error) {
      refuse(layer, cupyxx::message("cannot be named so beside the others; ", error.what()));
    }
  }
  return *set;
}

}  // namespace chainerxx::internal
