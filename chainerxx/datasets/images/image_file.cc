// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/images/image_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "chainerxx/datasets/images/decoded.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;

std::string read_bytes(const std::string& path) {
  const auto fail = [&] {
    throw cp::IOError(cp::message(path, ": cannot be read; ", std::strerror(errno)));
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail();
  // A pipe would be waited for, and a device may have no end.
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw cp::IOError(cp::message(path, ": cannot be read; it is not a regular file"));
  }
  std::FILE* file = ::fdopen(descriptor, "rb");
  if (file == nullptr) fail();
  std::string bytes;
  char buffer[1 << 16];
  std::size_t count;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) bytes.append(buffer, count);
  const bool is_bad = std::ferror(file) != 0;
  const int error = errno;
  std::fclose(file);
  errno = error;
  if (is_bad) fail();
  return bytes;
}

/// Channels apart, as arrays of images have them.
ndarray channels_first(const internal::Decoded& image) {
  const cp::DeviceScope host(cp::Device::cpu());
  const ndarray array = cp::empty({image.channels, image.height, image.width}, cp::uint8);
  auto* to = static_cast<std::uint8_t*>(array.data());
  const std::int64_t count = image.height * image.width;
  const std::uint8_t* from = image.pixels.data();
  if (image.channels == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count));
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = from[3 * i];
      to[count + i] = from[3 * i + 1];
      to[2 * count + i] = from[3 * i + 2];
    }
  }
  return array;
}

}  // namespace

ndarray decode_image(std::string_view bytes, const std::string& name, ImageMode mode) {
  internal::Decoded image;
  std::string wrong;
  if (bytes.starts_with("\xff\xd8")) {
    wrong = internal::decode_jpeg(bytes, mode, image);
  } else if (bytes.starts_with("\x89PNG\r\n\x1a\n")) {
    wrong = internal::decode_png(bytes, mode, image);
  } else {
    throw cp::IOError(cp::message(name, ": is no image; it begins neither as JPEG nor as PNG"));
  }
  if (!wrong.empty()) throw cp::IOError(cp::message(name, ": is damaged; ", wrong));
  return channels_first(image);
}

ndarray read_image(const std::string& path, ImageMode mode) {
  return decode_image(read_bytes(path), path, mode);
}

}  // namespace chainerxx::datasets
