// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cupyxx/error.h"

namespace cupyxx::internal::io {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw IOError(message("load: ", path, ": ", what, "; ", std::strerror(error)));
}

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);  // a mapping lives on without it
  }
};

}  // namespace

MappedBytes map_file(const std::string& path, std::uint64_t offset, std::size_t size,
                     MapMode mode) {
  const bool writes = mode == MapMode::write;
  const Descriptor file{::open(path.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC)};
  if (file.fd < 0) fail(path, writes ? "cannot open for writing" : "cannot open", errno);
  struct stat status;
  if (::fstat(file.fd, &status) != 0) fail(path, "cannot read", errno);
  // Touching a page beyond the end would kill the process.
  if (static_cast<std::uint64_t>(status.st_size) < offset + size) {
    throw IOError(message("load: ", path, ": truncated; ", offset + size, " bytes expected, ",
                          status.st_size, " found"));
  }
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t lead = offset % page;
  MappedBytes bytes;
  bytes.length = size + lead;
  // Private pages may be written even of a read-only array, which then ends in memory and not in a
  // signal.
  bytes.address = ::mmap(nullptr, bytes.length, PROT_READ | PROT_WRITE,
                         writes ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE, file.fd,
                         static_cast<off_t>(offset - lead));
  if (bytes.address == MAP_FAILED) fail(path, "cannot map", errno);
  bytes.data = static_cast<char*>(bytes.address) + lead;
  return bytes;
}

void unmap(const MappedBytes& bytes) noexcept { ::munmap(bytes.address, bytes.length); }

}  // namespace cupyxx::internal::io
