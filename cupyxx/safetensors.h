// SPDX-License-Identifier: MIT
// Files of named arrays in the safetensors format: a header in JSON, then the elements. Nothing in
// such a file is executed, and an array can be read by itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/io.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Writes arrays by name, with texts beside them. Synchronises; throws ValueError for a name that
/// is given twice, DtypeError for a dtype the format lacks (complex numbers), IOError, and then
/// leaves an earlier file as it was.
CUPYXX_API void save_safetensors(const std::string& path, const NamedArrays& arrays,
                                 const std::map<std::string, std::string>& metadata = {});

/// A file that is open for reading. Arrays are read to the current device when they are asked for.
class CUPYXX_API SafetensorsFile {
 public:
  /// Reads the header. Throws IOError, naming the file and the entry, for a file that is damaged:
  /// sizes beyond its end, shapes that do not fit, parts that overlap or leave a gap.
  explicit SafetensorsFile(const std::string& path);

  /// Names in the order of their elements in the file.
  const std::vector<std::string>& files() const;
  bool contains(const std::string& name) const;
  /// An array by its name. Throws IndexError for another name, DtypeError for a dtype that is not
  /// known here.
  ndarray operator[](const std::string& name) const;
  const std::map<std::string, std::string>& metadata() const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace cupyxx
