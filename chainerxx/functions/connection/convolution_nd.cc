// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/convolution_nd.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/filters.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/unsized.h"
#include "chainerxx/utils/conv.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using Options = ConvolutionNDFunctionOptions;

/// What a call does along each axis.
struct Geometry {
  const char* name;
  Shape window, stride, pad, dilate, outsize;  // outsize without axes: the smallest that fits
  const Options& options;

  ConvolutionOptions of_images(const Size2D& size) const {
    const int h = window.ndim() - 2, w = window.ndim() - 1;
    return {.stride = {stride[h], stride[w]},
            .pad = {pad[h], pad[w]},
            .use_cudnn = options.use_cudnn,
            .allow_tf32 = options.allow_tf32,
            .dilate = {dilate[h], dilate[w]},
            .groups = options.groups,
            .outsize = size};
  }
  ConvolutionOptions of_rows(const Size2D& size) const {
    return {.stride = {std::int64_t{1}, stride[0]},
            .pad = {std::int64_t{0}, pad[0]},
            .use_cudnn = options.use_cudnn,
            .allow_tf32 = options.allow_tf32,
            .dilate = {std::int64_t{1}, dilate[0]},
            .groups = options.groups,
            .outsize = size};
  }
  /// The same without the first axis.
  Geometry behind_first() const {
    const auto rest = [](const Shape& all) {
      Shape few;
      for (int i = 1; i < all.ndim(); ++i) few.push_back(all[i]);
      return few;
    };
    return {name, rest(window), rest(stride), rest(pad), rest(dilate), rest(outsize), options};
  }
};

Shape sizes(const char* name, const char* what, const SizeND& given, int ndim, std::int64_t least) {
  if (given.is_none()) throw cupyxx::ValueError(cupyxx::message(name, ": ", what, " is None"));
  const std::optional<Shape> found = given.of(ndim);
  if (!found) {
    throw cupyxx::ValueError(cupyxx::message(name, ": ", what, " is not of ", ndim, " axes"));
  }
  for (const std::int64_t size : *found) {
    if (size >= least && size <= std::int64_t{1} << 31) continue;
    throw cupyxx::ValueError(
        cupyxx::message(name, ": ", what, " is out of range along an axis; ", size));
  }
  return *found;
}

Geometry geometry(const char* name, const Shape& window, const Options& options) {
  const int ndim = window.ndim();
  return {name,
          window,
          sizes(name, "the stride", options.stride, ndim, 1),
          sizes(name, "the padding", options.pad, ndim, 0),
          sizes(name, "the dilation", options.dilate, ndim, 1),
          options.outsize.is_none() ? Shape{} : sizes(name, "outsize", options.outsize, ndim, 1),
          options};
}

/// Checks what x, W and b must have in common; (inputs of W, outputs of W) are counted with groups.
Geometry checked(const char* name, const Variable& x, const Variable& W, const Variable& b,
                 const Options& options, bool transposed) {
  internal::refuse_none(name, {&x, &W});
  const Shape image = x.shape(), filters = W.shape();
  if (image.ndim() < 3 || filters.ndim() != image.ndim()) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": x and W are not (n, channels, ...) and filters of as many axes; ",
                        image, " and ", filters));
  }
  check_groups(name, options.groups, transposed ? image[1] : filters[0]);
  const std::int64_t inputs =
      transposed ? filters[0] : internal::times(name, filters[1], options.groups);
  if (image[1] != inputs) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": x has other channels than W; ", image,
                                             " and ", filters, " in ", options.groups, " groups"));
  }
  const std::int64_t outputs =
      transposed ? internal::times(name, filters[1], options.groups) : filters[0];
  if (!b.is_none() && b.shape() != Shape{outputs}) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": b is not (", outputs, ",); ", b.shape()));
  }
  Shape window;
  for (int i = 2; i < filters.ndim(); ++i) {
    if (filters[i] < 1) {
      throw cupyxx::ValueError(cupyxx::message(name, ": the window must not be empty; ", filters));
    }
    window.push_back(filters[i]);
  }
  return geometry(name, window, options);
}

/// `shape` with axis `axis` and the next one as one.
Shape joined(const Shape& shape, int axis) {
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (i == axis + 1) {
      out[axis] *= shape[i];
    } else {
      out.push_back(shape[i]);
    }
  }
  return out;
}

