// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/windows.h"

#include <limits>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

void require(bool holds, const char* operation, const char* what, const Size2D& size) {
  if (!holds) throw cupyxx::ValueError(cupyxx::message(operation, ": ", what, "; ", size));
  if (size.h <= kMost && size.w <= kMost) return;
  throw cupyxx::ValueError(cupyxx::message(operation, ": a size is above ", kMost, "; ", size));
}

std::int64_t places(std::int64_t size, std::int64_t k, std::int64_t s, std::int64_t p,
                    std::int64_t d, bool cover_all) {
  const std::int64_t room = size + 2 * p - ((k - 1) * d + 1);
  if (room < 0 && !(cover_all && room + s - 1 >= 0)) return 0;
  return (room + (cover_all ? s - 1 : 0)) / s + 1;
}

using kernels::WindowsArgs;
const Kernel<WindowsArgs> kIm2Col{kLibrary, "im2col", "windows.h", "im2col<T>"};
const Kernel<WindowsArgs> kCol2Im{kLibrary, "col2im", "windows.h", "col2im<T>"};

void run(void on_host(cupyxx::dtype, const WindowsArgs&), const Kernel<WindowsArgs>& kernel,
         const ndarray& from, const ndarray& to, const WindowsArgs& args) {
  if (args.size == 0) return;
  if (from.device().is_cpu()) {
    on_host(from.dtype(), args);
  } else {
    kernel.launch(from.dtype(), grid_for(args.size, 1 << 16), args, {&from, &to});
  }
}

}  // namespace

void check(const char* operation, const Windows& windows) {
  const auto positive = [](const Size2D& size) { return size.h > 0 && size.w > 0; };
  require(positive(windows.ksize), operation, "the window must not be empty", windows.ksize);
  require(positive(windows.stride), operation, "the stride must be positive", windows.stride);
  require(positive(windows.dilate), operation, "the dilation must be positive", windows.dilate);
  require(windows.pad.h >= 0 && windows.pad.w >= 0, operation, "the padding must not be negative",
          windows.pad);
}

Size2D output_size(const char* operation, const Windows& windows, const Size2D& image,
                   bool cover_all, const std::string& shape) {
  const Size2D out = {places(image.h, windows.ksize.h, windows.stride.h, windows.pad.h,
                             windows.dilate.h, cover_all),
                      places(image.w, windows.ksize.w, windows.stride.w, windows.pad.w,
                             windows.dilate.w, cover_all)};
  if (out.h > 0 && out.w > 0) return out;
  throw cupyxx::ShapeError(
      cupyxx::message(operation, ": the window is larger than the padded input; window ",
                      windows.ksize, ", pad ", windows.pad, ", input ", shape));
}

kernels::Window kernel_window(const Windows& windows, const Size2D& image, const Size2D& out) {
  return {image.h,
          image.w,
          out.h,
          out.w,
          static_cast<int>(windows.ksize.h),
          static_cast<int>(windows.ksize.w),
          static_cast<int>(windows.stride.h),
          static_cast<int>(windows.stride.w),
          static_cast<int>(windows.pad.h),
          static_cast<int>(windows.pad.w),
          static_cast<int>(windows.dilate.h),
          static_cast<int>(windows.dilate.w)};
}

ndarray im2col(const ndarray& input, const Windows& windows, const Size2D& out, double outside) {
  const ndarray image = contiguous(input);
  const cupyxx::Shape s = image.shape();
  ndarray col = empty_beside(image, {s[0], s[1], windows.ksize.h, windows.ksize.w, out.h, out.w},
                             image.dtype());
  run(cpu::im2col, kIm2Col, image, col,
      {image.elements(), col.elements(), s[0] * s[1], col.size(), outside,
       kernel_window(windows, {s[2], s[3]}, out)});
  return col;
}

ndarray col2im(const ndarray& input, const Windows& windows, const Size2D& size) {
  const ndarray col = contiguous(input);
  const cupyxx::Shape s = col.shape();
  ndarray image = empty_beside(col, {s[0], s[1], size.h, size.w}, col.dtype());
  run(cpu::col2im, kCol2Im, col, image,
      {col.elements(), image.elements(), s[0] * s[1], image.size(), 0,
       kernel_window(windows, size, {s[4], s[5]})});
  return image;
}

}  // namespace chainerxx::internal
