// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/byte_source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <istream>
#include <vector>

#include "cupyxx/error.h"

namespace cupyxx::internal::io {
namespace {

[[noreturn]] void fail_in(const char* operation, const std::string& name, const std::string& what) {
  throw IOError(message(operation, ": ", name, ": ", what));
}

[[noreturn]] void fail_short(const char* operation, const std::string& name, std::uint64_t wanted,
                             std::uint64_t found) {
  fail_in(operation, name, message("truncated; ", wanted, " bytes expected, ", found, " found"));
}

}  // namespace

void ByteSource::fail(const std::string& what) const { fail_in("load", name_, what); }

File::File(const std::string& path, const char* operation)
    : path_(path),
      operation_(operation),
      fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {  // a pipe must not wait
  if (fd_ < 0) fail_in(operation_, path_, message("cannot open; ", std::strerror(errno)));
  struct stat status;
  const char* defect = nullptr;
  if (::fstat(fd_, &status) != 0) {
    defect = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    defect = S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file";
  }
  if (defect != nullptr) {
    ::close(fd_);
    fail_in(operation_, path_, message("cannot read; ", defect));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

File::File(std::istream& in) : path_("the stream"), operation_("load"), fd_(-1) {
  std::string name = (std::filesystem::temp_directory_path() / "cupyxx_stream_XXXXXX").string();
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) fail_in(operation_, path_, message("cannot make a temporary file; ", name));
  ::unlink(name.c_str());
  try {
    std::vector<char> part(std::size_t{1} << 16);
    while (in) {
      in.read(part.data(), static_cast<std::streamsize>(part.size()));
      write(part.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (in.bad()) fail_in(operation_, path_, "cannot read it");
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

File::~File() { ::close(fd_); }

void File::write(const char* bytes, std::size_t size) {
  while (size != 0) {
    const ssize_t n = ::write(fd_, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      fail_in(operation_, path_,
              message("cannot write to a temporary file; ", std::strerror(errno)));
    }
    bytes += n;
    size -= static_cast<std::size_t>(n);
    size_ += static_cast<std::uint64_t>(n);
  }
}

void File::read_at(std::uint64_t offset, void* out, std::size_t size) const {
  constexpr std::size_t kChunk = std::size_t{1} << 30;  // the kernel reads less than 2 GiB at once
  char* to = static_cast<char*>(out);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n =
        ::pread(fd_, to + done, std::min(size - done, kChunk), static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_in(operation_, path_, message("cannot read; ", std::strerror(errno)));
    if (n == 0) fail_short(operation_, path_, offset + size, offset + done);
    done += static_cast<std::size_t>(n);
  }
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as it is declared
FileSource::FileSource(std::shared_ptr<const File> file)
    : FileSource(file, file->path(), 0, file->size()) {}

FileSource::FileSource(std::shared_ptr<const File> file, std::string name, std::uint64_t offset,
                       std::uint64_t size)
    : ByteSource(std::move(name)), file_(std::move(file)), offset_(offset), remaining_(size) {}

void FileSource::read(void* out, std::size_t size) {
  if (size > remaining_) fail_short("load", name(), size, remaining_);
  file_->read_at(offset_, out, size);
  offset_ += size;
  remaining_ -= size;
}

void MemorySource::read(void* out, std::size_t size) {
  if (size > bytes_.size()) fail_short("load", name(), size, bytes_.size());
  if (size != 0) std::memcpy(out, bytes_.data(), size);
  bytes_.remove_prefix(size);
}

}  // namespace cupyxx::internal::io
