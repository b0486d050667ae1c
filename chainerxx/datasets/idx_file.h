// SPDX-License-Identifier: MIT
// The IDX format, in which MNIST and its relatives are published: a magic number, the extents as
// 32-bit big-endian integers, then the bytes. Files may be compressed with gzip.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/export.h"

namespace chainerxx::datasets {

/// The contents of an IDX file of unsigned bytes.
struct IdxFile {
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;  ///< in C order
};

/// Reads a file of rank `ndim`, compressed or not. Throws cupyxx::IOError, naming the file, when it
/// is missing, damaged, shorter or longer than it says, of another rank or of another type.
CUPYXX_API IdxFile read_idx(const std::string& path, int ndim);

/// Images and what they show.
struct LabelledImages {
  IdxFile images;  ///< (n, rows, columns)
  IdxFile labels;  ///< (n,)

  std::int64_t count() const { return images.shape[0]; }
  std::int64_t pixels() const { return images.shape[1] * images.shape[2]; }
};

/// Reads `<folder>/<part>-images-idx3-ubyte` and its labels, with or without ".gz"; `part` is
/// "train" or "t10k" in MNIST and its relatives. Throws cupyxx::IOError when the two do not belong
/// together, or a label is not below `classes`.
CUPYXX_API LabelledImages read_labelled_images(const std::string& folder, const std::string& part,
                                               int classes);

}  // namespace chainerxx::datasets
