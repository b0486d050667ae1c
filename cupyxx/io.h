// SPDX-License-Identifier: MIT
// Reading and writing arrays as npy and npz files, bytes and text. NumPy's chapter "Input and
// output".
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/one_or_more.h"
#include "cupyxx/core/owned.h"
#include "cupyxx/core/shared.h"
#include "cupyxx/export.h"
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
/// Arrays without names are called arr_0, arr_1, ...: `savez("a.npz", x, y)`, or with named ones
/// behind them `savez("a.npz", {x, y}, {{"w", w}})`.
CUPYXX_API void savez(const std::string& path, std::initializer_list<ndarray> arrays,
                      const NamedArrays& named = {});
CUPYXX_API void savez_compressed(const std::string& path, std::initializer_list<ndarray> arrays,
                                 const NamedArrays& named = {});
template <std::convertible_to<ndarray>... A>
void savez(const std::string& path, const ndarray& a, const A&... others) {
  savez(path, std::initializer_list<ndarray>{a, others...});
}
template <std::convertible_to<ndarray>... A>
void savez_compressed(const std::string& path, const ndarray& a, const A&... others) {
  savez_compressed(path, std::initializer_list<ndarray>{a, others...});
}

/// An npz archive, read as it is asked: each key is read, checked and moved to the current device
/// on its first use.
class CUPYXX_API NpzFile {
 public:
  /// Throws IOError when the file is missing or no npz archive.
  explicit NpzFile(const std::string& path);
  /// The archive that a stream holds from here to its end, by way of a temporary file.
  explicit NpzFile(std::istream& in);
  ~NpzFile();
  NpzFile(NpzFile&&) noexcept;
  NpzFile& operator=(NpzFile&&) noexcept;

  /// The names, in the order of the archive.
  const std::vector<std::string>& files() const&;
  const std::vector<std::string>& keys() const& { return files(); }
  /// By value of a temporary: `for (auto& name : load_npz(path).files())`.
  std::vector<std::string> files() &&;
  std::vector<std::string> keys() &&;
  bool contains(const std::string& key) const;
  /// The array of a name; throws IndexError for an unknown one, IOError for damaged data.
  ndarray operator[](const std::string& key) const;

  /// Goes over names and arrays, each read as its turn comes: `for (auto& [name, a] : file)`.
  class CUPYXX_API Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<const std::string, ndarray>;
    using difference_type = std::ptrdiff_t;
    using pointer = value_type*;
    using reference = value_type&;

    Iterator(const NpzFile& file, std::size_t i) : file_(&file), i_(i) {}
    /// Stays until the next one.
    reference operator*() const;
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    friend bool operator==(const Iterator& x, const Iterator& y) { return x.i_ == y.i_; }

   private:
    const NpzFile* file_;
    std::size_t i_;
    mutable internal::Shared<value_type> entry_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const;

 private:
  struct Impl;
  internal::Owned<Impl> impl_;
};

/// What load found: the array of an npy file, or an npz archive, whose arrays its keys give.
class CUPYXX_API Loaded : public ndarray {
 public:
  explicit Loaded(ndarray array) : ndarray(std::move(array)) {}
  explicit Loaded(NpzFile archive);

  bool is_archive() const { return archive_ != nullptr; }
  /// The members of NpzFile; TypeError for an npy file.
  const std::vector<std::string>& files() const& { return archive().files(); }
  const std::vector<std::string>& keys() const& { return archive().files(); }
  std::vector<std::string> files() &&;
  std::vector<std::string> keys() &&;
  bool contains(const std::string& key) const { return archive().contains(key); }
  // A template, since an array is an integer, too, and `2["text"]` is C++.
  template <std::convertible_to<std::string> K>
  ndarray operator[](const K& key) const {
    return archive()[key];
  }

 private:
  const NpzFile& archive() const;

  internal::Shared<const NpzFile> archive_;
};

/// Options of load.
struct LoadOptions {
  /// "r" or "readonly": a read-only array over the file itself; "r+" or "readwrite": what is
  /// written to the array reaches the file; "c" or "copyonwrite": it stays in memory. There is no
  /// "w+", which would empty the file. The file is closed when the last array over it is destroyed,
  /// and must not shrink before. Where a CUDA device is current the elements are copied there.
  std::string_view mmap_mode = {};
};
/// Reads one npy file to the current device; throws IOError naming the file and what is wrong. The
/// array is Fortran-contiguous when the file is in Fortran order. Records, strings, objects and
/// numbers wider than float64 are not supported; big-endian files cannot be mapped, nor bool ones
/// that hold other bytes than 0 and 1.
/// An npz archive gives no array but its members: `load("a.npz")["arr_0"]`.
CUPYXX_API Loaded load(const std::string& path, const LoadOptions& options = {});
template <std::convertible_to<std::string_view> Mode>
Loaded load(const std::string& path, const Mode& mmap_mode) {
  return load(path, LoadOptions{.mmap_mode = mmap_mode});
}

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

