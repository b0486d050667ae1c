// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/transform_dataset.h"

#include <utility>

namespace chainerxx::datasets {

TransformDataset::TransformDataset(DatasetRef dataset, Transform transform)
    : dataset_(std::move(dataset)), transform_(std::move(transform)) {}

Example TransformDataset::get_example(std::int64_t i) const {
  Example example = dataset_->get_example(i);
  if (example.empty()) return example;  // cannot be read, and is left out
  return transform_(example);
}

}  // namespace chainerxx::datasets
