// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace chainerxx::internal {

/// The file that saving to `path` has written: with ".npz" behind it where that is missing, as
/// savez appends it, unless there is a file of the very name, which others may have written.
inline std::string saved_npz(const std::string& path) {
  std::error_code error;
  if (path.ends_with(".npz") || std::filesystem::exists(path, error)) return path;
  const std::string with_ending = path + ".npz";
  return std::filesystem::exists(with_ending, error) ? with_ending : path;
}

}  // namespace chainerxx::internal