/// Options of fromfile.
struct FromfileOptions {
  cupyxx::dtype dtype = {};  ///< float64 unless given here or by position
  std::int64_t count = -1;   ///< elements at most; -1: all
  std::string sep = {};      ///< of text; none: the bytes of the elements
  std::int64_t offset = 0;   ///< bytes to skip; binary files only
};
/// The elements of a file without a header, as a one-dimensional array on the current device; what
/// tofile writes. Bytes behind the last whole element are left. In text, blanks in the separator
/// stand for any blanks or none, and ValueError says what is no number.
CUPYXX_API ndarray fromfile(const std::string& path, cupyxx::dtype dtype = {},
                            const FromfileOptions& options = {});
template <std::same_as<FromfileOptions> O = FromfileOptions>
ndarray fromfile(const std::string& path, const O& options) {
  return fromfile(path, {}, options);
}
/// By position.
template <internal::ExtentNumber I>
ndarray fromfile(const std::string& path, cupyxx::dtype dtype, I count, const std::string& sep = "",
                 internal::Int64 offset = 0) {
  return fromfile(
      path, dtype,
      FromfileOptions{.count = static_cast<std::int64_t>(count), .sep = sep, .offset = offset});
}
/// The same of a text.
CUPYXX_API ndarray fromstring(const std::string& text, cupyxx::dtype dtype = float64,
                              internal::Int64 count = -1, const std::string& sep = "");
/// Options of fromstring.
struct FromstringOptions {
  cupyxx::dtype dtype = {};  ///< float64 unless given here or by position
  std::int64_t count = -1;
  std::string sep = {};
};
template <std::same_as<FromstringOptions> O = FromstringOptions>
ndarray fromstring(const std::string& text, const O& options) {
  return fromstring(text, options.dtype, options.count, options.sep);
}
CUPYXX_API ndarray fromstring(const std::string& text, cupyxx::dtype dtype,
                              const FromstringOptions& options);

/// Options of loadtxt.
struct LoadtxtOptions {
  cupyxx::dtype dtype = float64;
  std::string comments = "#";                      ///< what follows is left out
  std::string delimiter = {};                      ///< of fields; none: blanks
  std::int64_t skiprows = 0;                       ///< lines
  internal::OneOrMore<std::int64_t> usecols = {};  ///< columns; none: all
  bool unpack = false;                             ///< transposed
  int ndmin = 0;                                   ///< fewer axes of extent 1 are left out
  std::int64_t max_rows = -1;
};
/// A table of numbers in a text file, on the current device. Lines end as in Python's text files,
/// with "\n", "\r\n" or "\r". Throws ValueError naming file, line and column.
CUPYXX_API ndarray loadtxt(const std::string& path, const LoadtxtOptions& options = {});
CUPYXX_API ndarray loadtxt(const std::string& path, cupyxx::dtype dtype);
/// The same of the rest of a stream.
CUPYXX_API ndarray loadtxt(std::istream& in, const LoadtxtOptions& options = {});

/// Options of savetxt. A format for one number is used for both parts of a complex one, "(a+bj)";
/// one of several has two conversions for each. "%s" and "%r" write numbers as Python prints them.
struct SavetxtOptions {
  std::string fmt = "%.18e";  ///< of each number, or with a conversion for each column
  std::string delimiter = " ";
  std::string newline = "\n";
  std::string header = {};
  std::string footer = {};
  std::string comments = "# ";  ///< stands before the lines of header and footer
};
/// Writes a 1-D or 2-D array as text, a row per line. Synchronises.
CUPYXX_API void savetxt(const std::string& path, const ndarray& a,
                        const SavetxtOptions& options = {});

/// The same to a stream; throws IOError where it fails.
CUPYXX_API void savetxt(std::ostream& out, const ndarray& a, const SavetxtOptions& options = {});
/// With the format and what stands between numbers in their places: `savetxt(path, a, "%d", ",")`.
template <std::convertible_to<std::string> F>
void savetxt(const std::string& path, const ndarray& a, const F& fmt,
             const std::string& delimiter = " ") {
  savetxt(path, a, SavetxtOptions{.fmt = fmt, .delimiter = delimiter});
}
template <std::convertible_to<std::string> F>
void savetxt(std::ostream& out, const ndarray& a, const F& fmt,
             const std::string& delimiter = " ") {
  savetxt(out, a, SavetxtOptions{.fmt = fmt, .delimiter = delimiter});
}

/// Writes one array as npy to a stream opened for bytes. Throws IOError where it fails.
CUPYXX_API void save(std::ostream& out, const ndarray& a);
/// Reads one array, and no byte behind it, from such a stream, so that several arrays may follow
/// each other; of an npz archive, whose directory is its end, everything. Throws IOError.
CUPYXX_API Loaded load(std::istream& in);
/// Writes an npz archive to such a stream, by way of a temporary file.
CUPYXX_API void savez(std::ostream& out, const NamedArrays& arrays);
CUPYXX_API void savez_compressed(std::ostream& out, const NamedArrays& arrays);
/// Arrays without names, as to a path.
CUPYXX_API void savez(std::ostream& out, std::initializer_list<ndarray> arrays,
                      const NamedArrays& named = {});
