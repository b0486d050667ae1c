// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/pooling.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/pooling_bands.h"
#include "chainerxx/internal/kernels/pooling_strips.h"
#include "chainerxx/internal/spatial/channel_rows.h"
#include "chainerxx/internal/spatial/relu.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

using kernels::BandArgs;
using kernels::PoolingArgs;

// Places are bytes but for windows of more elements.
const Kernel<PoolingArgs> kMaxOfAny{kLibrary, "max_pooling", "pooling.h",
                                    "max_pooling<T, 0, unsigned char>"};
const Kernel<PoolingArgs> kMaxOf2{kLibrary, "max_pooling_2", "pooling.h",
                                  "max_pooling<T, 2, unsigned char>"};
const Kernel<PoolingArgs> kMaxOf3{kLibrary, "max_pooling_3", "pooling.h",
                                  "max_pooling<T, 3, unsigned char>"};
const Kernel<PoolingArgs> kMaxOfLarge{kLibrary, "max_pooling_large", "pooling.h",
                                      "max_pooling<T, 0, int>"};
const Kernel<PoolingArgs> kMaxGradOfAny{kLibrary, "max_pooling_grad", "pooling.h",
                                        "max_pooling_grad<T, 0, unsigned char>"};
const Kernel<PoolingArgs> kMaxGradOf2{kLibrary, "max_pooling_grad_2", "pooling.h",
                                      "max_pooling_grad<T, 2, unsigned char>"};
const Kernel<PoolingArgs> kMaxGradOfLarge{kLibrary, "max_pooling_grad_large", "pooling.h",
                                          "max_pooling_grad<T, 0, int>"};
// Everyday sides and strides.
const Kernel<PoolingArgs> kMaxStrips2By2{kLibrary, "max_pooling_strips_2_2", "pooling_strips.h",
                                         "max_pooling_strips<T, 2, 2, unsigned char>", 256};
const Kernel<PoolingArgs> kMaxStrips3By2{kLibrary, "max_pooling_strips_3_2", "pooling_strips.h",
                                         "max_pooling_strips<T, 3, 2, unsigned char>", 256};
const Kernel<PoolingArgs> kMaxStrips3By1{kLibrary, "max_pooling_strips_3_1", "pooling_strips.h",
                                         "max_pooling_strips<T, 3, 1, unsigned char>", 256};
// At most four windows on an element, planes that are not too wide.
const Kernel<BandArgs> kMaxGradBands{kLibrary, "max_pooling_grad_bands", "pooling_bands.h",
                                     "max_pooling_grad_bands<T, unsigned char>",
                                     kernels::kBandThreads};
const Kernel<PoolingArgs> kSum{kLibrary, "sum_pooling", "pooling.h", "sum_pooling<T>"};
const Kernel<PoolingArgs> kSumGrad{kLibrary, "sum_pooling_grad", "pooling.h",
                                   "sum_pooling_grad<T>"};

/// For images that lie channels last: a pack of channels a thread, or one.
struct PixelKernels {
  Kernel<PoolingArgs> packed, single;
};
const PixelKernels kPixelMaxOfAny = {{kLibrary, "packed_pixel_max_pooling", "pixel_pooling.h",
                                      "pixel_max_pooling<T, 0, kPackWidth<T>, unsigned char>", 256},
                                     {kLibrary, "pixel_max_pooling", "pixel_pooling.h",
                                      "pixel_max_pooling<T, 0, 1, unsigned char>", 256}};
const PixelKernels kPixelMaxOfLarge = {
    {kLibrary, "packed_pixel_max_pooling_large", "pixel_pooling.h",
     "pixel_max_pooling<T, 0, kPackWidth<T>, int>", 256},
    {kLibrary, "pixel_max_pooling_large", "pixel_pooling.h", "pixel_max_pooling<T, 0, 1, int>",
     256}};
const Kernel<PoolingArgs> kPixelMaxOf2{kLibrary, "packed_pixel_max_pooling_2", "pixel_pooling.h",
                                       "pixel_max_pooling<T, 2, kPackWidth<T>, unsigned char>",
                                       256};
const Kernel<PoolingArgs> kPixelMaxOf3{kLibrary, "packed_pixel_max_pooling_3", "pixel_pooling.h",
                                       "pixel_max_pooling<T, 3, kPackWidth<T>, unsigned char>",
                                       256};
