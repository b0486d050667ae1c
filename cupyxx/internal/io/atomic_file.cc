// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/atomic_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/file_size_signal.h"

namespace cupyxx::internal::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 30;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// The file that a path means, through symbolic links.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  ::free(real);
  return result;
}

constexpr std::string_view kPrefix = ".cupyxx-", kSuffix = ".tmp";
constexpr std::time_t kOld = 3600;  // seconds; where locks do not work, age alone tells

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return folder_of(target) + "/" + std::string(kPrefix) + std::to_string(::getpid()) + "-" +
         std::to_string(counter.fetch_add(1)) + std::string(kSuffix);
}

/// Removes old temporary files of a folder whose writers are gone: a writer holds a lock.
void remove_abandoned(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    const int file = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    struct stat status;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
        std::time(nullptr) - status.st_mtime > kOld && ::flock(file, LOCK_EX | LOCK_NB) == 0) {
      ::unlink(at->path().c_str());
    }
    ::close(file);
  }
}

/// The same, at the first save into each folder: many files lie in some. A program may save into
/// any number of folders, as savez to a stream does: those of long ago are forgotten.
constexpr std::size_t kMostSeen = 16;
void remove_abandoned_once(const std::string& folder) {
  static std::mutex& mutex = *new std::mutex;
  static auto& seen = *new std::set<std::string>;
  {
    const std::lock_guard lock(mutex);
    if (seen.contains(folder)) return;
    if (seen.size() == kMostSeen) seen.clear();
    seen.insert(folder);
  }
  remove_abandoned(folder);
}

}  // namespace

AtomicFile::AtomicFile(std::string operation, const std::string& path)
    : operation_(std::move(operation)), path_(path), target_(path) {
  struct stat status;
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(errno);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
    return;
  }
  if (exists) target_ = resolved(path);
  do {
    temporary_ = temporary_name(target_);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) {
    temporary_.clear();
    fail(errno);
  }
  // Locked while it is written; where that is not possible, it is young.
  static_cast<void>(::flock(fd_, LOCK_EX | LOCK_NB));
  remove_abandoned_once(folder_of(target_));
  // The new file keeps the permissions of the old one; where that is refused, it has the usual.
  if (exists && ::fchmod(fd_, status.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const {
  throw IOError(message(operation_, ": cannot write ", path_, "; ", std::strerror(error)));
}

void AtomicFile::write_out(const char* from, std::size_t size) {
  const WithoutFileSizeSignal no_signal;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::write(fd_, from + done, std::min(size - done, kChunk));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    if (n == 0) fail(ENOSPC);
    done += static_cast<std::size_t>(n);
  }
}

void AtomicFile::flush() {
  if (kept_ > 0) write_out(kept_bytes_, std::exchange(kept_, 0));
}

void AtomicFile::write(const void* bytes, std::size_t size) {
  if (size == 0) return;
  if (size > sizeof kept_bytes_ - kept_) flush();
  if (size > sizeof kept_bytes_) {
    write_out(static_cast<const char*>(bytes), size);
  } else {
    std::memcpy(kept_bytes_ + kept_, bytes, size);
    kept_ += size;
  }
  offset_ += size;
}

void AtomicFile::overwrite(std::uint64_t offset, const void* bytes, std::size_t size) {
  const std::uint64_t written = offset_ - kept_;
  if (size == 0) return;
  if (offset >= written) {
    std::memcpy(kept_bytes_ + (offset - written), bytes, size);
    return;
  }
  if (offset + size > written) flush();
  const WithoutFileSizeSignal no_signal;
  const char* from = static_cast<const char*>(bytes);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pwrite(fd_, from + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(n < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(n);
  }
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty() && ::fsync(fd_) != 0) fail(errno);
  if (::close(std::exchange(fd_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  // The name is durable once the folder is synced; a file system that cannot do that is no error,
  // for the file is complete either way.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace cupyxx::internal::io