/// `shape` with axis `axis` as two.
Shape divided(const Shape& shape, int axis, std::int64_t count, std::int64_t rest) {
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (i == axis) out.push_back(count);
    out.push_back(i == axis ? rest : shape[i]);
  }
  return out;
}

/// Which elements of the first axis lie under each place of the window: (places, window).
ndarray places_of(const Variable& x, const Geometry& how, std::int64_t places) {
  const cupyxx::DeviceScope device(x.device());
  const ndarray first = cupyxx::arange(places) * how.stride[0];
  return cupyxx::expand_dims(first, 1) + cupyxx::arange(how.window[0]) * how.dilate[0];
}

Variable padded(const Variable& x, std::int64_t width) {
  if (width == 0) return x;
  std::vector<std::array<std::int64_t, 2>> widths(static_cast<std::size_t>(x.ndim()), {0, 0});
  widths[2] = {width, width};
  return pad(x, widths);
}

Variable with_row(const Variable& x) { return expand_dims(x, 2); }
Variable without_row(const Variable& y) { return squeeze(y, 2); }

Variable convolve(const Geometry& how, const Variable& x, const Variable& W, const Variable& b) {
  const int ndim = how.window.ndim();
  if (ndim == 1) {
    return without_row(convolution_2d(with_row(x), with_row(W), b, how.of_rows({})));
  }
  if (ndim == 2) return convolution_2d(x, W, b, how.of_images({}));
  const std::int64_t places = utils::get_conv_outsize(x.shape()[2], how.window[0], how.stride[0],
                                                      how.pad[0], false, how.dilate[0]);
  if (places < 1) {
    throw cupyxx::ShapeError(
        cupyxx::message(how.name, ": the window is larger than the padded input; window ",
                        how.window, ", pad ", how.pad, ", input ", x.shape()));
  }
  // (n, c, places, k, ...) as (n places, c k, ...), images whose channels are the window's slices.
  const std::vector<cupyxx::Index> under = {cupyxx::slice(), cupyxx::slice(),
                                            places_of(x, how, places)};
  const Variable slices = swapaxes(get_item(padded(x, how.pad[0]), under), 1, 2);
  const Variable images = reshape(slices, joined(joined(slices.shape(), 2), 0));
  const Variable y = convolve(how.behind_first(), images, reshape(W, joined(W.shape(), 1)), b);
  return swapaxes(reshape(y, divided(y.shape(), 0, x.shape()[0], places)), 1, 2);
}

Variable deconvolve(const Geometry& how, const Variable& x, const Variable& W) {
  const int ndim = how.window.ndim();
  const bool is_given = how.outsize.ndim() > 0;
  if (ndim == 1) {
    const Size2D size = is_given ? Size2D(std::int64_t{1}, how.outsize[0]) : Size2D();
    return without_row(deconvolution_2d(with_row(x), with_row(W), how.of_rows(size)));
  }
  if (ndim == 2) {
    const Size2D size = is_given ? Size2D(how.outsize[0], how.outsize[1]) : Size2D();
    return deconvolution_2d(x, W, how.of_images(size));
  }
  const Shape shape = x.shape();
  const std::int64_t n = shape[0], depth = shape[2], window = how.window[0];
  const std::int64_t spread =
      internal::product_plus(how.name, how.stride[0], std::max<std::int64_t>(depth - 1, 0),
                             (window - 1) * how.dilate[0] + 1);
  const std::int64_t size = is_given ? how.outsize[0] : spread - 2 * how.pad[0];
  if (size < 1 || utils::get_conv_outsize(size, window, how.stride[0], how.pad[0], false,
                                          how.dilate[0]) != depth) {
    throw cupyxx::ShapeError(cupyxx::message(how.name, ": an output of extent ", size,
                                             " does not come of this input; ", shape));
  }
  const Variable slices = swapaxes(x, 1, 2);
  const Variable images = reshape(slices, joined(slices.shape(), 0));
  const Variable y = deconvolve(how.behind_first(), images, reshape(W, joined(W.shape(), 1)));
  // (n depth, out k, ...) as (n, out, depth, k, ...), whose slices are added up where they belong.
  const Shape channels = divided(y.shape(), 1, y.shape()[1] / window, window);
  const Variable parts = swapaxes(reshape(y, divided(channels, 0, n, depth)), 1, 2);
  Shape whole = joined(parts.shape(), 2);
  whole[2] = std::max(spread, size + 2 * how.pad[0]);
  const cupyxx::DeviceScope device(x.device());
  const Variable nothing = cupyxx::zeros(whole, parts.dtype());
  const Variable all =
      scatter_add(nothing, {cupyxx::slice(), cupyxx::slice(), places_of(x, how, depth)}, parts);
  return get_item(all,
                  {cupyxx::slice(), cupyxx::slice(), cupyxx::slice(how.pad[0], how.pad[0] + size)});
}

