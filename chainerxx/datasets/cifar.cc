// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/cifar.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::datasets {
namespace {

constexpr std::int64_t kPixels = 3 * 32 * 32;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;

/// How a record begins, and what its last label is below.
struct Format {
  const char* operation;
  std::int64_t label_bytes;
  int classes;
};

struct Images {
  std::vector<std::uint8_t> pixels, labels;
};

void append(Images& all, const std::string& path, const Format& format) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  // A pipe would be waited for.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    throw cupyxx::IOError(cupyxx::message(path, ": cannot be read: it is no regular file"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw cupyxx::IOError(cupyxx::message(path, ": cannot be read: ", std::strerror(errno)));
  }
  const auto size = static_cast<std::int64_t>(fs::file_size(path, ignored));
  const std::int64_t record = format.label_bytes + kPixels;
  if (size <= 0 || size > kMostBytes || size % record != 0) {
    throw cupyxx::IOError(cupyxx::message(path, ": is damaged: ", size,
                                          " bytes are no number of records of ", record));
  }
  std::vector<char> one(static_cast<std::size_t>(record));
  for (std::int64_t i = 0; i < size / record; ++i) {
    if (!file.read(one.data(), record)) {
      throw cupyxx::IOError(cupyxx::message(path, ": cannot be read: ", std::strerror(errno)));
    }
    const auto label = static_cast<std::uint8_t>(one[format.label_bytes - 1]);
    if (label >= format.classes) {
      throw cupyxx::IOError(cupyxx::message(path, ": is damaged: image ", i, " has the label ",
                                            static_cast<int>(label)));
    }
    all.labels.push_back(label);
    all.pixels.insert(all.pixels.end(), one.begin() + format.label_bytes, one.end());
  }
}

TupleDataset read(const std::string& folder, const std::vector<std::string>& names,
                  const Format& format, const CifarOptions& options) {
  Images all;
  for (const std::string& name : names) append(all, folder + "/" + name, format);
  const auto n = static_cast<std::int64_t>(all.labels.size());
  const cupyxx::Shape shape =
      options.ndim == 1 ? cupyxx::Shape{n, kPixels} : cupyxx::Shape{n, 3, 32, 32};
  // Bytes travel to the device, a quarter of what floats would be.
  const ndarray bytes = cupyxx::array(all.pixels).reshape(shape);
  return TupleDataset(cupyxx::multiply(bytes, options.scale / 255, {.dtype = options.dtype}),
                      cupyxx::array(all.labels, options.label_dtype));
}

void check_ndim(const Format& format, const CifarOptions& options) {
  if (options.ndim == 1 || options.ndim == 3) return;
  throw cupyxx::ValueError(
      cupyxx::message(format.operation, ": images of ", options.ndim, " axes; 1 or 3"));
}

}  // namespace

std::pair<TupleDataset, TupleDataset> get_cifar10(const std::string& folder,
                                                  const CifarOptions& options) {
  const Format format{"get_cifar10", 1, 10};
  check_ndim(format, options);
  std::vector<std::string> train;
  for (int i = 1; i <= 5; ++i) train.push_back(cupyxx::message("data_batch_", i, ".bin"));
  return {read(folder, train, format, options), read(folder, {"test_batch.bin"}, format, options)};
}

std::pair<TupleDataset, TupleDataset> get_cifar100(const std::string& folder,
                                                   const CifarOptions& options) {
  const Format format{"get_cifar100", 2, 100};  // of 20 classes, then of 100
  check_ndim(format, options);
  return {read(folder, {"train.bin"}, format, options),
          read(folder, {"test.bin"}, format, options)};
}

}  // namespace chainerxx::datasets
