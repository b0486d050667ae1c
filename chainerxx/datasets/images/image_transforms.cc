// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/images/image_transforms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;

void check(const char* operation, const ndarray& image) {
  if (image.is_none()) throw cp::ValueError(cp::message(operation, ": the image is None"));
  if (image.ndim() != 3) {
    throw cp::ShapeError(cp::message(operation, ": the image has shape ", image.shape(),
                                     ", not (channels, height, width)"));
  }
}

/// Which pixels a pixel of the result is made of, and how much of each.
struct Weights {
  std::int64_t longest = 0;         // most pixels of one
  std::vector<std::int64_t> first;  // of each pixel of the result
  std::vector<std::int64_t> count;
  std::vector<float> values;  // `longest` of each
};

Weights weights(std::int64_t from, std::int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double support = std::max(scale, 1.0);  // half the triangle's width
  Weights result;
  result.longest = static_cast<std::int64_t>(std::ceil(support)) * 2 + 1;
  result.values.resize(static_cast<std::size_t>(to * result.longest));
  std::vector<double> parts;
  for (std::int64_t i = 0; i < to; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * scale;
    const auto low = std::max<std::int64_t>(std::llround(centre - support), 0);
    const auto high = std::min<std::int64_t>(std::llround(centre + support), from);
    double sum = 0;
    parts.clear();
    for (std::int64_t x = low; x < high; ++x) {
      const double distance = std::abs(static_cast<double>(x) + 0.5 - centre) / support;
      parts.push_back(std::max(1 - distance, 0.0));
      sum += parts.back();
    }
    for (std::size_t j = 0; j < parts.size(); ++j) {
      result.values[static_cast<std::size_t>(i * result.longest) + j] =
          static_cast<float>(parts[j] / sum);
    }
    result.first.push_back(low);
    result.count.push_back(high - low);
  }
  return result;
}

template <class T>
void narrow(const T* row, const Weights& w, float* out) {
  for (std::size_t x = 0; x < w.first.size(); ++x) {
    const float* part = &w.values[x * static_cast<std::size_t>(w.longest)];
    const T* from = row + w.first[x];
    float sum = 0;
    for (std::int64_t j = 0; j < w.count[x]; ++j) sum += part[j] * static_cast<float>(from[j]);
    out[x] = sum;
  }
}

void store(const std::vector<float>& row, float* out) { std::copy(row.begin(), row.end(), out); }
void store(const std::vector<float>& row, std::uint8_t* out) {
  for (std::size_t x = 0; x < row.size(); ++x) {
    out[x] = static_cast<std::uint8_t>(std::clamp(row[x] + 0.5f, 0.0f, 255.0f));
  }
}

/// One channel: rows become short first, then columns.
template <class T>
void resize_plane(const T* in, std::int64_t width, const Weights& across, const Weights& down,
                  T* out) {
  const auto columns = std::ssize(across.first), rows = std::ssize(down.first);
  std::vector<float> kept;  // short rows that are still needed, from `from` on
  std::vector<float> sum(static_cast<std::size_t>(columns));
  std::int64_t from = 0, made = 0;
  for (std::int64_t y = 0; y < rows; ++y) {
    const std::int64_t first = down.first[y], behind = first + down.count[y];
    if (first > from) {
      const std::int64_t gone = std::min(first, made) - from;
      kept.erase(kept.begin(), kept.begin() + gone * columns);
      from = first;
      made = std::max(made, first);
    }
    for (; made < behind; ++made) {
      kept.resize(static_cast<std::size_t>((made - from + 1) * columns));
      narrow(in + made * width, across, &kept[static_cast<std::size_t>((made - from) * columns)]);
    }
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (std::int64_t j = 0; j < down.count[y]; ++j) {
      const float part = down.values[static_cast<std::size_t>(y * down.longest + j)];
      const float* row = &kept[static_cast<std::size_t>((first - from + j) * columns)];
      for (std::int64_t x = 0; x < columns; ++x) sum[x] += part * row[x];
    }
    store(sum, out + y * columns);
  }
}

template <class T>
ndarray resize_as(const ndarray& image, std::int64_t height, std::int64_t width) {
  const ndarray in = image.flags().c_contiguous ? image : image.copy(cp::Order::C);
  const auto [channels, rows, columns] = in.shape<3>();
  const cp::DeviceScope host(cp::Device::cpu());
  const ndarray out = cp::empty({channels, height, width}, in.dtype());
  const Weights across = weights(columns, width), down = weights(rows, height);
  const T* from = in.span<const T>().data();
  T* to = out.span<T>().data();
  for (std::int64_t c = 0; c < channels; ++c) {
    resize_plane(from + c * rows * columns, columns, across, down, to + c * height * width);
  }
  return out;
}

}  // namespace

