// SPDX-License-Identifier: MIT
// JPEG and PNG files.
#include "chainerxx/datasets/images/image_file.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::datasets {
namespace {

void run(std::string_view bytes) {
  for (const ImageMode mode : {ImageMode::rgb, ImageMode::gray}) {
    ndarray image;
    if (!cupyxx::fuzz::attempt<cupyxx::IOError>([&] { image = decode_image(bytes, "a", mode); })) {
      continue;
    }
    if (image.ndim() != 3 || image.shape(0) != (mode == ImageMode::rgb ? 3 : 1)) {
      cupyxx::fuzz::fail("image: the shape is not that of an image");
    }
  }
}

const cupyxx::fuzz::Target image("image", &run);

}  // namespace
}  // namespace chainerxx::datasets