Variable convolution(const char* name, const Variable& x, const Variable& W, const Variable& b,
                     const Options& options) {
  return convolve(checked(name, x, W, b, options, false), x, W, b);
}

Variable deconvolution(const char* name, const Variable& x, const Variable& W, const Variable& b,
                       const Options& options) {
  const Variable y = deconvolve(checked(name, x, W, b, options, true), x, W);
  if (b.is_none()) return y;
  Shape along = y.shape();
  for (int i = 0; i < along.ndim(); ++i) along[i] = i == 1 ? b.shape()[0] : 1;
  return y + broadcast_to(reshape(cast(b, internal::narrowed(b.dtype())), along), y.shape());
}

void check_axes(const char* name, const Variable& x, int ndim) {
  internal::refuse_none(name, {&x});
  if (x.ndim() == ndim + 2) return;
  throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, channels) and ", ndim,
                                           ndim == 1 ? " axis; " : " axes; ", x.shape()));
}

Options how(const ConvolutionNDOptions& options) {
  return {.stride = options.stride,
          .pad = options.pad,
          .use_cudnn = options.use_cudnn,
          .allow_tf32 = options.allow_tf32,
          .dilate = options.dilate,
          .groups = options.groups,
          .outsize = options.outsize};
}

}  // namespace

template <class Layer, bool kTransposed>
FilterLayerND<Layer, kTransposed>::FilterLayerND(int ndim, const InputSize& in, std::int64_t out,
                                                 const SizeND& ksize,
                                                 const ConvolutionNDOptions& options)
    : ndim_(ndim), how_(how(options)) {
  const char* const name = Layer::kName;
  if (ndim < 1 || ndim > 6) {
    throw cupyxx::ValueError(cupyxx::message(name, ": signals have 1 to 6 axes; ", ndim));
  }
  const Shape window = sizes(name, "the window", ksize, ndim, 1);
  geometry(name, window, how_);
  internal::check_sizes(name, {in.value(), out});
  check_groups(name, options.groups, in.value());
  check_groups(name, options.groups, out);
  internal::check_floating(name, options.dtype);
  if (internal::skips_initialization()) return;
  if (!in.is_none()) {
    initialize(in.value(), out, window, options);
    return;
  }
  internal::size_later(
      static_cast<Layer&>(*this), ndim + 2,
      [name, ndim](VariableSpan x) { return internal::channels_of(name, x, ndim + 2); },
      [name, groups = options.groups](const Shape& w) {
        return Shape{kTransposed ? w[0] : internal::times(name, w[1], groups)};
      },
      [out, window, options](Layer& layer, const Shape& sizes) {
        static_cast<FilterLayerND&>(layer).initialize(sizes[0], out, window, options);
      });
}

template <class Layer, bool kTransposed>
void FilterLayerND<Layer, kTransposed>::initialize(std::int64_t in, std::int64_t out,
                                                   const Shape& window,
                                                   const ConvolutionNDOptions& options) {
  const char* const name = Layer::kName;
  check_groups(name, options.groups, in);
  Shape layout = kTransposed ? Shape{in, out / options.groups} : Shape{out, in / options.groups};
  auto inputs = static_cast<double>(in);
  for (const std::int64_t size : window) {
    layout.push_back(size);
    inputs *= static_cast<double>(size);
  }
  W = internal::initial_weights(name, "initialW", options.initialW, layout, options.dtype, [&] {
    return internal::normal(layout, std::sqrt(1 / std::max(inputs, 1.0)), options.dtype);
  });
  gW = cupyxx::zeros_like(W);
  if (options.nobias) return;
  b = internal::initial_bias(name, "initial_bias", options.initial_bias, {out}, W.dtype(), 0);
  gb = cupyxx::zeros_like(b);
}

template <class Layer, bool kTransposed>
std::vector<Field> FilterLayerND<Layer, kTransposed>::fields() {
  return {{"W", &W, &gW, true}, {"b", &b, &gb}};
}

