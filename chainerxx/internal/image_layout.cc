// SPDX-License-Identifier: MIT
#include "chainerxx/internal/image_layout.h"

#include <cstdint>
#include <cstdlib>
#include <optional>

#include "cupyxx/creation.h"

namespace chainerxx::internal {

bool begins_on_pack(const ndarray& a) {
  return reinterpret_cast<std::uintptr_t>(a.elements()) % 16 == 0;
}

bool is_channels_last(const ndarray& a) {
  if (a.ndim() != 4) return false;
  const cupyxx::Shape s = a.shape();
  if (s[1] <= 1 || s[2] * s[3] <= 1) return false;
  const cupyxx::Strides strides = a.strides();
  return std::abs(strides[1]) < std::abs(strides[s[3] > 1 ? 3 : 2]);
}

ndarray as_pixels(const ndarray& images) { return images.transpose({0, 2, 3, 1}); }

ndarray as_pixel_rows(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  return as_pixels(images).reshape({s[0] * s[2] * s[3], s[1]});
}

bool has_layout(const ndarray& images, bool channels_last) {
  return (channels_last ? as_pixels(images) : images).flags().c_contiguous;
}

ndarray empty_images(const ndarray& beside, const cupyxx::Shape& s, cupyxx::dtype dtype,
                     bool channels_last) {
  std::optional<cupyxx::DeviceScope> scope;
  if (beside.device() != cupyxx::current_device()) scope.emplace(beside.device());
  if (!channels_last) return cupyxx::empty(s, dtype);
  return cupyxx::empty({s[0], s[2], s[3], s[1]}, dtype).transpose({0, 3, 1, 2});
}

ndarray cast_images(const ndarray& images, cupyxx::dtype dtype, bool channels_last) {
  const ndarray out = empty_images(images, images.shape(), dtype, channels_last);
  // As a copy into C order, the form that devices transpose through shared memory.
  if (channels_last) {
    as_pixels(out).set(as_pixels(images));
  } else {
    out.set(images);
  }
  return out;
}

ndarray in_layout(const ndarray& images, bool channels_last) {
  if (has_layout(images, channels_last)) return images;
  return cast_images(images, images.dtype(), channels_last);
}

ndarray packed_in_layout(const ndarray& images, bool channels_last) {
  if (begins_on_pack(images)) return in_layout(images, channels_last);
  return cast_images(images, images.dtype(), channels_last);
}

}  // namespace chainerxx::internal
