// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "chainerxx/datasets/tuple_dataset.h"
#include "cupyxx/dtype.h"

namespace chainerxx::datasets {

/// Options of get_mnist.
struct MnistOptions {
  int ndim = 1;      ///< axes of an image: 1, (784,); 2, (28, 28); 3, (1, 28, 28)
  double scale = 1;  ///< the value of the brightest pixel
  cupyxx::dtype dtype = cupyxx::float32;      ///< of the images
  cupyxx::dtype label_dtype = cupyxx::int32;  ///< of the labels
};

/// The images of a folder with MNIST's files, and their labels: those to train with and those to
/// test with, on the current device. Throws cupyxx::IOError, naming the file, for one that is
/// missing or damaged, ValueError for other numbers of axes.
CUPYXX_API std::pair<TupleDataset, TupleDataset> get_mnist(const std::string& folder,
                                                           const MnistOptions& options = {});
/// Fashion-MNIST, which the Debian package dataset-fashion-mnist installs.
CUPYXX_API std::pair<TupleDataset, TupleDataset> get_fashion_mnist(
    const MnistOptions& options = {},
    const std::string& folder = "/usr/share/datasets/fashion-mnist");

}  // namespace chainerxx::datasets