const PixelKernels kPixelMaxGradOfAny = {
    {kLibrary, "packed_pixel_max_pooling_grad", "pixel_pooling.h",
     "pixel_max_pooling_grad<T, 0, kPackWidth<T>, unsigned char>", 256},
    {kLibrary, "pixel_max_pooling_grad", "pixel_pooling.h",
     "pixel_max_pooling_grad<T, 0, 1, unsigned char>", 256}};
const PixelKernels kPixelMaxGradOfLarge = {
    {kLibrary, "packed_pixel_max_pooling_grad_large", "pixel_pooling.h",
     "pixel_max_pooling_grad<T, 0, kPackWidth<T>, int>", 256},
    {kLibrary, "pixel_max_pooling_grad_large", "pixel_pooling.h",
     "pixel_max_pooling_grad<T, 0, 1, int>", 256}};
const Kernel<PoolingArgs> kPixelMaxGradOf2{
    kLibrary, "packed_pixel_max_pooling_grad_2", "pixel_pooling.h",
    "pixel_max_pooling_grad<T, 2, kPackWidth<T>, unsigned char>", 256};
const PixelKernels kPixelSum = {
    {kLibrary, "packed_pixel_sum_pooling", "pixel_pooling.h", "pixel_sum_pooling<T, kPackWidth<T>>",
     256},
    {kLibrary, "pixel_sum_pooling", "pixel_pooling.h", "pixel_sum_pooling<T, 1>", 256}};
const PixelKernels kPixelSumGrad = {
    {kLibrary, "packed_pixel_sum_pooling_grad", "pixel_pooling.h",
     "pixel_sum_pooling_grad<T, kPackWidth<T>>", 256},
    {kLibrary, "pixel_sum_pooling_grad", "pixel_pooling.h", "pixel_sum_pooling_grad<T, 1>", 256}};

/// Runs `kernel` on a grid that walks over rows x columns items of every plane: threads of the x
/// axis take items, as many as there are, the others more planes. A thread has at most so many
/// items of a plane.
void run_planes(const Kernel<PoolingArgs>& kernel, long rows, long columns, const PoolingArgs& args,
                std::initializer_list<const ndarray*> arrays, long most_turns = 16) {
  constexpr long kThreads = 256, kEnoughBlocks = 4096, kMostPlanes = 65535;
  const long items = rows * columns;
  long across = 1;
  while (across < kThreads && across < items) across *= 2;
  const long down = kThreads / across, planes = (args.planes + down - 1) / down;
  const long blocks = (items + across - 1) / across;
  const long turns = std::clamp<long>(planes * blocks / kEnoughBlocks, 1, most_turns);
  kernel.launch((*arrays.begin())->dtype(),
                {.grid_x = static_cast<unsigned>((blocks + turns - 1) / turns),
                 .grid_y = static_cast<unsigned>(std::min(planes, kMostPlanes)),
                 .block_x = static_cast<unsigned>(across),
                 .block_y = static_cast<unsigned>(down)},
                args, arrays);
}

/// Runs `kernel` on rows x columns pixels of images, `width` channels a thread.
void run_pixels(const Kernel<PoolingArgs>& kernel, long rows, long columns, long width,
                const PoolingArgs& args, std::initializer_list<const ndarray*> arrays) {
  const long images = args.planes / args.channels;
  const long blocks = (rows * columns * (args.channels / width) + 255) / 256;
  const long together = std::clamp<long>(images * blocks / 16384, 1, 4);  // images a thread takes
  kernel.launch((*arrays.begin())->dtype(),
                {.grid_x = static_cast<unsigned>(std::clamp<long>(blocks, 1, 1 << 20)),
                 .grid_y = static_cast<unsigned>(
                     std::clamp<long>((images + together - 1) / together, 1, 65535)),
                 .block_x = 256},
                args, arrays);
}

/// Places in a plane are 32 bits wide.
void check_plane(const ndarray& x) {
  const cupyxx::Shape s = x.shape();
  if (s[2] * s[3] <= std::numeric_limits<std::int32_t>::max()) return;
  throw cupyxx::ShapeError(cupyxx::message("max_pooling_2d: an image is too large; ", s));
}

/// Whether images that lie channels last are worked on as they lie: hosts work on planes, and
/// indices in an image are 32 bits wide.
bool works_by_pixels(bool channels_last, const ndarray& images, const Size2D& image,
                     const Size2D& out) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const std::int64_t channels = images.shape()[1];
  return channels_last && images.device().is_cuda() && channels * image.h * image.w < kMost &&
         channels * out.h * out.w < kMost;
}

