// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/mnist.h"

#include "chainerxx/datasets/idx_file.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;

TupleDataset read_part(const std::string& folder, const char* part, const MnistOptions& options) {
  const LabelledImages data = read_labelled_images(folder, part, 10);
  const std::int64_t n = data.count(), rows = data.images.shape[1], columns = data.images.shape[2];
  const cp::Shape shape = options.ndim == 1   ? cp::Shape{n, rows * columns}
                          : options.ndim == 2 ? cp::Shape{n, rows, columns}
                                              : cp::Shape{n, 1, rows, columns};
  // Bytes travel to the device, a quarter of what floats would be.
  const ndarray bytes = cp::array(data.images.bytes).reshape(shape);
  return TupleDataset(cp::multiply(bytes, options.scale / 255, {.dtype = options.dtype}),
                      cp::array(data.labels.bytes, options.label_dtype));
}

}  // namespace

std::pair<TupleDataset, TupleDataset> get_mnist(const std::string& folder,
                                                const MnistOptions& options) {
  if (options.ndim < 1 || options.ndim > 3) {
    throw cp::ValueError(cp::message("get_mnist: images of ", options.ndim, " axes; 1, 2 or 3"));
  }
  return {read_part(folder, "train", options), read_part(folder, "t10k", options)};
}

std::pair<TupleDataset, TupleDataset> get_fashion_mnist(const MnistOptions& options,
                                                        const std::string& folder) {
  return get_mnist(folder, options);
}

}  // namespace chainerxx::datasets
