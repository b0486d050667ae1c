// SPDX-License-Identifier: MIT
#include "cupyxx/io.h"

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/npy.h"
#include "cupyxx/internal/io/zip_reader.h"
#include "cupyxx/internal/io/zip_writer.h"

namespace cupyxx {

namespace internal {
ndarray load_mapped(const std::string& path, std::string_view mode);  // io_raw.cc
}

namespace {

using internal::io::AtomicFile;
using internal::io::ByteSource;

/// NumPy appends the extension to names that lack it.
std::string with_extension(const std::string& path, std::string_view extension) {
  return path.ends_with(extension) ? path : path + std::string(extension);
}

/// Header and elements on the host, as they go to the file.
struct Encoded {
  explicit Encoded(const char* operation, const ndarray& a) {
    if (a.is_none()) throw ValueError(message(operation, ": the array is None"));
    array = a.to_cpu();
    const Flags flags = array.flags();
    const bool fortran_order = flags.f_contiguous && !flags.c_contiguous;
    if (!flags.c_contiguous && !fortran_order) array = array.copy(Order::C);
    const Shape shape = array.shape();
    header = internal::io::npy_header(array.dtype(), {shape.data(), shape.size()}, fortran_order);
  }

  /// Calls write(bytes, size) for each part.
  template <class Write>
  void each_part(const Write& write) const {
    write(header.data(), header.size());
    if (array.nbytes() != 0) write(array.elements(), static_cast<std::size_t>(array.nbytes()));
  }

  std::string header;
  ndarray array;
};

/// The array of a source, on the current device.
ndarray read_array(ByteSource& source) {
  const internal::io::NpyHeader header = internal::io::read_npy_header(source);
  // Fortran order is C order of the reversed axes.
  Shape shape(header.shape);
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  const Device device = current_device();
  ndarray array;
  {
    const DeviceScope on_host(Device::cpu());
    array = empty(shape, header.dtype);
  }
  internal::io::read_npy_elements(source, header, array.elements());
  array = array.to(device);
  return header.fortran_order ? array.transpose() : array;
}

void save_archive(const char* operation, const std::string& path, const NamedArrays& arrays,
                  bool deflate) {
  AtomicFile file(operation, with_extension(path, ".npz"));
  internal::io::ZipWriter writer(file, deflate);
  std::unordered_map<std::string, int> seen;
  for (const auto& [name, array] : arrays) {
    if (seen[name]++ != 0) {
      throw ValueError(message(operation, ": two arrays have one name; '", name, "'"));
    }
    const Encoded encoded(operation, array);
    writer.begin(name + ".npy");
    encoded.each_part([&](const void* bytes, std::size_t size) { writer.write(bytes, size); });
    writer.end();
  }
  writer.finish();
  file.commit();
}

}  // namespace

void save(const std::string& path, const ndarray& a) {
  const Encoded encoded("save", a);
  AtomicFile file("save", with_extension(path, ".npy"));
  encoded.each_part([&](const void* bytes, std::size_t size) { file.write(bytes, size); });
  file.commit();
}

void savez(const std::string& path, const NamedArrays& arrays) {
  save_archive("savez", path, arrays, false);
}

void savez_compressed(const std::string& path, const NamedArrays& arrays) {
  save_archive("savez_compressed", path, arrays, true);
}

struct NpzFile::Impl {
  explicit Impl(internal::io::ZipReader reader) : archive(std::move(reader)) {
    for (const internal::io::ZipEntry& entry : archive.entries()) {
      std::string name = entry.name;
      if (name.ends_with(".npy")) name.resize(name.size() - 4);
      index[entry.name] = &entry;
      index[name] = &entry;
      names.push_back(std::move(name));
    }
  }

