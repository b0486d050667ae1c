// SPDX-License-Identifier: MIT
// Tables of numbers with holes. NumPy's genfromtxt; see loadtxt in io.h for tables without.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of genfromtxt.
struct GenfromtxtOptions {
  cupyxx::dtype dtype = float64;
  std::string comments = "#";                    ///< what follows is left out
  std::string delimiter = {};                    ///< of fields; none: blanks
  std::int64_t skip_header = 0;                  ///< lines at the beginning
  std::int64_t skip_footer = 0;                  ///< rows at the end
  std::vector<std::string> missing_values = {};  ///< texts of missing numbers, beside the empty one
  /// What stands for missing numbers: one for all columns or one for each; NaN, -1 or false unless
  /// given.
  std::vector<Scalar> filling_values = {};
  std::vector<std::int64_t> usecols = {};  ///< columns; none: all
  bool unpack = false;                     ///< transposed
  bool loose = true;                       ///< other texts than numbers are missing, too
  bool invalid_raise = true;               ///< false: rows of another length are left out
  std::int64_t max_rows = -1;
  int ndmin = 0;  ///< fewer axes of extent 1 are left out
};
/// A table of numbers in a text file, on the current device. Throws IOError for the file, and
/// ValueError for rows of several lengths (a hundred of them in one text) and, unless `loose`, for
/// what is no number.
CUPYXX_API ndarray genfromtxt(const std::string& path, const GenfromtxtOptions& options = {});
/// The same of a stream.
CUPYXX_API ndarray genfromtxt(std::istream& stream, const GenfromtxtOptions& options = {});

}  // namespace cupyxx
