// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/scalar.h"
#include "cupyxx/sorting.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

constexpr std::int64_t kMost = std::int64_t{1} << 31;
constexpr std::int64_t kMostParts = 4096;  // along an axis of a region

/// Gives images as they are, and refuses what are none.
class Images final : public FunctionOf<Images> {
 public:
  explicit Images(const char* name) : name_(name) {}
  std::string label() const override { return name_; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() == 4);
  }
  std::vector<ndarray> forward(ArraySpan x) override {
    retain_inputs({});
    return {x[0]};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override { return {gy[0]}; }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    return {gy[0]};
  }

 private:
  const char* name_;
};

/// Numbers of regions on the host, of `columns` each.
std::vector<double> numbers_of(const char* name, const ndarray& rois, std::int64_t columns) {
  if (rois.is_none()) throw cupyxx::TypeError(cupyxx::message(name, ": rois is None"));
  const Shape shape = rois.shape();
  if (shape.ndim() != 2 || shape[1] != columns) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": rois is not (regions, ", columns, "); ", shape));
  }
  const std::vector<double> all =
      rois.to(cupyxx::Device::cpu()).astype(cupyxx::float64).to_vector<double>();
  for (const double number : all) {
    if (std::abs(number) < static_cast<double>(kMost)) continue;
    throw cupyxx::ValueError(
        cupyxx::message(name, ": a number of a region is out of range; ", cupyxx::Scalar(number)));
  }
  return all;
}

void check_sizes(const char* name, const Size2D& out, double scale) {
  if (out.h < 1 || out.w < 1 || out.h > kMostParts || out.w > kMostParts) {
    throw cupyxx::ValueError(cupyxx::message(name, ": the size is not in [1, 4096]; ", out));
  }
  if (scale > 0 && scale <= 1e6) return;
  throw cupyxx::ValueError(
      cupyxx::message(name, ": the scale is not positive, or above 1e6; ", cupyxx::Scalar(scale)));
}

std::int64_t checked_image(const char* name, double number, std::int64_t images) {
  if (number >= 0 && number < static_cast<double>(images)) {
    return static_cast<std::int64_t>(number);
  }
  throw cupyxx::IndexError(cupyxx::message(name, ": there is no image of this number; ",
                                           cupyxx::Scalar(number), " of ", images));
}

/// Which elements along one axis lie in each part of each region: (regions, parts, most elements).
struct Parts {
  explicit Parts(std::int64_t count) : parts(count) {}

  std::int64_t parts, most = 1;
  std::vector<std::int64_t> begin, end;

  /// `last` is 1 where the end of a region belongs to it.
  void add(double low, double high, double scale, std::int64_t size, int last) {
    const double first = std::nearbyint(low * scale), end_of_all = std::nearbyint(high * scale);
    const double step = std::max(end_of_all - first + last, 1.0) / static_cast<double>(parts);
    const auto clamped = [&](double at) {
      return static_cast<std::int64_t>(std::clamp(at + first, 0.0, static_cast<double>(size)));
    };
    for (std::int64_t i = 0; i < parts; ++i) {
      begin.push_back(clamped(std::floor(static_cast<double>(i) * step)));
      end.push_back(clamped(std::ceil(static_cast<double>(i + 1) * step)));
      most = std::max(most, end.back() - begin.back());
    }
  }
  std::int64_t regions() const { return static_cast<std::int64_t>(begin.size()) / parts; }
  /// The elements; the last one again behind those there are.
  ndarray elements(std::int64_t size) const {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < begin.size(); ++i) {
      for (std::int64_t k = 0; k < most; ++k) {
        const std::int64_t at = std::min(begin[i] + k, std::max(end[i] - 1, begin[i]));
        all.push_back(std::clamp<std::int64_t>(at, 0, size - 1));
      }
    }
    return cupyxx::array(all).reshape({regions(), parts, most});
  }
  ndarray is_inside() const {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < begin.size(); ++i) {
      for (std::int64_t k = 0; k < most; ++k) all.push_back(begin[i] + k < end[i] ? 1 : 0);
    }
    return cupyxx::not_equal(cupyxx::array(all), 0).reshape({regions(), parts, most});
  }
};

/// Where samples lie along one axis, between which elements, and how much each counts.
struct Samples {
  std::int64_t most = 1;  // in a part
  std::vector<std::int64_t> low, high, counts;
  std::vector<double> low_share, high_share;