  internal::io::ZipReader archive;
  std::vector<std::string> names;
  std::unordered_map<std::string, const internal::io::ZipEntry*> index;  // with and without ".npy"
};

NpzFile::NpzFile(const std::string& path) : impl_(new Impl(internal::io::ZipReader(path))) {}
NpzFile::NpzFile(std::istream& in)
    : impl_(new Impl(internal::io::ZipReader(std::make_shared<const internal::io::File>(in)))) {}
NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile&&) noexcept = default;
NpzFile& NpzFile::operator=(NpzFile&&) noexcept = default;

const std::vector<std::string>& NpzFile::files() const& { return impl_->names; }
std::vector<std::string> NpzFile::files() && { return std::as_const(*this).files(); }
std::vector<std::string> NpzFile::keys() && { return std::as_const(*this).files(); }

NpzFile::Iterator NpzFile::end() const { return {*this, files().size()}; }
NpzFile::Iterator::reference NpzFile::Iterator::operator*() const {
  const std::string& name = file_->files()[i_];
  entry_ = internal::Shared<value_type>(new value_type(name, (*file_)[name]));
  return *entry_;
}

bool NpzFile::contains(const std::string& key) const { return impl_->index.contains(key); }

ndarray NpzFile::operator[](const std::string& key) const {
  const auto found = impl_->index.find(key);
  if (found == impl_->index.end()) {
    throw IndexError(
        message("load_npz: the archive has no such key; '", key, "' in ", impl_->archive.path()));
  }
  const auto source = impl_->archive.open(*found->second);
  ndarray array = read_array(*source);
  finish(*source);
  return array;
}

std::string dumps(const ndarray& a) {
  const Encoded encoded("dumps", a);
  std::string bytes;
  encoded.each_part([&](const void* part, std::size_t size) {
    bytes.append(static_cast<const char*>(part), size);
  });
  return bytes;
}

ndarray loads(std::string_view bytes) {
  internal::io::MemorySource source("bytes", bytes);
  ndarray array = read_array(source);
  finish(source);
  return array;
}

