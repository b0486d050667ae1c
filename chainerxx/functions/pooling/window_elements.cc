// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/window_elements.h"

#include <algorithm>
#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/spatial/pooling.h"
#include "chainerxx/internal/spatial/windows.h"
#include "chainerxx/utils/conv.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

/// Places of maxima in their windows from those in planes.
ndarray in_windows(const ndarray& planes, const Size2D& ksize, const Size2D& stride,
                   const Size2D& pad, std::int64_t width) {
  const Shape shape = planes.shape();
  const ndarray first_row = (cupyxx::arange(shape[2]) * stride.h - pad.h).reshape({shape[2], 1});
  const ndarray first_column = cupyxx::arange(shape[3]) * stride.w - pad.w;
  const ndarray row = cupyxx::floor_divide(planes, width) - first_row;
  const ndarray column = cupyxx::remainder(planes, width) - first_column;
  return cupyxx::where(planes < 0, 0, row * ksize.w + column);
}

Size2D or_window(const Size2D& stride, const Size2D& ksize) {
  return stride.is_none() ? ksize : stride;
}

/// The other direction of Im2Col.
class Col2Im final : public FunctionOf<Col2Im> {
 public:
  Col2Im(const internal::Windows& windows, const Size2D& image, bool cover_all)
      : windows_(windows), image_(image), cover_all_(cover_all) {}
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  internal::Windows windows_;
  Size2D image_;
  bool cover_all_;
};

/// (n, c, h, w) as (n, c, kh, kw, oh, ow).
class Im2Col final : public FunctionOf<Im2Col> {
 public:
  Im2Col(const internal::Windows& windows, bool cover_all)
      : windows_(windows), cover_all_(cover_all) {}
  std::string label() const override { return "im2col"; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() == 4);
  }
  std::vector<ndarray> forward(ArraySpan x) override {
    retain_inputs({});
    const Shape s = x[0].shape();
    const Size2D out = internal::output_size("im2col", windows_, {s[2], s[3]}, cover_all_, s.str());
    return {internal::im2col(x[0], windows_, out, 0)};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    const Shape s = input_shape(0);
    return {internal::col2im(gy[0], windows_, {s[2], s[3]})};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    const Shape s = input_shape(0);
    return {Col2Im(windows_, {s[2], s[3]}, cover_all_)(gy[0])};
  }

 private:
  internal::Windows windows_;
  bool cover_all_;
};

std::vector<ndarray> Col2Im::forward(ArraySpan x) {
  retain_inputs({});
  return {internal::col2im(x[0], windows_, image_)};
}
std::vector<ndarray> Col2Im::backward(ArraySpan, ArraySpan gy) {
  const Shape s = input_shape(0);
  return {internal::im2col(gy[0], windows_, {s[4], s[5]}, 0)};
}
std::vector<Variable> Col2Im::backward_variables(VariableSpan, VariableSpan gy) {
  return {Im2Col(windows_, cover_all_)(gy[0])};
}

}  // namespace

PooledWithIndices max_pooling_2d_with_indices(const Variable& x, const Size2D& ksize,
                                              const UpsamplingOptions& options) {
  const Size2D stride = or_window(options.stride, ksize);
  const Variable y = max_pooling_2d(
      x, ksize, {.stride = stride, .pad = options.pad, .cover_all = options.cover_all});
  const internal::Windows windows = {ksize, stride, options.pad};
  const Shape in = x.shape(), out = y.shape();
  const cupyxx::DeviceScope device(x.device());
  const internal::MaxPooled pooled = internal::max_pool(x.data(), windows, {out[2], out[3]});
  const ndarray planes = internal::places_in_planes(pooled.places, windows, {in[2], in[3]});
  return {y, in_windows(planes.astype(cupyxx::int64), ksize, stride, options.pad, in[3])};
}

Variable upsampling_2d(const Variable& x, const ndarray& indices, const Size2D& ksize,
                       const UpsamplingOptions& options) {
  const char* const name = "upsampling_2d";
  internal::refuse_none(name, {&x});
  const Shape s = x.shape();
  if (s.ndim() != 4) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, c, h, w); ", s));
  }
  if (indices.is_none() || indices.shape() != s) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": the indices are not of the shape of x; ",
                                             indices.is_none() ? Shape{} : indices.shape(), " and ",
                                             s));
  }
  if (!indices.dtype().is_integer()) {
    throw cupyxx::TypeError(
        cupyxx::message(name, ": the indices are no integers; ", indices.dtype().name()));
  }
  const Size2D stride = or_window(options.stride, ksize), pad = options.pad;
  internal::check(name, internal::Windows{ksize, stride, pad});
  Size2D size = options.outsize;
  if (size.is_none()) {
    const bool all = options.cover_all;
    size = {utils::get_deconv_outsize(s[2], ksize.h, stride.h, pad.h, all),
            utils::get_deconv_outsize(s[3], ksize.w, stride.w, pad.w, all)};
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (size.h > kMost || size.w > kMost) {
    throw cupyxx::ValueError(cupyxx::message(name, ": outsize is above 2 ** 31; ", size));
  }
  if (size.h < 1 || size.w < 1) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": nothing is left of the output; input ", s,
                                             ", window ", ksize, ", pad ", pad));
  }
  // Places in planes with their borders, which are cut off at the end.
  const std::int64_t high = std::max(size.h + 2 * pad.h, stride.h * (s[2] - 1) + ksize.h);
  const std::int64_t wide = std::max(size.w + 2 * pad.w, stride.w * (s[3] - 1) + ksize.w);
  const cupyxx::DeviceScope device(x.device());
  const std::int64_t planes = s[0] * s[1],
                     total = internal::times(name, internal::times(name, planes, high), wide);
  const ndarray at = indices.astype(cupyxx::int64, false);
  const ndarray row =
      (cupyxx::arange(s[2]) * stride.h).reshape({s[2], 1}) + cupyxx::floor_divide(at, ksize.w);
  const ndarray column = cupyxx::arange(s[3]) * stride.w + cupyxx::remainder(at, ksize.w);
  const ndarray plane = cupyxx::arange(planes).reshape({s[0], s[1], 1, 1}) * (high * wide);
  const ndarray inside = cupyxx::logical_and(at >= 0, at < ksize.h * ksize.w);
  const ndarray places = cupyxx::where(inside, plane + row * wide + column, total);
  const Variable nothing = cupyxx::zeros({total}, x.dtype());
  const Variable all = scatter_add(nothing, {places.ravel()}, reshape(x, {x.size()}));
  const cupyxx::slice rows(pad.h, pad.h + size.h), columns(pad.w, pad.w + size.w);
  return get_item(reshape(all, {s[0], s[1], high, wide}),
                  {cupyxx::slice(), cupyxx::slice(), rows, columns});
}

Variable im2col(const Variable& x, const Size2D& ksize, const Im2ColFunctionOptions& options) {
  const internal::Windows windows = {ksize, options.stride, options.pad, options.dilate};
  internal::check("im2col", windows);
  const Variable col = Im2Col(windows, options.cover_all)(x);
  const Shape s = col.shape();
  return reshape(col, {s[0], s[1] * s[2] * s[3], s[4], s[5]});
}

}  // namespace chainerxx::functions