  static std::int64_t count(std::int64_t ratio, double extent, std::int64_t parts) {
    if (ratio > 0) return ratio;
    return static_cast<std::int64_t>(std::ceil(extent / static_cast<double>(parts)));
  }
  /// Samples count 1 / samples each, or as they are.
  void add(double begin, double extent, std::int64_t samples, std::int64_t parts, std::int64_t size,
           bool averages) {
    const double part = extent / static_cast<double>(parts);
    for (std::int64_t i = 0; i < parts; ++i) {
      for (std::int64_t k = 0; k < most; ++k) {
        const double step = 1 / static_cast<double>(samples), share = averages ? step : 1;
        const double at =
            begin + part * (static_cast<double>(i) + (static_cast<double>(k) + 0.5) * step);
        const bool is_inside = k < samples && at >= -1 && at <= static_cast<double>(size);
        const auto first =
            static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
        const double beyond =
            first >= size - 1 ? 0 : std::max(at, 0.0) - static_cast<double>(first);
        // On a pixel it is that one twice, and no other with the share 0, which may hold inf.
        const bool is_between = beyond > 0;
        low.push_back(first);
        high.push_back(is_between ? first + 1 : first);
        counts.push_back(is_inside ? 1 : 0);
        low_share.push_back(is_inside ? (is_between ? 1 - beyond : 0.5) * share : 0);
        high_share.push_back(is_inside ? (is_between ? beyond : 0.5) * share : 0);
      }
    }
  }
};

/// The elements of each part behind each other.
struct Elements {
  ndarray places;  // (regions, c, outh, outw, elements), numbers in x.ravel()
  ndarray inside;  // (regions, 1, outh, outw, elements)
};
Elements elements_of(const Shape& s, const std::vector<std::int64_t>& images, const Parts& rows,
                     const Parts& columns) {
  const std::int64_t n = rows.regions(), outh = rows.parts, outw = columns.parts;
  // (n, outh, rows, outw, columns) places in a plane, first those of one part behind each other.
  const ndarray plane = rows.elements(s[2]).reshape({n, outh, rows.most, 1, 1}) * s[3] +
                        columns.elements(s[3]).reshape({n, 1, 1, outw, columns.most});
  const ndarray counts =
      cupyxx::logical_and(rows.is_inside().reshape({n, outh, rows.most, 1, 1}),
                          columns.is_inside().reshape({n, 1, 1, outw, columns.most}));
  const Shape by_part = {n, std::int64_t{1}, outh, outw, rows.most * columns.most};
  const auto arranged = [&](const ndarray& a) {
    return a.transpose({0, 1, 3, 2, 4}).reshape(by_part);
  };
  const ndarray first = (cupyxx::array(images) * s[1]).reshape({n, 1, 1, 1, 1}) +
                        cupyxx::arange(s[1]).reshape({1, s[1], 1, 1, 1});
  return {first * (s[2] * s[3]) + arranged(plane), arranged(counts)};
}

/// The largest element of each part, 0 where it has none.
Variable largest_of(const Variable& x, const Elements& elements) {
  const double least = -std::numeric_limits<double>::infinity();
  const ndarray values =
      cupyxx::where(elements.inside, cupyxx::take(x.data().ravel(), elements.places),
                    cupyxx::full({}, least, x.dtype()));
  const ndarray largest = cupyxx::expand_dims(values.argmax(4), 4);
  const ndarray chosen = cupyxx::squeeze(cupyxx::take_along_axis(elements.places, largest, 4), 4);
  const Variable y = get_item(reshape(x, {x.size()}), {chosen});
  return internal::masked(cupyxx::broadcast_to(elements.inside.any(4), chosen.shape()), y);
}

/// The average of each part, 0 where it has no elements; 16-bit types through float32.
Variable average_of(const Variable& x, const Elements& elements) {
  const cupyxx::dtype wide = internal::is_narrow(x.dtype()) ? cupyxx::float32 : x.dtype();
  const ndarray number = cupyxx::maximum(cupyxx::sum(elements.inside, 4), 1).astype(wide);
  const Variable all = cast(get_item(reshape(x, {x.size()}), {elements.places}), wide);
  const Variable total =
      sum(internal::masked(cupyxx::broadcast_to(elements.inside, elements.places.shape()), all), 4);
  const Variable divisor = cupyxx::broadcast_to(number, total.shape());
  return cast(total / divisor, x.dtype());
}

/// What Chainer's functions of regions beside their images' numbers are called with.
struct Regions {
  std::vector<double> numbers;  // y_min, x_min, y_max, x_max of each
  std::vector<std::int64_t> images;
};
Regions checked_regions(const char* name, const Shape& images, const ndarray& rois,
                        const ndarray& roi_indices, const Size2D& outsize, double spatial_scale) {
  check_sizes(name, outsize, spatial_scale);
  Regions out{numbers_of(name, rois, 4), {}};
  const std::int64_t n = rois.shape()[0];
  if (roi_indices.is_none() || roi_indices.shape() != Shape{n}) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": roi_indices is not (", n, ",)"));
  }
  if (n == 0 || images.size() == 0) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": there are no regions or no pixels; ",
                                             rois.shape(), " and ", images));
  }
  const ndarray numbers = roi_indices.to(cupyxx::Device::cpu()).astype(cupyxx::float64);
  for (const double number : numbers.to_vector<double>()) {
    out.images.push_back(checked_image(name, number, images[0]));
  }
  return out;
}