void dump(const ndarray& a, const std::string& path) {
  if (a.is_none()) throw TypeError("dump: the array is None");
  const std::string bytes = dumps(a);
  AtomicFile file("dump", path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

namespace {

NamedArrays with_numbers(std::initializer_list<ndarray> arrays, const NamedArrays& named) {
  NamedArrays all;
  for (const ndarray& a : arrays) all.emplace_back("arr_" + std::to_string(all.size()), a);
  all.insert(all.end(), named.begin(), named.end());
  return all;
}

// ZIP archives begin with a member, or with the end of the directory where they are empty.
bool is_mark_of_archive(std::string_view begin) {
  return begin == "PK\x03\x04" || begin == "PK\x05\x06";
}

bool is_archive(const internal::io::File& file) {
  char begin[4] = {};
  if (file.size() < sizeof(begin)) return false;
  file.read_at(0, begin, sizeof(begin));
  return is_mark_of_archive({begin, sizeof(begin)});
}

}  // namespace

void savez(const std::string& path, std::initializer_list<ndarray> arrays,
           const NamedArrays& named) {
  savez(path, with_numbers(arrays, named));
}

void savez_compressed(const std::string& path, std::initializer_list<ndarray> arrays,
                      const NamedArrays& named) {
  savez_compressed(path, with_numbers(arrays, named));
}

Loaded::Loaded(NpzFile archive) : archive_(std::make_shared<const NpzFile>(std::move(archive))) {}

std::vector<std::string> Loaded::files() && { return archive().files(); }
std::vector<std::string> Loaded::keys() && { return archive().files(); }

const NpzFile& Loaded::archive() const {
  if (archive_ != nullptr) return *archive_;
  throw TypeError(message("load: an npy file is one array, without keys; shape ", shape()));
}

Loaded load(const std::string& path, const LoadOptions& options) {
  const auto file = std::make_shared<const internal::io::File>(path);
  if (is_archive(*file)) return Loaded(NpzFile(path));
  if (!options.mmap_mode.empty()) {
    return Loaded(internal::load_mapped(path, options.mmap_mode));
  }
  internal::io::FileSource source(file);
  return Loaded(read_array(source));
}

namespace {

// What a stream holds from here on. How much that is shows at its end.
class StreamSource : public ByteSource {
 public:
  explicit StreamSource(std::istream& in) : ByteSource("the stream"), in_(in) {
    const auto here = in.tellg();
    if (here == std::istream::pos_type(-1)) {
      in.clear(in.rdstate() & ~std::ios_base::failbit);
      return;
    }
    in.seekg(0, std::ios_base::end);
    remaining_ = static_cast<std::uint64_t>(in.tellg() - here);
    in.seekg(here);
  }

  void read(void* out, std::size_t size) override {
    in_.read(static_cast<char*>(out), static_cast<std::streamsize>(size));
    if (static_cast<std::size_t>(in_.gcount()) != size) {
      fail(message("it ends ", size - static_cast<std::size_t>(in_.gcount()), " bytes too early"));
    }
    remaining_ -= size;
  }
  std::uint64_t remaining() const override { return remaining_; }

 private:
  std::istream& in_;
  std::uint64_t remaining_ = std::uint64_t{1} << 62;
};

// What was read from a stream, and then the rest of the stream.
class Rejoined : public std::streambuf {
 public:
  Rejoined(std::string begin, std::istream& rest) : buffer_(std::move(begin)), rest_(rest) {
    setg(buffer_.data(), buffer_.data(), buffer_.data() + buffer_.size());
  }

 protected:
  int_type underflow() override {
    buffer_.resize(std::size_t{1} << 16);
    rest_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    setg(buffer_.data(), buffer_.data(), buffer_.data() + rest_.gcount());
    return rest_.gcount() == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_[0]);
  }

 private:
  std::string buffer_;
  std::istream& rest_;
};

void check_written(const char* operation, const std::ostream& out) {
  if (!out) throw IOError(message(operation, ": cannot write to the stream"));
}

void stream_archive(const char* operation, std::ostream& out, const NamedArrays& arrays,
                    bool deflate) {
  std::string folder = (std::filesystem::temp_directory_path() / "cupyxx_npz_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    throw IOError(message(operation, ": cannot make a temporary folder; ", folder));
  }
  struct Removal {
    ~Removal() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
    std::string folder;
  } const removal{folder};
  save_archive(operation, folder + "/archive.npz", arrays, deflate);
  out << std::ifstream(folder + "/archive.npz", std::ios::binary).rdbuf();
  check_written(operation, out);
}

}  // namespace

void save(std::ostream& out, const ndarray& a) {
  const Encoded encoded("save", a);
  encoded.each_part([&](const void* bytes, std::size_t size) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  });
  check_written("save", out);
}

Loaded load(std::istream& in) {
  if (in.peek() == 'P') {  // "PK"; an npy file begins with 0x93
    std::string begin(4, '\0');
    in.read(begin.data(), 4);
    begin.resize(static_cast<std::size_t>(in.gcount()));
    Rejoined whole(begin, in);
    std::istream again(&whole);
    if (is_mark_of_archive(begin)) return Loaded(NpzFile(again));
    StreamSource source(again);
    return Loaded(read_array(source));
  }
  StreamSource source(in);
  return Loaded(read_array(source));
}

void savez(std::ostream& out, const NamedArrays& arrays) {
  stream_archive("savez", out, arrays, false);
}

void savez_compressed(std::ostream& out, const NamedArrays& arrays) {
  stream_archive("savez_compressed", out, arrays, true);
}

void savez(std::ostream& out, std::initializer_list<ndarray> arrays, const NamedArrays& named) {
  savez(out, with_numbers(arrays, named));
}

void savez_compressed(std::ostream& out, std::initializer_list<ndarray> arrays,
                      const NamedArrays& named) {
  savez_compressed(out, with_numbers(arrays, named));
}

NpzFile load_npz(const std::string& path) { return NpzFile(path); }
NpzFile load_npz(std::istream& in) { return NpzFile(in); }

}  // namespace cupyxx
