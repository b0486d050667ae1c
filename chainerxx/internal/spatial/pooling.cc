// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/pooling.h"

#include <limits>
#include <string>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

void run(KernelName name, const ndarray& from, const ndarray& to, const ndarray& places,
         const kernels::PoolingArgs& args) {
  if (to.size() == 0) return;
  if (from.device().is_cpu()) {
    cpu::pooling(name, from.dtype(), args);
  } else {
    launch(name, from.dtype(), grid_for(to.size(), 1 << 16), &args, {&from, &to, &places});
  }
}

/// Places in a plane are 32 bits wide.
void check_plane(const ndarray& x) {
  const cupyxx::Shape s = x.shape();
  if (s[2] * s[3] <= std::numeric_limits<std::int32_t>::max()) return;
  throw cupyxx::ShapeError("max_pooling_2d: an image is too large; " + s.str());
}

}  // namespace

MaxPooled max_pool(const ndarray& input, const Windows& windows, const Size2D& out) {
  check_plane(input);
  const ndarray x = contiguous(input);
  const cupyxx::Shape s = x.shape(), t = {s[0], s[1], out.h, out.w};
  const MaxPooled result = {empty_beside(x, t, x.dtype()), empty_beside(x, t, cupyxx::int32)};
  run(KernelName::max_pooling, x, result.y, result.places,
      {x.data(), result.y.data(), nullptr, static_cast<int*>(result.places.data()), s[0] * s[1], 1,
       kernel_window(windows, {s[2], s[3]}, out)});
  return result;
}

ndarray max_pool_grad(const ndarray& grad, const ndarray& places, const Windows& windows,
                      const Size2D& image) {
  const ndarray gy = contiguous(grad);
  const cupyxx::Shape s = gy.shape();
  ndarray gx = empty_beside(gy, {s[0], s[1], image.h, image.w}, gy.dtype());
  run(KernelName::max_pooling_grad, gy, gx, places,
      {nullptr, gy.data(), gx.data(), static_cast<int*>(places.data()), s[0] * s[1], 1,
       kernel_window(windows, image, {s[2], s[3]})});
  return gx;
}

ndarray sum_pool(const ndarray& input, const Windows& windows, const Size2D& out, double scale) {
  const ndarray x = contiguous(input);
  const cupyxx::Shape s = x.shape();
  ndarray y = empty_beside(x, {s[0], s[1], out.h, out.w}, x.dtype());
  run(KernelName::sum_pooling, x, y, {},
      {x.data(), y.data(), nullptr, nullptr, s[0] * s[1], scale,
       kernel_window(windows, {s[2], s[3]}, out)});
  return y;
}

ndarray sum_pool_grad(const ndarray& grad, const Windows& windows, const Size2D& image,
                      double scale) {
  const ndarray gy = contiguous(grad);
  const cupyxx::Shape s = gy.shape();
  ndarray gx = empty_beside(gy, {s[0], s[1], image.h, image.w}, gy.dtype());
  run(KernelName::sum_pooling_grad, gy, gx, {},
      {nullptr, gy.data(), gx.data(), nullptr, s[0] * s[1], scale,
       kernel_window(windows, image, {s[2], s[3]})});
  return gx;
}

}  // namespace chainerxx::internal
