// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/pooling_2d.h"

#include "chainerxx/functions/pooling/window_functions.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/spatial/pooling.h"
#include "chainerxx/utils/conv.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using internal::Windows;

template <class Options>
Windows windows_of(const char* name, const Size2D& ksize, const Options& options) {
  const Windows windows = {ksize, options.stride.is_none() ? ksize : options.stride, options.pad};
  check(name, windows);
  return windows;
}

Size2D image_of(const cupyxx::Shape& x) { return {x[2], x[3]}; }

void expect_images(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() == 4);
}

double share(const Size2D& ksize) { return 1 / static_cast<double>(ksize.h * ksize.w); }

}  // namespace

void MaxPooling2D::check_type_forward(const typecheck::TypeInfos& in) const { expect_images(in); }

std::vector<ndarray> MaxPooling2D::forward(ArraySpan x) {
  const Windows windows = windows_of("max_pooling_2d", ksize_, options_);
  const Size2D out = output_size("max_pooling_2d", windows, image_of(x[0].shape()),
                                 options_.cover_all, x[0].shape().str());
  internal::MaxPooled pooled = internal::max_pool(x[0], windows, out);
  retain_inputs({});
  if (records()) places_ = pooled.places;
  channels_last_ = internal::is_channels_last(x[0]);
  images_ = x[0].handle();
  return {pooled.y};
}

std::vector<ndarray> MaxPooling2D::backward(ArraySpan, ArraySpan gy) {
  const Windows windows = windows_of("max_pooling_2d", ksize_, options_);
  const Size2D image = image_of(input_shape(0));
  if (internal::feeds_relu_alone(*this, 0)) {
    return {internal::max_pool_grad_before_relu(gy[0], places_, windows, image, channels_last_,
                                                images_)};
  }
  return {internal::max_pool_grad(gy[0], places_, windows, image, channels_last_)};
}

std::vector<Variable> MaxPooling2D::backward_variables(VariableSpan x, VariableSpan gy) {
  const Windows windows = windows_of("max_pooling_2d", ksize_, options_);
  return {
      internal::spread_maxima(gy[0], {places_, windows, image_of(x[0].shape()), channels_last_})};
}

void AveragePooling2D::check_type_forward(const typecheck::TypeInfos& in) const {
  expect_images(in);
}

std::vector<ndarray> AveragePooling2D::forward(ArraySpan x) {
  const Windows windows = windows_of("average_pooling_2d", ksize_, options_);
  const Size2D out = output_size("average_pooling_2d", windows, image_of(x[0].shape()),
                                 options_.cover_all, x[0].shape().str());
  retain_inputs({});
  channels_last_ = internal::is_channels_last(x[0]);
  return {internal::sum_pool(x[0], windows, out, share(ksize_))};
}

std::vector<ndarray> AveragePooling2D::backward(ArraySpan, ArraySpan gy) {
  const Windows windows = windows_of("average_pooling_2d", ksize_, options_);
  return {internal::sum_pool_grad(gy[0], windows, image_of(input_shape(0)), share(ksize_),
                                  channels_last_)};
}

std::vector<Variable> AveragePooling2D::backward_variables(VariableSpan x, VariableSpan gy) {
  const Windows windows = windows_of("average_pooling_2d", ksize_, options_);
  return {internal::spread_windows(gy[0], windows, image_of(x[0].shape()), share(ksize_),
                                   channels_last_)};
}

void Unpooling2D::check_type_forward(const typecheck::TypeInfos& in) const {
  expect_images(in);
  if (options_.outsize.is_none()) return;
  const Windows g = windows_of("unpooling_2d", ksize_, options_);
  const Size2D& size = options_.outsize;
  typecheck::expect(
      in[0].shape()[2] == typecheck::Variable(utils::get_conv_outsize(size.h, g.ksize.h, g.stride.h,
                                                                      g.pad.h, options_.cover_all),
                                              "expected_h"),
      in[0].shape()[3] == typecheck::Variable(utils::get_conv_outsize(size.w, g.ksize.w, g.stride.w,
                                                                      g.pad.w, options_.cover_all),
                                              "expected_w"));
}

std::vector<ndarray> Unpooling2D::forward(ArraySpan x) {
  const Windows g = windows_of("unpooling_2d", ksize_, options_);
  const Size2D in = image_of(x[0].shape());
  Size2D size = options_.outsize;
  if (size.is_none()) {
    const bool all = options_.cover_all;
    size = {utils::get_deconv_outsize(in.h, g.ksize.h, g.stride.h, g.pad.h, all),
            utils::get_deconv_outsize(in.w, g.ksize.w, g.stride.w, g.pad.w, all)};
  }
  if (size.h <= 0 || size.w <= 0) {
    throw cupyxx::ShapeError(cupyxx::message("unpooling_2d: nothing is left of the output; input ",
                                             x[0].shape(), ", window ", g.ksize, ", pad ", g.pad));
  }
  retain_inputs({});
  channels_last_ = internal::is_channels_last(x[0]);
  return {internal::sum_pool_grad(x[0], g, size, 1, channels_last_)};
}

std::vector<ndarray> Unpooling2D::backward(ArraySpan, ArraySpan gy) {
  const Windows g = windows_of("unpooling_2d", ksize_, options_);
  const ndarray as_x = internal::in_layout(gy[0], channels_last_);
  return {internal::sum_pool(as_x, g, image_of(input_shape(0)), 1)};
}

std::vector<Variable> Unpooling2D::backward_variables(VariableSpan x, VariableSpan gy) {
  const Windows g = windows_of("unpooling_2d", ksize_, options_);
  return {internal::sum_windows(gy[0], g, image_of(x[0].shape()), 1)};
}

Variable max_pooling_2d(const Variable& x, const Size2D& ksize,
                        const MaxPooling2DOptions& options) {
  return MaxPooling2D(ksize, options)(x);
}
Variable average_pooling_2d(const Variable& x, const Size2D& ksize,
                            const AveragePooling2DOptions& options) {
  return AveragePooling2D(ksize, options)(x);
}
Variable unpooling_2d(const Variable& x, const Size2D& ksize, const Unpooling2DOptions& options) {
  return Unpooling2D(ksize, options)(x);
}

}  // namespace chainerxx::functions
