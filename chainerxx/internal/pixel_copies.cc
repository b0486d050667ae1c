// SPDX-License-Identifier: MIT
#include "chainerxx/internal/pixel_copies.h"

#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/pixel_rows.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal {
namespace {

using kernels::PixelRowsArgs;

const Kernel<PixelRowsArgs> kCopyRows{kLibrary, "copy_pixel_rows", "pixel_rows.h",
                                      "copy_pixel_rows<T, 1>"};
const Kernel<PixelRowsArgs> kCopyPackedRows{kLibrary, "copy_packed_pixel_rows", "pixel_rows.h",
                                            "copy_pixel_rows<T, kPackWidth<T>>"};

/// The elements from one pixel to the next, where that is the same for all; else 0.
std::int64_t pixel_step(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  const cupyxx::Strides strides = images.strides();
  if (s[1] > 1 && strides[1] != images.itemsize()) return 0;
  // The first axis of several elements from behind; those before it follow from it.
  std::int64_t step = 0, pixels = 1;
  for (const int axis : {3, 2, 0}) {
    if (s[axis] > 1) {
      if (step == 0) step = strides[axis] / pixels;
      if (strides[axis] != step * pixels) return 0;
    }
    pixels *= s[axis];
  }
  if (step == 0) step = s[1] * images.itemsize();
  return step > 0 && step % images.itemsize() == 0 ? step / images.itemsize() : 0;
}

bool begins_packs(const PixelRowsArgs& args, long pack) {
  const auto misplaced = [](const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % 16;
  };
  return misplaced(args.from) == 0 && misplaced(args.to) == 0 && args.columns % pack == 0 &&
         args.from_step % pack == 0 && args.to_step % pack == 0;
}

}  // namespace

void copy_channels(const ndarray& to, const ndarray& from) {
  if (to.size() == 0) return;
  const std::int64_t to_step = pixel_step(to), from_step = pixel_step(from);
  if (to.device().is_cpu() || !kLibrary.has(to.dtype()) || to_step == 0 || from_step == 0) {
    as_pixels(to).set(as_pixels(from));
    return;
  }
  const cupyxx::Shape s = to.shape();
  const PixelRowsArgs args{from.elements(), to.elements(), s[0] * s[2] * s[3], s[1],
                           from_step,       to_step};
  const long pack = 16 / to.itemsize();
  const bool packed = begins_packs(args, pack);
  cupyxx::extension::note_write(to);
  const auto& kernel = packed ? kCopyPackedRows : kCopyRows;
  kernel.launch(to.dtype(), grid_for(to.size() / (packed ? pack : 1), 1 << 16), args, {&to, &from});
}

ndarray cut_channels(const ndarray& images, std::int64_t begin, std::int64_t end) {
  const ndarray part = images(cupyxx::slice(), cupyxx::slice(begin, end));
  const ndarray out = empty_images(images, part.shape(), images.dtype(), true);
  copy_channels(out, part);
  return out;
}

}  // namespace chainerxx::internal