ndarray resize(const ndarray& image, std::int64_t height, std::int64_t width) {
  check("resize", image);
  if (height < 1 || width < 1 || image.size() == 0) {
    throw cp::ValueError(
        cp::message("resize: an image of shape ", image.shape(), " to ", height, " x ", width));
  }
  if (!image.device().is_cpu()) {
    throw cp::DeviceError(cp::message("resize: the image is on ", image.device().name()));
  }
  if (image.shape(1) == height && image.shape(2) == width) return image.copy();
  if (image.dtype() == cp::uint8) return resize_as<std::uint8_t>(image, height, width);
  if (image.dtype() == cp::float32) return resize_as<float>(image, height, width);
  throw cp::DtypeError(cp::message("resize: an image of ", std::string(image.dtype().name()),
                                   "; uint8 and float32 have loops"));
}

ndarray resize_shorter(const ndarray& image, std::int64_t size) {
  check("resize_shorter", image);
  const std::int64_t height = image.shape(1), width = image.shape(2);
  const auto shorter = std::max<std::int64_t>(std::min(height, width), 1);
  const auto other = [&](std::int64_t extent) {
    std::int64_t product;
    if (__builtin_mul_overflow(extent, size, &product) ||
        __builtin_add_overflow(product, shorter / 2, &product)) {
      throw cp::ValueError(
          cp::message("resize_shorter: the extents exceed 64 bits; ", size, " of ", image.shape()));
    }
    return product / shorter;
  };
  return resize(image, height <= width ? size : other(height),
                width <= height ? size : other(width));
}

ndarray crop(const ndarray& image, std::int64_t top, std::int64_t left, std::int64_t height,
             std::int64_t width) {
  check("crop", image);
  if (top < 0 || left < 0 || height < 1 || width < 1 || top > image.shape(1) - height ||
      left > image.shape(2) - width) {
    throw cp::ValueError(cp::message("crop: ", height, " x ", width, " at ", top, ", ", left,
                                     " of an image of shape ", image.shape()));
  }
  return image(cp::ellipsis, cp::slice(top, top + height), cp::slice(left, left + width));
}

ndarray center_crop(const ndarray& image, std::int64_t height, std::int64_t width) {
  check("center_crop", image);
  return crop(image, (image.shape(1) - height) / 2, (image.shape(2) - width) / 2, height, width);
}

ndarray random_crop(const ndarray& image, std::int64_t height, std::int64_t width) {
  check("random_crop", image);
  if (height > image.shape(1) || width > image.shape(2)) return crop(image, 0, 0, height, width);
  ExampleRandom& random = example_random();
  const std::int64_t top = random.below(image.shape(1) - height + 1);
  return crop(image, top, random.below(image.shape(2) - width + 1), height, width);
}

ndarray horizontal_flip(const ndarray& image) {
  check("horizontal_flip", image);
  return image(cp::ellipsis, cp::slice(cp::none, cp::none, -1));
}

ndarray random_flip(const ndarray& image) {
  return example_random().below(2) == 1 ? horizontal_flip(image) : image;
}

ImageStatistics mean_and_variance(const Dataset& images) {
  std::vector<double> sums, squares;
  double count = 0;
  for (std::int64_t i = 0; i < images.size(); ++i) {
    const Example example = images.get_example(i);
    if (example.empty()) continue;
    check("mean_and_variance", example[0]);
    const ndarray image = example[0].to_cpu().astype(cp::float64);
    const std::vector<double> sum = image.sum({1, 2}).to_vector<double>();
    const std::vector<double> square = (image * image).sum({1, 2}).to_vector<double>();
    if (sums.empty()) sums.resize(sum.size()), squares.resize(sum.size());
    if (sum.size() != sums.size()) {
      throw cp::ValueError(cp::message("mean_and_variance: example ", i, " has ", sum.size(),
                                       " channels, others have ", sums.size()));
    }
    for (std::size_t c = 0; c < sum.size(); ++c) sums[c] += sum[c], squares[c] += square[c];
    count += static_cast<double>(image.shape(1) * image.shape(2));
  }
  if (count == 0) throw cp::ValueError("mean_and_variance: there are no images");
  for (std::size_t c = 0; c < sums.size(); ++c) {
    sums[c] /= count;
    squares[c] = std::max(squares[c] / count - sums[c] * sums[c], 0.0);
  }
  const cp::DeviceScope host(cp::Device::cpu());
  return {cp::array(sums), cp::array(squares)};
}

ndarray normalize(const ndarray& image, const ImageStatistics& statistics) {
  check("normalize", image);
  const std::int64_t channels = image.shape(0);
  if (statistics.mean.size() != channels || statistics.variance.size() != channels) {
    throw cp::ShapeError(cp::message("normalize: statistics of ", statistics.mean.size(),
                                     " channels for an image of ", channels));
  }
  const ndarray mean = statistics.mean.astype(cp::float32).reshape({channels, 1, 1});
  const ndarray scale =
      (1 / cp::sqrt(statistics.variance)).astype(cp::float32).reshape({channels, 1, 1});
  return (image.astype(cp::float32) - mean) * scale;
}

}  // namespace chainerxx::datasets