/// The elements of the parts of regions whose ends do not belong to them.
Elements elements_of(const char* name, const Shape& s, const ndarray& rois,
                     const ndarray& roi_indices, const Size2D& outsize, double spatial_scale) {
  const Regions regions = checked_regions(name, s, rois, roi_indices, outsize, spatial_scale);
  Parts rows(outsize.h), columns(outsize.w);
  for (std::size_t i = 0; i < regions.numbers.size(); i += 4) {
    const double* const region = &regions.numbers[i];
    rows.add(region[0], region[2], spatial_scale, s[2], 0);
    columns.add(region[1], region[3], spatial_scale, s[3], 0);
  }
  return elements_of(s, regions.images, rows, columns);
}

/// Bilinear samples of the parts of regions, 0 where one lies outside of its image.
struct SampledParts {
  Variable values;  // (regions, outh, rows, outw, columns, c)
  ndarray inside;   // (regions, outh, rows, outw, columns, 1)
};
SampledParts sampled(const char* name, const Variable& x, const ndarray& rois,
                     const ndarray& roi_indices, const Size2D& outsize, double spatial_scale,
                     const Size2D& sampling_ratio, bool averages) {
  const Shape s = x.shape();
  if (!sampling_ratio.is_none() && (sampling_ratio.h < 1 || sampling_ratio.w < 1)) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": the sampling ratio is not positive; ", sampling_ratio));
  }
  const Regions regions = checked_regions(name, s, rois, roi_indices, outsize, spatial_scale);
  const std::vector<double>& all = regions.numbers;
  const std::int64_t n = rois.shape()[0];
  const std::int64_t ratio_h = sampling_ratio.is_none() ? 0 : sampling_ratio.h;
  const std::int64_t ratio_w = sampling_ratio.is_none() ? 0 : sampling_ratio.w;
  const auto extent = [&](std::size_t i, std::size_t from, std::size_t to) {
    return std::max((all[i + to] - all[i + from]) * spatial_scale, 1.0);
  };
  Samples rows, columns;
  for (std::size_t i = 0; i < all.size(); i += 4) {
    rows.most = std::max(rows.most, Samples::count(ratio_h, extent(i, 0, 2), outsize.h));
    columns.most = std::max(columns.most, Samples::count(ratio_w, extent(i, 1, 3), outsize.w));
  }
  if (rows.most > kMostParts || columns.most > kMostParts) {
    throw cupyxx::ValueError(cupyxx::message(name, ": a part takes more than 4096 samples; ",
                                             std::max(rows.most, columns.most)));
  }
  for (std::size_t i = 0; i < all.size(); i += 4) {
    const double high = extent(i, 0, 2), wide = extent(i, 1, 3);
    rows.add(all[i] * spatial_scale, high, Samples::count(ratio_h, high, outsize.h), outsize.h,
             s[2], averages);
    columns.add(all[i + 1] * spatial_scale, wide, Samples::count(ratio_w, wide, outsize.w),
                outsize.w, s[3], averages);
  }

  const cupyxx::DeviceScope device(x.device());
  const std::int64_t high = outsize.h * rows.most, wide = outsize.w * columns.most;
  const Shape sampled = {n, high, wide, s[1]};
  const ndarray image = cupyxx::array(regions.images).reshape({n, 1, 1});
  const auto along_rows = [&](const auto& list) {
    return cupyxx::array(list).reshape({n, high, 1});
  };
  const auto along_columns = [&](const auto& list) {
    return cupyxx::array(list).reshape({n, 1, wide});
  };
  const auto share = [&](const ndarray& numbers_of_samples) {
    const ndarray a = cupyxx::expand_dims(numbers_of_samples.astype(x.dtype()), 3);
    const Variable constant = cupyxx::broadcast_to(a, sampled);
    return constant;
  };
  const Variable pixels = transpose(x, {0, 2, 3, 1});
  const auto row_of = [&](const std::vector<std::int64_t>& row) {
    const ndarray at = along_rows(row);
    return get_item(pixels, {image, at, along_columns(columns.low)}) *
               share(along_columns(columns.low_share)) +
           get_item(pixels, {image, at, along_columns(columns.high)}) *
               share(along_columns(columns.high_share));
  };
  const Variable samples = row_of(rows.low) * share(along_rows(rows.low_share)) +
                           row_of(rows.high) * share(along_rows(rows.high_share));
  const Shape by_part = {n, outsize.h, rows.most, outsize.w, columns.most, s[1]};
  const ndarray inside = along_rows(rows.counts) * along_columns(columns.counts);
  return {reshape(samples, by_part),
          cupyxx::not_equal(inside, 0).reshape(
              {n, outsize.h, rows.most, outsize.w, columns.most, std::int64_t{1}})};
}

}  // namespace

