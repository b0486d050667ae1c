// SPDX-License-Identifier: MIT
#include "examples/program/dataset.h"

#include <algorithm>

#include "chainerxx/datasets/idx_file.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "examples/program/errors.h"

namespace examples {

namespace cp = cupyxx;

Dataset Dataset::take(const cp::ndarray& numbers) const {
  return {cp::take(images, numbers, 0), cp::take(labels, numbers, 0)};
}

std::vector<Dataset> Dataset::batches(std::int64_t batchsize) const {
  std::vector<Dataset> all;
  for (std::int64_t i = 0; i < size(); i += batchsize) {
    const cp::slice part(i, std::min(i + batchsize, size()));
    all.push_back({images(part), labels(part)});
  }
  return all;
}

Dataset read_dataset(const std::string& folder, const std::string& part, int classes) {
  const chainerxx::datasets::LabelledImages data =
      chainerxx::datasets::read_labelled_images(folder, part, classes);
  // Bytes travel to the device, a quarter of what floats would be.
  const cp::ndarray bytes = cp::array(data.images.bytes).reshape({data.count(), data.pixels()});
  return {cp::multiply(bytes, 1.0 / 255, {.dtype = cp::float32}),
          cp::array(data.labels.bytes, cp::int32)};
}

TrainingData::TrainingData(const std::string& from, int classes)
    : folder(from),
      train(read_dataset(from, "train", classes)),
      test(read_dataset(from, "t10k", classes)) {
  if (train.pixels() != test.pixels()) {
    throw UserError(cupyxx::message(folder, ": training images have ", train.pixels(),
                                    " pixels, test images ", test.pixels()));
  }
}

void TrainingData::check_batchsize(std::int64_t batchsize) const {
  if (batchsize <= train.size()) return;
  throw UsageError(cupyxx::message("--batchsize=", batchsize, ": more than the ", train.size(),
                                   " training images in ", folder));
}

}  // namespace examples
