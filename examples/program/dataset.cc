// SPDX-License-Identifier: MIT
#include "examples/program/dataset.h"

#include <algorithm>
#include <filesystem>

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

Dataset read_dataset(const std::string& folder, const std::string& part, int classes,
                     std::int64_t side) {
  if (!std::filesystem::exists(folder)) {
    throw UserError(cupyxx::message(folder,
                                    ": no such folder; --data names one of IDX files, Debian's "
                                    "package dataset-fashion-mnist brings Fashion-MNIST"));
  }
  const chainerxx::datasets::LabelledImages data =
      chainerxx::datasets::read_labelled_images(folder, part, classes);
  const std::int64_t rows = data.images.shape[1], columns = data.images.shape[2];
  if (side > 0 && (rows != side || columns != side)) {
    throw UserError(cupyxx::message(folder, ": images of ", rows, " x ", columns,
                                    " pixels; this program takes ", side, " x ", side));
  }
  // Bytes travel to the device, a quarter of what floats would be.
  const cp::ndarray bytes = cp::array(data.images.bytes).reshape({data.count(), data.pixels()});
  return {cp::multiply(bytes, 1.0 / 255, {.dtype = cp::float32}),
          cp::array(data.labels.bytes, cp::int32)};
}

TrainingData::TrainingData(const std::string& from, int classes, std::int64_t side)
    : folder(from),
      train(read_dataset(from, "train", classes, side)),
      test(read_dataset(from, "t10k", classes, side)) {
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
