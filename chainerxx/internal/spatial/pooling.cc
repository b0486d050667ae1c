// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/pooling.h"

#include <algorithm>
#include <limits>
#include <string>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

using kernels::PoolingArgs;
const Kernel<PoolingArgs> kMaxOfAny{kLibrary, "max_pooling", "pooling.h", "max_pooling<T, 0>"};
const Kernel<PoolingArgs> kMaxOf2{kLibrary, "max_pooling_2", "pooling.h", "max_pooling<T, 2>"};
const Kernel<PoolingArgs> kMaxOf3{kLibrary, "max_pooling_3", "pooling.h", "max_pooling<T, 3>"};
const Kernel<PoolingArgs> kMaxGradOfAny{kLibrary, "max_pooling_grad", "pooling.h",
                                        "max_pooling_grad<T, 0>"};
const Kernel<PoolingArgs> kMaxGradOf2{kLibrary, "max_pooling_grad_2", "pooling.h",
                                      "max_pooling_grad<T, 2>"};
const Kernel<PoolingArgs> kSum{kLibrary, "sum_pooling", "pooling.h", "sum_pooling<T>"};
const Kernel<PoolingArgs> kSumGrad{kLibrary, "sum_pooling_grad", "pooling.h",
                                   "sum_pooling_grad<T>"};

/// Runs `on_host`, or `kernel` on a grid that walks over rows x columns items of every plane:
/// threads of the x axis take items, as many as there are, the others more planes.
void run(void on_host(cupyxx::dtype, const PoolingArgs&), const Kernel<PoolingArgs>& kernel,
         long rows, long columns, const ndarray& from, const ndarray& to, const ndarray& places,
         const PoolingArgs& args) {
  if (to.size() == 0) return;
  if (from.device().is_cpu()) return on_host(from.dtype(), args);
  constexpr long kThreads = 256, kEnoughBlocks = 4096, kMostPlanes = 65535;
  const long items = rows * columns;
  long across = 1;
  while (across < kThreads && across < items) across *= 2;
  const long down = kThreads / across, planes = (args.planes + down - 1) / down;
  const long blocks = (items + across - 1) / across;
  const long turns = std::clamp<long>(planes * blocks / kEnoughBlocks, 1, 16);
  kernel.launch(from.dtype(),
                {.grid_x = static_cast<unsigned>((blocks + turns - 1) / turns),
                 .grid_y = static_cast<unsigned>(std::min(planes, kMostPlanes)),
                 .block_x = static_cast<unsigned>(across),
                 .block_y = static_cast<unsigned>(down)},
                args, {&from, &to, &places});
}

const Kernel<PoolingArgs>& max_kernel(const kernels::Window& g) {
  if (g.kh != g.kw) return kMaxOfAny;
  return g.kh == 2 ? kMaxOf2 : g.kh == 3 ? kMaxOf3 : kMaxOfAny;
}

const Kernel<PoolingArgs>& max_grad_kernel(const kernels::Window& g) {
  return g.sy == 2 && g.sx == 2 ? kMaxGradOf2 : kMaxGradOfAny;
}

/// Places in a plane are 32 bits wide.
void check_plane(const ndarray& x) {
  const cupyxx::Shape s = x.shape();
  if (s[2] * s[3] <= std::numeric_limits<std::int32_t>::max()) return;
  throw cupyxx::ShapeError(cupyxx::message("max_pooling_2d: an image is too large; ", s));
}

}  // namespace

MaxPooled max_pool(const ndarray& input, const Windows& windows, const Size2D& out) {
  check_plane(input);
  const ndarray x = contiguous(input);
  const cupyxx::Shape s = x.shape(), t = {s[0], s[1], out.h, out.w};
  const MaxPooled result = {empty_beside(x, t, x.dtype()), empty_beside(x, t, cupyxx::int32)};
  const kernels::Window window = kernel_window(windows, {s[2], s[3]}, out);
  run(cpu::max_pooling, max_kernel(window), out.h, out.w, x, result.y, result.places,
      {x.elements(), result.y.elements(), nullptr, static_cast<int*>(result.places.elements()),
       s[0] * s[1], 1, window});
  return result;
}

ndarray max_pool_grad(const ndarray& grad, const ndarray& places, const Windows& windows,
                      const Size2D& image) {
  const ndarray gy = contiguous(grad);
  const cupyxx::Shape s = gy.shape();
  ndarray gx = empty_beside(gy, {s[0], s[1], image.h, image.w}, gy.dtype());
  const kernels::Window window = kernel_window(windows, image, {s[2], s[3]});
  run(cpu::max_pooling_grad, max_grad_kernel(window), image.h, (image.w + 3) / 4, gy, gx, places,
      {nullptr, gy.elements(), gx.elements(), static_cast<int*>(places.elements()), s[0] * s[1], 1,
       window});
  return gx;
}

ndarray sum_pool(const ndarray& input, const Windows& windows, const Size2D& out, double scale) {
  const ndarray x = contiguous(input);
  const cupyxx::Shape s = x.shape();
  ndarray y = empty_beside(x, {s[0], s[1], out.h, out.w}, x.dtype());
  run(cpu::sum_pooling, kSum, out.h, out.w, x, y, {},
      {x.elements(), y.elements(), nullptr, nullptr, s[0] * s[1], scale,
       kernel_window(windows, {s[2], s[3]}, out)});
  return y;
}

ndarray sum_pool_grad(const ndarray& grad, const Windows& windows, const Size2D& image,
                      double scale) {
  const ndarray gy = contiguous(grad);
  const cupyxx::Shape s = gy.shape();
  ndarray gx = empty_beside(gy, {s[0], s[1], image.h, image.w}, gy.dtype());
  run(cpu::sum_pooling_grad, kSumGrad, image.h, image.w, gy, gx, {},
      {nullptr, gy.elements(), gx.elements(), nullptr, s[0] * s[1], scale,
       kernel_window(windows, image, {s[2], s[3]})});
  return gx;
}

}  // namespace chainerxx::internal
