// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/datasets/dataset.h"
#include "chainerxx/training/callback.h"

namespace chainerxx::datasets {

/// Examples of another dataset as a function makes them, each time anew; the function may be called
/// by several threads at once. Random numbers are those of example_random():
///
///   TransformDataset train(images, [](const Example& e) {
///     return Example{random_flip(random_crop(e[0], 224, 224)), e[1]};
///   });
class CUPYXX_API TransformDataset : public Dataset {
 public:
  using Transform = training::Callback<Example(const Example&)>;

  TransformDataset(DatasetRef dataset, Transform transform);

  std::int64_t size() const override { return dataset_->size(); }
  Example get_example(std::int64_t i) const override;

 private:
  DatasetRef dataset_;
  Transform transform_;
};

}  // namespace chainerxx::datasets
