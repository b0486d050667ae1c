// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/idx_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include "cupyxx/error.h"

namespace chainerxx::datasets {
namespace {

constexpr int kUnsignedByte = 0x08;
// No data set of this kind comes near; a damaged header must not make us ask for 16 EiB.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 36;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw cupyxx::IOError(cupyxx::message(path, ": ", what));
}

std::string hex(const std::uint8_t* bytes) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
  return text;
}

/// A file that zlib reads, whether it is compressed or not.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) fail(path, "cannot be read: Is a directory");
    // A pipe would be waited for.
    if (std::filesystem::is_other(status)) fail(path, "cannot be read: it is no regular file");
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr) fail(path, cupyxx::message("cannot be read: ", std::strerror(errno)));
    gzbuffer(file_, 1 << 18);
  }
  ~Reader() { gzclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Reads up to `size` bytes; fewer only at the end of a sound file.
  std::int64_t read(std::uint8_t* out, std::int64_t size) {
    std::int64_t done = 0;
    while (done < size) {
      const auto part = static_cast<unsigned>(std::min<std::int64_t>(size - done, 1 << 30));
      const int count = gzread(file_, out + done, part);
      if (count <= 0) break;
      done += count;
    }
    int code = Z_OK;
    const char* text = gzerror(file_, &code);
    if (code == Z_BUF_ERROR) fail(path_, "is cut off: the compressed data end too early");
    if (code == Z_ERRNO) fail(path_, cupyxx::message("cannot be read: ", std::strerror(errno)));
    // zlib puts the path in front of its messages.
    if (code != Z_OK && code != Z_STREAM_END) {
      const char* reason = std::strrchr(text, ':');
      fail(path_, cupyxx::message("is damaged:", reason != nullptr ? reason + 1 : " bad data"));
    }
    return done;
  }

 private:
  std::string path_;
  gzFile file_ = nullptr;
};

std::int64_t read_extent(const std::uint8_t* bytes) {
  return std::int64_t{bytes[0]} << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

std::string find(const std::string& folder, const std::string& name) {
  const std::string plain = folder + "/" + name;
  for (const std::string& path : {plain + ".gz", plain}) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
  }
  fail(cupyxx::message(plain, ".gz"), "no such file, neither compressed nor plain");
}

}  // namespace

IdxFile read_idx(const std::string& path, int ndim) {
  Reader reader(path);
  std::array<std::uint8_t, 4> magic;
  if (reader.read(magic.data(), 4) != 4) fail(path, "is cut off: shorter than its magic number");
  if (magic[0] != 0 || magic[1] != 0) {
    fail(path, cupyxx::message("is not an IDX file: its magic number is ", hex(magic.data())));
  }
  if (magic[2] != kUnsignedByte || magic[3] != ndim) {
    const std::array<std::uint8_t, 4> wanted = {0, 0, kUnsignedByte,
                                                static_cast<std::uint8_t>(ndim)};
    fail(path, cupyxx::message("holds no unsigned bytes of rank ", ndim, ": its magic number is ",
                               hex(magic.data()), ", not ", hex(wanted.data())));
  }

  IdxFile file;
  std::int64_t size = 1;
  for (int axis = 0; axis < ndim; ++axis) {
    std::array<std::uint8_t, 4> extent;
    if (reader.read(extent.data(), 4) != 4) fail(path, "is cut off within its header");
    file.shape.push_back(read_extent(extent.data()));
    if (file.shape.back() != 0 && size > kMaxBytes / file.shape.back()) {
      fail(path, cupyxx::message("its header asks for more than ", kMaxBytes, " bytes"));
    }
    size *= file.shape.back();
  }

  // Grown by a quarter as data arrive: never much more than is there, whatever a header promises.
  constexpr std::int64_t kFirst = std::int64_t{1} << 16;
  std::int64_t done = 0;
  while (done < size) {
    const std::int64_t part = std::min(std::max(kFirst, done / 4), size - done);
    try {
      file.bytes.reserve(static_cast<std::size_t>(done + part));  // resize alone would double
      file.bytes.resize(static_cast<std::size_t>(done + part));
    } catch (const std::bad_alloc&) {
      fail(path, cupyxx::message("there is no room for the ", size, " bytes of its header"));
    }
    const std::int64_t count = reader.read(file.bytes.data() + done, part);
    done += count;
    if (count < part) {
      fail(path, cupyxx::message("is cut off: it holds ", done, " of ", size, " bytes"));
    }
  }
  std::uint8_t more;
  if (reader.read(&more, 1) != 0) {
    fail(path, cupyxx::message("holds more than the ", size, " bytes of its header"));
  }
  return file;
}

LabelledImages read_labelled_images(const std::string& folder, const std::string& part,
                                    int classes) {
  const std::string images_path = find(folder, part + "-images-idx3-ubyte");
  const std::string labels_path = find(folder, part + "-labels-idx1-ubyte");
  LabelledImages data = {read_idx(images_path, 3), read_idx(labels_path, 1)};
  if (data.images.bytes.empty()) fail(images_path, "holds no image");
  if (data.images.shape[0] != data.labels.shape[0]) {
    fail(labels_path, cupyxx::message("holds ", data.labels.shape[0], " labels, but ", images_path,
                                      " ", data.images.shape[0], " images"));
  }
  const auto& labels = data.labels.bytes;
  const auto bad =
      std::find_if(labels.begin(), labels.end(), [&](int label) { return label >= classes; });
  if (bad != labels.end()) {
    fail(labels_path,
         cupyxx::message("label ", bad - labels.begin(), " is ", *bad, ", not below ", classes));
  }
  return data;
}

}  // namespace chainerxx::datasets
