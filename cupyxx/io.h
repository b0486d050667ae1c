// SPDX-License-Identifier: MIT
// Reading and writing arrays as npy and npz files. NumPy's chapter "Input and output".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Writes one array as npy (version 1.0), to `path` with ".npy" appended unless it ends so. The
/// file is written beside the target, synced and renamed: a failed save throws IOError and leaves
/// an earlier file as it was. Synchronises.
CUPYXX_API void save(const std::string& path, const ndarray& a);

/// Writes named arrays as an npz archive, to `path` with ".npz" appended unless it ends so, with
/// the guarantees of save. Throws ValueError for a name given twice.
using NamedArrays = std::vector<std::pair<std::string, ndarray>>;
CUPYXX_API void savez(const std::string& path, const NamedArrays& arrays);
/// The same, deflated.
CUPYXX_API void savez_compressed(const std::string& path, const NamedArrays& arrays);

/// An npz archive, read as it is asked: each key is read, checked and moved to the current device
/// on its first use.
class CUPYXX_API NpzFile {
 public:
  /// Throws IOError when the file is missing or no npz archive.
  explicit NpzFile(const std::string& path);
  ~NpzFile();
  NpzFile(NpzFile&&) noexcept;
  NpzFile& operator=(NpzFile&&) noexcept;

  /// The names, in the order of the archive.
  const std::vector<std::string>& files() const;
  bool contains(const std::string& key) const;
  /// The array of a name; throws IndexError for an unknown one, IOError for damaged data.
  ndarray operator[](const std::string& key) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads one npy file to the current device; throws IOError naming the file and what is wrong. The
/// array is Fortran-contiguous when the file is in Fortran order. Records, strings, objects and
/// numbers wider than float64 are not supported.
CUPYXX_API ndarray load(const std::string& path);

/// The bytes of an npy file. Synchronises.
CUPYXX_API std::string dumps(const ndarray& a);
/// The array of such bytes, on the current device. Throws IOError.
CUPYXX_API ndarray loads(std::string_view bytes);
/// Writes those bytes to a file of exactly this name.
CUPYXX_API void dump(const ndarray& a, const std::string& path);

/// Writes the elements in C order: their bytes, or with a separator their text. `format` is
/// printf's for one element ("%.3f"); without it the shortest text that reads back the same.
/// Synchronises.
CUPYXX_API void tofile(const ndarray& a, const std::string& path, const std::string& sep = "",
                       const std::string& format = "");

/// Opens an npz archive.
CUPYXX_API NpzFile load_npz(const std::string& path);

}  // namespace cupyxx
