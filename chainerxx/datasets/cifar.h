// SPDX-License-Identifier: MIT
// The colour images of CIFAR-10 and CIFAR-100 (Krizhevsky, 2009), from the files of its binary
// version: a byte or two of labels before the 3 * 32 * 32 bytes of each image.
#pragma once

#include <string>
#include <utility>

#include "chainerxx/datasets/tuple_dataset.h"
#include "cupyxx/dtype.h"

namespace chainerxx::datasets {

/// Options of get_cifar10 and get_cifar100.
struct CifarOptions {
  int ndim = 3;                               ///< axes of an image: 3, (3, 32, 32); 1, (3072,)
  double scale = 1;                           ///< the value of the brightest pixel
  cupyxx::dtype dtype = cupyxx::float32;      ///< of the images
  cupyxx::dtype label_dtype = cupyxx::int32;  ///< of the labels
};

/// The images of a folder with data_batch_1.bin to data_batch_5.bin and test_batch.bin, and their
/// labels, below 10: those to train with and those to test with, on the current device. Throws
/// cupyxx::IOError, naming the file, for one that is missing or damaged, ValueError for other
/// numbers of axes.
CUPYXX_API std::pair<TupleDataset, TupleDataset> get_cifar10(const std::string& folder,
                                                             const CifarOptions& options = {});
/// The same of train.bin and test.bin of CIFAR-100, with its fine labels, below 100.
CUPYXX_API std::pair<TupleDataset, TupleDataset> get_cifar100(const std::string& folder,
                                                              const CifarOptions& options = {});

}  // namespace chainerxx::datasets