ndarray as_worked_on(const ndarray& images, bool by_pixels) {
  return by_pixels ? packed_in_layout(images, true) : in_layout(images, false);
}

bool is_square(const kernels::Window& g, int side) { return g.kh == side && g.kw == side; }

bool has_large_places(const Windows& windows) { return windows.ksize.h * windows.ksize.w >= 127; }

cupyxx::dtype type_of_places(const ndarray& x, const Windows& windows) {
  return x.device().is_cpu() || has_large_places(windows) ? cupyxx::int32 : cupyxx::uint8;
}

PoolingArgs arguments(const ndarray& images, const kernels::Window& window, double scale) {
  const cupyxx::Shape s = images.shape();
  PoolingArgs args{};
  args.planes = s[0] * s[1];
  args.channels = s[1];
  args.scale = scale;
  args.window = window;
  return args;
}

/// Channels of a thread: a pack where all pixels begin with one.
long width_of(const ndarray& images) {
  const long pack = 16 / images.itemsize();
  return images.shape()[1] % pack == 0 ? pack : 1;
}

const Kernel<PoolingArgs>& of_width(const PixelKernels& kernels, long width) {
  return width == 1 ? kernels.single : kernels.packed;
}

const Kernel<PoolingArgs>& max_kernel(const kernels::Window& g, bool large) {
  return large ? kMaxOfLarge : is_square(g, 2) ? kMaxOf2 : is_square(g, 3) ? kMaxOf3 : kMaxOfAny;
}

/// The kernel of strips for such windows, or null; those of 2 x 2 share nothing, and strips of them
/// are slower in 16-bit types.
const Kernel<PoolingArgs>* strips_kernel(const kernels::Window& g, bool is_narrow) {
  if (g.sy != g.sx) return nullptr;
  if (is_square(g, 2) && g.sy == 2) return is_narrow ? nullptr : &kMaxStrips2By2;
  if (is_square(g, 3) && g.sy == 2) return &kMaxStrips3By2;
  return is_square(g, 3) && g.sy == 1 ? &kMaxStrips3By1 : nullptr;
}

void run_max(const PoolingArgs& args, bool large, std::initializer_list<const ndarray*> arrays) {
  const kernels::Window& g = args.window;
  const bool is_narrow = (*arrays.begin())->itemsize() == 2;
  if (const Kernel<PoolingArgs>* strips = strips_kernel(g, is_narrow)) {
    const long rows = (g.oh + kernels::kStrip - 1) / kernels::kStrip;
    return run_planes(*strips, rows, g.ow, args, arrays, 4);
  }
  run_planes(max_kernel(g, large), g.oh, g.ow, args, arrays);
}

const Kernel<PoolingArgs>& pixel_max_kernel(const kernels::Window& g, bool large, long width) {
  if (large || width == 1) return of_width(large ? kPixelMaxOfLarge : kPixelMaxOfAny, width);
  return is_square(g, 2) ? kPixelMaxOf2 : is_square(g, 3) ? kPixelMaxOf3 : kPixelMaxOfAny.packed;
}

const Kernel<PoolingArgs>& max_grad_kernel(const kernels::Window& g, bool large) {
  return large ? kMaxGradOfLarge : g.sy == 2 && g.sx == 2 ? kMaxGradOf2 : kMaxGradOfAny;
}

/// How the gradient's planes are cut into bands; no rows where another kernel is better: where
/// windows do not overlap that reads each once, too, and a band of few rows reads many windows that
/// lie on its neighbours as well.
BandArgs bands_of(const PoolingArgs& args) {
  constexpr long kFewestRows = 6, kEnoughBlocks = 1024,
                 kMostBlocks = std::numeric_limits<int>::max();
  const kernels::Window& g = args.window;
  BandArgs bands{args, 1, 1, 0};
  const long turns = ((g.kh + g.sy - 1) / g.sy) * ((g.kw + g.sx - 1) / g.sx);
  if (turns > 4 || g.ph >= g.kh) return bands;
  const long plane = g.h * g.w, pooled = g.oh * g.ow;
  if (plane <= kernels::kBandElements && pooled <= kernels::kBandWindows) {
    const long most = std::min(kernels::kBandElements / plane, kernels::kBandWindows / pooled);
    bands.planes = static_cast<int>(std::clamp<long>(args.planes / kEnoughBlocks, 1, most));
    bands.rows = static_cast<int>(g.h);
  } else {
    // A multiple of the stride, so that on all bands lie as many rows of windows, those from
    // `first` to (rows - 1 + ph) / sy.
    const long first = -((g.kh - g.ph + g.sy - 1) / g.sy) + 1;
    const long of_windows = (kernels::kBandWindows / g.ow + first) * g.sy - g.ph;
    const long most = std::min(kernels::kBandElements / g.w, of_windows) / g.sy * g.sy;
    if (turns == 1 || most < kFewestRows) return bands;
    bands.bands = static_cast<int>((g.h + most - 1) / most);
    bands.rows = static_cast<int>((g.h + bands.bands - 1) / bands.bands);
    bands.rows = (bands.rows + g.sy - 1) / g.sy * g.sy;
  }
  if ((args.planes + bands.planes - 1) / bands.planes * bands.bands > kMostBlocks) bands.rows = 0;
  return bands;
}