CUPYXX_API void savez_compressed(std::ostream& out, std::initializer_list<ndarray> arrays,
                                 const NamedArrays& named = {});
template <std::convertible_to<ndarray>... A>
void savez(std::ostream& out, const ndarray& a, const A&... others) {
  savez(out, std::initializer_list<ndarray>{a, others...});
}
template <std::convertible_to<ndarray>... A>
void savez_compressed(std::ostream& out, const ndarray& a, const A&... others) {
  savez_compressed(out, std::initializer_list<ndarray>{a, others...});
}

/// Opens an npz archive.
CUPYXX_API NpzFile load_npz(const std::string& path);
CUPYXX_API NpzFile load_npz(std::istream& in);

inline void ndarray::tofile(const std::string& path, const std::string& sep) const {
  cupyxx::tofile(*this, path, sep);
}

// ---- Tables of numbers with holes. NumPy's genfromtxt; see loadtxt in io.h for tables without.

/// Options of genfromtxt.
struct GenfromtxtOptions {
  cupyxx::dtype dtype = float64;
  std::string comments = "#";    ///< what follows is left out
  std::string delimiter = {};    ///< of fields; none: blanks
  std::int64_t skip_header = 0;  ///< lines at the beginning
  std::int64_t skip_footer = 0;  ///< rows at the end
  internal::OneOrMore<std::string> missing_values =
      {};  ///< texts of missing numbers, beside the empty one
  /// What stands for missing numbers: one for all columns or one for each; NaN, -1 or false unless
  /// given.
  internal::OneOrMore<Scalar> filling_values = {};
  internal::OneOrMore<std::int64_t> usecols = {};  ///< columns; none: all
  bool unpack = false;                             ///< transposed
  bool loose = true;                               ///< other texts than numbers are missing, too
  bool invalid_raise = true;                       ///< false: rows of another length are left out
  std::int64_t max_rows = -1;
  int ndmin = 0;  ///< fewer axes of extent 1 are left out
};
/// A table of numbers in a text file, on the current device. Throws IOError for the file, and
/// ValueError for rows of several lengths (a hundred of them in one text) and, unless `loose`, for
/// what is no number.
CUPYXX_API ndarray genfromtxt(const std::string& path, const GenfromtxtOptions& options = {});
/// The same of a stream.
CUPYXX_API ndarray genfromtxt(std::istream& stream, const GenfromtxtOptions& options = {});

// ---- Files of named arrays in the safetensors format: a header in JSON, then the elements.
// Nothing in such a file is executed, and a single array can be read without the others.

/// Writes arrays by name, with texts beside them. Synchronises; throws ValueError for a name that
/// is given twice, DtypeError for a dtype the format lacks (complex numbers), IOError, and then
/// leaves an earlier file as it was.
CUPYXX_API void save_safetensors(const std::string& path, const NamedArrays& arrays);
CUPYXX_API void save_safetensors(const std::string& path, const NamedArrays& arrays,
                                 const std::map<std::string, std::string>& metadata);

/// A file that is open for reading. Arrays are read to the current device when they are asked for.
class CUPYXX_API SafetensorsFile {
 public:
  /// Reads the header. Throws IOError, naming the file and the entry, for a file that is damaged:
  /// sizes beyond its end, shapes that do not fit, parts that overlap or leave a gap.
  explicit SafetensorsFile(const std::string& path);

  /// Names in the order of their elements in the file.
  const std::vector<std::string>& files() const&;
  /// By value of a temporary, as of NpzFile.
  std::vector<std::string> files() &&;
  bool contains(const std::string& name) const;
  /// An array by its name. Throws IndexError for another name, DtypeError for a dtype that is not
  /// known here.
  ndarray operator[](const std::string& name) const;
  const std::map<std::string, std::string>& metadata() const&;
  std::map<std::string, std::string> metadata() &&;

 private:
  struct Content;
  internal::Shared<const Content> content_;
};

/// The same under the name that goes with save_safetensors.
inline SafetensorsFile load_safetensors(const std::string& path) { return SafetensorsFile(path); }

/// Reads a number of the array's kind into one element, as C++ reads numbers: `std::cin >> a(i)`.
/// Where there is none the stream fails and the element stays. Throws ValueError for several
/// elements, OverflowError for an integer beyond the dtype.
CUPYXX_API std::istream& operator>>(std::istream& in, View&& element);
/// An element with a name, `auto t = a(i)`, changes alone.
CUPYXX_API std::istream& operator>>(std::istream& in, View& named);

}  // namespace cupyxx