template <class Layer, bool kTransposed>
Variable FilterLayerND<Layer, kTransposed>::apply(const Variable& x, const Variable& w,
                                                  const Variable& bias) const {
  check_axes(Layer::kName, x, ndim_);
  return kTransposed ? deconvolution(Layer::kName, x, w, bias, how_)
                     : convolution(Layer::kName, x, w, bias, how_);
}

template <class Layer, bool kTransposed>
Variable FilterLayerND<Layer, kTransposed>::operator()(const Variable& x) const {
  internal::refuse_none(Layer::kName, {&x});
  if (!this->is_initialized()) internal::Unsized::size(*this, {&x, 1});
  if (W.is_none()) throw cupyxx::TypeError(cupyxx::message(Layer::kName, ": W is None"));
  const auto parameter = [&](const ndarray& array, const ndarray& gradient) {
    if (array.is_none()) return Variable();
    return x.volatile_() ? Variable(array, true) : internal::parameter(array, gradient);
  };
  return apply(x, parameter(W, gW), parameter(b, gb));
}

template <class Layer, bool kTransposed>
void FilterLayerND<Layer, kTransposed>::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

template <class Layer, bool kTransposed>
std::vector<ndarray> FilterLayerND<Layer, kTransposed>::forward(ArraySpan x) {
  if (this->records()) saved_W_ = internal::SavedArray(W);
  const Variable bias = b.is_none() ? Variable() : Variable(b, true);
  return {apply(Variable(x[0], true), Variable(W, true), bias).data()};
}

template <class Layer, bool kTransposed>
std::vector<Variable> FilterLayerND<Layer, kTransposed>::train(VariableSpan x, VariableSpan gy) {
  std::vector<Variable> all = {x[0], internal::parameter(saved_W_.get(*this), gW)};
  if (!b.is_none()) all.push_back(internal::parameter(b, gb));
  std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [this](const std::vector<Variable>& v) {
        return std::vector<Variable>{apply(v[0], v[1], v.size() == 3 ? v[2] : Variable())};
      });
  internal::add_gradient(gW, grads[1]);
  if (!b.is_none()) internal::add_gradient(gb, grads[2]);
  grads.resize(1);
  return grads;
}

template <class Layer, bool kTransposed>
std::vector<ndarray> FilterLayerND<Layer, kTransposed>::backward(ArraySpan x, ArraySpan gy) {
  const RecordScope first_order(false);
  const Variable in(x[0]), g(gy[0]);
  const Variable gx = train({&in, 1}, {&g, 1})[0];
  return {gx.is_none() ? ndarray() : gx.data()};
}

template <class Layer, bool kTransposed>
std::vector<Variable> FilterLayerND<Layer, kTransposed>::backward_variables(VariableSpan x,
                                                                            VariableSpan gy) {
  return train(x, gy);
}

template class FilterLayerND<ConvolutionND, false>;
template class FilterLayerND<Convolution1D, false>;
template class FilterLayerND<Convolution3D, false>;
template class FilterLayerND<DeconvolutionND, true>;
template class FilterLayerND<Deconvolution1D, true>;
template class FilterLayerND<Deconvolution3D, true>;

Variable convolution_nd(const Variable& x, const Variable& W, const Variable& b,
                        const Options& options) {
  return convolution("convolution_nd", x, W, b, options);
}
Variable convolution_1d(const Variable& x, const Variable& W, const Variable& b,
                        const Options& options) {
  check_axes("convolution_1d", x, 1);
  return convolution("convolution_1d", x, W, b, options);
}
Variable convolution_3d(const Variable& x, const Variable& W, const Variable& b,
                        const Options& options) {
  check_axes("convolution_3d", x, 3);
  return convolution("convolution_3d", x, W, b, options);
}
Variable deconvolution_nd(const Variable& x, const Variable& W, const Variable& b,
                          const Options& options) {
  return deconvolution("deconvolution_nd", x, W, b, options);
}
Variable deconvolution_1d(const Variable& x, const Variable& W, const Variable& b,
                          const Options& options) {
  check_axes("deconvolution_1d", x, 1);
  return deconvolution("deconvolution_1d", x, W, b, options);
}
Variable deconvolution_3d(const Variable& x, const Variable& W, const Variable& b,
                          const Options& options) {
  check_axes("deconvolution_3d", x, 3);
  return deconvolution("deconvolution_3d", x, W, b, options);
}

}  // namespace chainerxx::functions
