// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/window_functions.h"

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/spatial/pooling.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

using Arrays = std::vector<ndarray>;

Size2D image_of(const cupyxx::Shape& shape) { return {shape[2], shape[3]}; }

class SumWindows final : public FunctionOf<SumWindows> {
 public:
  SumWindows(const Windows& windows, const Size2D& out, double scale)
      : windows_(windows), out_(out), scale_(scale) {}
  Arrays forward(ArraySpan x) override {
    retain_inputs({});
    channels_last_ = is_channels_last(x[0]);
    return {sum_pool(x[0], windows_, out_, scale_)};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    return {sum_pool_grad(gy[0], windows_, image_of(input_shape(0)), scale_, channels_last_)};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    return {spread_windows(gy[0], windows_, image_of(x[0].shape()), scale_, channels_last_)};
  }

 private:
  Windows windows_;
  Size2D out_;
  double scale_;
  bool channels_last_ = false;
};

class SpreadWindows final : public FunctionOf<SpreadWindows> {
 public:
  SpreadWindows(const Windows& windows, const Size2D& image, double scale, bool channels_last)
      : windows_(windows), image_(image), scale_(scale), channels_last_(channels_last) {}
  Arrays forward(ArraySpan x) override {
    retain_inputs({});
    return {sum_pool_grad(x[0], windows_, image_, scale_, channels_last_)};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    return {sum_pool(gy[0], windows_, image_of(input_shape(0)), scale_)};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    return {sum_windows(gy[0], windows_, image_of(x[0].shape()), scale_)};
  }

 private:
  Windows windows_;
  Size2D image_;
  double scale_;
  bool channels_last_;
};

ndarray at_maxima(const ndarray& x, const Maxima& maxima) {
  const cupyxx::Shape shape = x.shape();
  const std::int64_t plane = shape[2] * shape[3];
  const ndarray places = places_in_planes(maxima.places, maxima.windows, maxima.image);
  const ndarray is_inside = places >= 0;
  const ndarray first =
      (cupyxx::arange(shape[0] * shape[1]) * plane).reshape({shape[0], shape[1], 1, 1});
  const ndarray from = cupyxx::where(is_inside, places, 0) + first;
  return cupyxx::where(is_inside, cupyxx::take(x.ravel(), from), cupyxx::zeros({}, x.dtype()));
}

class PickMaxima final : public FunctionOf<PickMaxima> {
 public:
  explicit PickMaxima(const Maxima& maxima) : maxima_(maxima) {}
  Arrays forward(ArraySpan x) override {
    retain_inputs({});
    return {at_maxima(x[0], maxima_)};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    return {max_pool_grad(gy[0], maxima_.places, maxima_.windows, maxima_.image,
                          maxima_.channels_last)};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    return {spread_maxima(gy[0], maxima_)};
  }

 private:
  Maxima maxima_;
};

class SpreadMaxima final : public FunctionOf<SpreadMaxima> {
 public:
  explicit SpreadMaxima(const Maxima& maxima) : maxima_(maxima) {}
  Arrays forward(ArraySpan x) override {
    retain_inputs({});
    return {
        max_pool_grad(x[0], maxima_.places, maxima_.windows, maxima_.image, maxima_.channels_last)};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override { return {at_maxima(gy[0], maxima_)}; }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    return {pick_maxima(gy[0], maxima_)};
  }

 private:
  Maxima maxima_;
};

}  // namespace

Variable sum_windows(const Variable& x, const Windows& windows, const Size2D& out, double scale) {
  return SumWindows(windows, out, scale)(x);
}
Variable spread_windows(const Variable& x, const Windows& windows, const Size2D& image,
                        double scale, bool channels_last) {
  return SpreadWindows(windows, image, scale, channels_last)(x);
}
Variable pick_maxima(const Variable& x, const Maxima& maxima) { return PickMaxima(maxima)(x); }
Variable spread_maxima(const Variable& x, const Maxima& maxima) { return SpreadMaxima(maxima)(x); }

}  // namespace chainerxx::internal