void run_max_grad(const PoolingArgs& args, bool large,
                  std::initializer_list<const ndarray*> arrays) {
  const kernels::Window& g = args.window;
  const BandArgs bands = large ? BandArgs{} : bands_of(args);
  if (bands.rows == 0) {
    return run_planes(max_grad_kernel(g, large), g.h, (g.w + 3) / 4, args, arrays);
  }
  const long blocks = (args.planes + bands.planes - 1) / bands.planes * bands.bands;
  kMaxGradBands.launch((*arrays.begin())->dtype(),
                       {.grid_x = static_cast<unsigned>(blocks), .block_x = kernels::kBandThreads},
                       bands, arrays);
}

const Kernel<PoolingArgs>& pixel_max_grad_kernel(const kernels::Window& g, bool large, long width) {
  if (large) return of_width(kPixelMaxGradOfLarge, width);
  return g.sy == 2 && g.sx == 2 && width != 1 ? kPixelMaxGradOf2
                                              : of_width(kPixelMaxGradOfAny, width);
}

}  // namespace

MaxPooled max_pool(const ndarray& input, const Windows& windows, const Size2D& out) {
  check_plane(input);
  const cupyxx::Shape s = input.shape(), t = {s[0], s[1], out.h, out.w};
  const bool channels_last = is_channels_last(input);
  const bool by_pixels = works_by_pixels(channels_last, input, {s[2], s[3]}, out);
  const ndarray x = as_worked_on(input, by_pixels);
  MaxPooled result = {empty_images(x, t, x.dtype(), by_pixels),
                      empty_images(x, t, type_of_places(x, windows), by_pixels)};
  const kernels::Window window = kernel_window(windows, {s[2], s[3]}, out);
  PoolingArgs args = arguments(x, window, 1);
  args.image = x.elements();
  args.pooled = result.y.elements();
  args.places = result.places.elements();
  const bool large = has_large_places(windows);
  if (result.y.size() == 0) return result;
  if (x.device().is_cpu()) {
    cpu::max_pooling(x.dtype(), args);
  } else if (by_pixels) {
    const long width = width_of(x);
    run_pixels(pixel_max_kernel(window, large, width), out.h, out.w, width, args,
               {&x, &result.y, &result.places});
  } else {
    run_max(args, large, {&x, &result.y, &result.places});
  }
  result.y = in_layout(result.y, channels_last);
  return result;
}

namespace {

/// With `images` what is said of a ReLU at max_pool_grad_before_relu.
ndarray gradient_of_maxima(const ndarray& grad, const ndarray& places, const Windows& windows,
                           const Size2D& image, bool channels_last, const void* images) {
  const cupyxx::Shape s = grad.shape();
  const bool by_pixels = works_by_pixels(channels_last, grad, image, {s[2], s[3]});
  const ndarray gy = as_worked_on(grad, by_pixels);
  const ndarray gx = empty_images(gy, {s[0], s[1], image.h, image.w}, gy.dtype(), by_pixels);
  const kernels::Window window = kernel_window(windows, image, {s[2], s[3]});
  PoolingArgs args = arguments(gy, window, 1);
  args.pooled = gy.elements();
  args.grad = gx.elements();
  args.places = places.elements();
  const bool large = has_large_places(windows);
  if (gx.size() == 0) return gx;
  if (gy.device().is_cpu()) {
    cpu::max_pooling_grad(gy.dtype(), args);
  } else if (by_pixels) {
    const bool masks = images != nullptr && !large && gy.size() != 0 &&
                       s[1] <= ChannelRows::kMostChannels;  // of the sums for a bias
    if (!large && !masks) args.place_bits = kernels::kNotPositive - 1;
    const long width = width_of(gy);
    run_pixels(pixel_max_grad_kernel(window, large, width), image.h, image.w, width, args,
               {&gy, &gx, &places});
    if (masks) MaskedGradient::note(gx, images, gy, places);
  } else {
    run_max_grad(args, large, {&gy, &gx, &places});
  }
  return in_layout(gx, channels_last);
}

}  // namespace

