// SPDX-License-Identifier: MIT
#include "examples/mnist/dataset.h"

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "examples/mnist/errors.h"
#include "examples/mnist/idx_file.h"

namespace mnist {

namespace cp = cupyxx;

Dataset::Dataset(const std::string& folder, const std::string& part) {
  const LabelledImages data = read_labelled_images(folder, part);
  // Bytes travel to the device, a quarter of what floats would be.
  const cp::ndarray bytes = cp::array(data.images.bytes).reshape({data.count(), data.pixels()});
  images = cp::multiply(bytes, 1.0 / 255, {.dtype = cp::float32});
  labels = cp::array(data.labels.bytes, cp::int32);
}

Data::Data(const std::string& folder) : train(folder, "train"), test(folder, "t10k") {
  if (train.pixels() != test.pixels()) {
    throw UserError(folder + ": training images have " + std::to_string(train.pixels()) +
                    " pixels, test images " + std::to_string(test.pixels()));
  }
}

}  // namespace mnist