Variable roi_pooling_2d(const Variable& input, const ndarray& rois, std::int64_t outh,
                        std::int64_t outw, double spatial_scale) {
  const char* const name = "roi_pooling_2d";
  const Variable x = Images(name)(input);
  const Shape s = x.shape();
  check_sizes(name, {outh, outw}, spatial_scale);
  const std::vector<double> all = numbers_of(name, rois, 5);
  Parts rows(outh), columns(outw);
  std::vector<std::int64_t> images;
  for (std::size_t i = 0; i < all.size(); i += 5) {
    images.push_back(checked_image(name, all[i], s[0]));
    columns.add(all[i + 1], all[i + 3], spatial_scale, s[3], 1);
    rows.add(all[i + 2], all[i + 4], spatial_scale, s[2], 1);
  }
  if (rows.regions() == 0 || x.size() == 0) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": there are no regions or no pixels; ", rois.shape(), " and ", s));
  }
  const cupyxx::DeviceScope device(x.device());
  return largest_of(x, elements_of(s, images, rows, columns));
}

Variable roi_max_pooling_2d(const Variable& input, const ndarray& rois, const ndarray& roi_indices,
                            const Size2D& outsize, double spatial_scale) {
  const char* const name = "roi_max_pooling_2d";
  const Variable x = Images(name)(input);
  const cupyxx::DeviceScope device(x.device());
  return largest_of(x, elements_of(name, x.shape(), rois, roi_indices, outsize, spatial_scale));
}

Variable roi_average_pooling_2d(const Variable& input, const ndarray& rois,
                                const ndarray& roi_indices, const Size2D& outsize,
                                double spatial_scale) {
  const char* const name = "roi_average_pooling_2d";
  const Variable x = Images(name)(input);
  const cupyxx::DeviceScope device(x.device());
  return average_of(x, elements_of(name, x.shape(), rois, roi_indices, outsize, spatial_scale));
}

Variable roi_average_align_2d(const Variable& input, const ndarray& rois,
                              const ndarray& roi_indices, const Size2D& outsize,
                              double spatial_scale, const Size2D& sampling_ratio) {
  const char* const name = "roi_average_align_2d";
  const Variable x = Images(name)(input);
  const cupyxx::DeviceScope device(x.device());
  const SampledParts parts =
      sampled(name, x, rois, roi_indices, outsize, spatial_scale, sampling_ratio, true);
  const Variable values =
      internal::masked(cupyxx::broadcast_to(parts.inside, parts.values.shape()), parts.values);
  return transpose(sum(values, {2, 4}), {0, 3, 1, 2});
}

Variable roi_max_align_2d(const Variable& input, const ndarray& rois, const ndarray& roi_indices,
                          const Size2D& outsize, double spatial_scale,
                          const Size2D& sampling_ratio) {
  const char* const name = "roi_max_align_2d";
  const Variable x = Images(name)(input);
  const cupyxx::DeviceScope device(x.device());
  const SampledParts parts =
      sampled(name, x, rois, roi_indices, outsize, spatial_scale, sampling_ratio, false);
  const Shape s = parts.values.shape();
  const Shape by_part = {s[0], outsize.h, outsize.w, s[5], s[2] * s[4]};
  const double least = -std::numeric_limits<double>::infinity();
  const ndarray candidates =
      cupyxx::where(parts.inside, parts.values.data(), cupyxx::full({}, least, x.dtype()))
          .transpose({0, 1, 3, 5, 2, 4})
          .reshape(by_part);
  const ndarray largest = candidates.argmax(4);
  const ndarray first = (cupyxx::arange(largest.size()) * by_part[4]).reshape(largest.shape());
  const Variable all = reshape(transpose(parts.values, {0, 1, 3, 5, 2, 4}), {parts.values.size()});
  const Variable y = get_item(all, {first + largest});
  const ndarray has_samples =
      cupyxx::expand_dims(cupyxx::squeeze(parts.inside, 5)
                              .transpose({0, 1, 3, 2, 4})
                              .reshape({s[0], outsize.h, outsize.w, s[2] * s[4]})
                              .any(3),
                          3);
  return transpose(internal::masked(cupyxx::broadcast_to(has_samples, y.shape()), y), {0, 3, 1, 2});
}

}  // namespace chainerxx::functions