ndarray max_pool_grad(const ndarray& gy, const ndarray& places, const Windows& windows,
                      const Size2D& image, bool channels_last) {
  return gradient_of_maxima(gy, places, windows, image, channels_last, nullptr);
}

ndarray max_pool_grad_before_relu(const ndarray& gy, const ndarray& places, const Windows& windows,
                                  const Size2D& image, bool channels_last, const void* images) {
  return gradient_of_maxima(gy, places, windows, image, channels_last, images);
}

ndarray places_in_planes(const ndarray& places, const Windows& windows, const Size2D& image) {
  if (places.device().is_cpu()) return places;
  const cupyxx::Shape s = places.shape();
  const cupyxx::DeviceScope scope(places.device());
  const bool in_bytes = places.dtype() == cupyxx::uint8;  // without their marks
  const std::int64_t nowhere =
      in_bytes ? kernels::kNotPositive - 1 : std::numeric_limits<std::int32_t>::max();
  const ndarray in_window =
      (in_bytes ? places & (kernels::kNotPositive - 1) : places).astype(cupyxx::int64);
  const auto corners = [](std::int64_t count, std::int64_t stride, std::int64_t pad) {
    return cupyxx::arange(count) * stride - pad;
  };
  const ndarray top = corners(s[2], windows.stride.h, windows.pad.h).reshape({s[2], 1});
  const ndarray y = top + cupyxx::floor_divide(in_window, windows.ksize.w);
  const ndarray x = corners(s[3], windows.stride.w, windows.pad.w) +
                    cupyxx::remainder(in_window, windows.ksize.w);
  return cupyxx::where(cupyxx::equal(in_window, nowhere), -1, y * image.w + x);
}

ndarray sum_pool(const ndarray& input, const Windows& windows, const Size2D& out, double scale) {
  const cupyxx::Shape s = input.shape();
  const bool channels_last = is_channels_last(input);
  const bool by_pixels = works_by_pixels(channels_last, input, {s[2], s[3]}, out);
  const ndarray x = as_worked_on(input, by_pixels);
  const ndarray y = empty_images(x, {s[0], s[1], out.h, out.w}, x.dtype(), by_pixels);
  PoolingArgs args = arguments(x, kernel_window(windows, {s[2], s[3]}, out), scale);
  args.image = x.elements();
  args.pooled = y.elements();
  if (y.size() == 0) return y;
  if (x.device().is_cpu()) {
    cpu::sum_pooling(x.dtype(), args);
  } else if (by_pixels) {
    const long width = width_of(x);
    run_pixels(of_width(kPixelSum, width), out.h, out.w, width, args, {&x, &y});
  } else {
    run_planes(kSum, out.h, out.w, args, {&x, &y});
  }
  return in_layout(y, channels_last);
}

ndarray sum_pool_grad(const ndarray& grad, const Windows& windows, const Size2D& image,
                      double scale, bool channels_last) {
  const cupyxx::Shape s = grad.shape();
  const bool by_pixels = works_by_pixels(channels_last, grad, image, {s[2], s[3]});
  const ndarray gy = as_worked_on(grad, by_pixels);
  const ndarray gx = empty_images(gy, {s[0], s[1], image.h, image.w}, gy.dtype(), by_pixels);
  PoolingArgs args = arguments(gy, kernel_window(windows, image, {s[2], s[3]}), scale);
  args.pooled = gy.elements();
  args.grad = gx.elements();
  if (gx.size() == 0) return gx;
  if (gy.device().is_cpu()) {
    cpu::sum_pooling_grad(gy.dtype(), args);
  } else if (by_pixels) {
    const long width = width_of(gy);
    run_pixels(of_width(kPixelSumGrad, width), image.h, image.w, width, args, {&gy, &gx});
  } else {
    run_planes(kSumGrad, image.h, image.w, args, {&gy, &gx});
  }
  return in_layout(gx, channels_last);
}

}  // namespace chainerxx::internal
