// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "cupyxx/internal/io/file_size_signal.h"
#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "cupyxx-";  // we only ever delete files of this name
constexpr char kTemporary[] = ".tmp.";
constexpr std::time_t kTouchAfter = 60;      // seconds
constexpr std::time_t kTemporaryAge = 3600;  // a writer that old is dead, where locks do not tell
constexpr char kLock[] = ".lock";

constexpr char kNotKept[] = "kernels are not kept on disk";

struct Trailer {
  char magic[8] = {'c', 'u', 'p', 'y', 'x', 'x', '0', '1'};
  std::uint64_t size = 0;
  std::uint64_t sum = 0;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string default_directory() {
  if (std::string dir = environment("CUPYXX_CACHE_DIR"); !dir.empty()) return dir;
  if (std::string dir = environment("CUPY_CACHE_DIR"); !dir.empty()) return dir;
  if (std::string dir = environment("XDG_CACHE_HOME"); !dir.empty()) return dir + "/cupyxx";
  if (std::string dir = environment("HOME"); !dir.empty()) return dir + "/.cache/cupyxx";
  return "";
}

std::uint64_t default_limit() {
  const std::string text = environment("CUPYXX_CACHE_SIZE");
  if (text.empty()) return std::uint64_t{512} << 20;
  char* unit = nullptr;
  const double value = std::strtod(text.c_str(), &unit);
  int shift = 0;
  switch (*unit) {
    case 'K':
    case 'k':
      shift = 10;
      break;
    case 'M':
    case 'm':
      shift = 20;
      break;
    case 'G':
    case 'g':
      shift = 30;
      break;
    default:
      break;
  }
  return value > 0 ? static_cast<std::uint64_t>(value * static_cast<double>(1ull << shift)) : 0;
}

bool write_all(int file, const char* data, std::size_t size) {
  const io::WithoutFileSizeSignal no_signal;
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

// The whole file; nothing when it cannot be read.
std::optional<std::string> read_all(int file, std::size_t size) {
  std::string data(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(file, data.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    have += static_cast<std::size_t>(got);
  }
  return data;
}

bool verified(const std::string& data) {
  Trailer trailer;
  const Trailer expected;
  if (data.size() < sizeof trailer) return false;
  std::memcpy(&trailer, data.data() + data.size() - sizeof trailer, sizeof trailer);
  return std::memcmp(trailer.magic, expected.magic, sizeof trailer.magic) == 0 &&
         trailer.size == data.size() - sizeof trailer &&
         trailer.sum == checksum({data.data(), static_cast<std::size_t>(trailer.size)});
}

// Whether what it describes is this user's, and nobody else may write it.
bool is_private(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A lock between processes; it ends with its owner, however that ends. Without support by the file
// system there is no lock.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() {
    if (file_ >= 0) ::close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

// Whether nobody writes a temporary file any more: its writer holds a lock on it.
bool is_abandoned(const std::string& path, std::time_t age) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) != 0;
  const bool unsure = locked && errno != EWOULDBLOCK;
  ::close(file);
  return unsure ? age > kTemporaryAge : !locked;
}

struct File {
  std::string path;
  std::time_t used;
  std::uint64_t size;
};

// The entries of a folder; temporary files of the dead are removed where `clean`.
std::vector<File> list(const std::string& directory, bool clean) {
  std::vector<File> files;
  const std::time_t now = std::time(nullptr);
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    struct stat status;
    if (name.rfind(kPrefix, 0) != 0 || name == std::string(kPrefix) + kLock ||
        ::stat(at->path().c_str(), &status) != 0) {
      continue;
    }
    if (name.rfind(std::string(kPrefix) + kTemporary, 0) == 0) {
      if (clean && is_abandoned(at->path(), now - status.st_mtime)) ::unlink(at->path().c_str());
      continue;
    }
    files.push_back({at->path(), status.st_mtime, static_cast<std::uint64_t>(status.st_size)});
  }
  return files;
}

}  // namespace

DiskCache::DiskCache(std::string directory, std::uint64_t limit)
    : directory_(std::move(directory)), limit_(directory_.empty() ? 0 : limit) {}

DiskCache& DiskCache::instance() {
  static DiskCache& cache = *new DiskCache(default_directory(), default_limit());
  return cache;
}

std::string DiskCache::path_of(const std::string& name) const {
  return directory_ + "/" + kPrefix + name;
}

// Whether the folder may be read; a line on stderr where others may write it.
bool DiskCache::is_ours() {
  struct stat status;
  if (limit_ == 0 || ::stat(directory_.c_str(), &status) != 0) return false;
  if (is_private(status)) return true;
  complain(status.st_uid != ::geteuid()
               ? "kernels are not kept on disk; the folder is another user's"
               : "kernels are not kept on disk; others may write the folder (chmod go-w)",
           0, told_foreign_);
  return false;
}

std::optional<std::string> DiskCache::find(const std::string& name) {
  if (!is_ours()) return std::nullopt;
  const std::string path = path_of(name);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat status;
  std::optional<std::string> data;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_private(status)) {
    data = read_all(file, static_cast<std::size_t>(status.st_size));
  }
  const bool good = data && verified(*data);
  // The time of change is the time of last use; not updated for each of many processes.
  if (good && std::time(nullptr) - status.st_mtime > kTouchAfter) ::futimens(file, nullptr);
  ::close(file);
  if (!good) {
    ::unlink(path.c_str());
    complain("a damaged kernel is compiled again", 0, told_damaged_);
    return std::nullopt;
  }
  data->resize(data->size() - sizeof(Trailer));
  return data;
}

// Writes and syncs; the name of the file, which stays open and locked, or empty.
std::string DiskCache::write_temporary(std::string_view data, int* file) {
  static std::atomic<unsigned> counter{0};
  const std::string path = directory_ + "/" + kPrefix + kTemporary + std::to_string(::getpid()) +
                           "." + std::to_string(counter.fetch_add(1)) + "." +
                           std::to_string(std::time(nullptr));
  {
    // Whoever cleans up holds this lock, so never sees the file before it is locked.
    const FileLock lock(directory_ + "/" + kPrefix + kLock);
    *file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (*file < 0) return "";
    ::flock(*file, LOCK_EX | LOCK_NB);
  }
  Trailer trailer;
  trailer.size = data.size();
  trailer.sum = checksum(data);
  if (write_all(*file, data.data(), data.size()) &&
      write_all(*file, reinterpret_cast<const char*>(&trailer), sizeof trailer) &&
      ::fsync(*file) == 0) {
    return path;
  }
  const int error = errno;
  ::unlink(path.c_str());
  ::close(*file);
  errno = error;
  return "";
}

// With the folder's lock held: removes what was not used for longest.
void DiskCache::make_room(std::uint64_t size) {
  std::vector<File> files = list(directory_, true);
  std::uint64_t total = size;
  for (const File& file : files) total += file.size;
  if (total <= limit_) return;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  // A tenth below the limit, so that the next entries find room.
  for (const File& file : files) {
    if (total <= limit_ - limit_ / 10) break;
    if (::unlink(file.path.c_str()) == 0) total -= file.size;
  }
}

void DiskCache::store(const std::string& name, std::string_view data) noexcept {
  const std::uint64_t size = data.size() + sizeof(Trailer);
  if (limit_ == 0 || size > limit_) return;
  try {
    std::error_code error;
    fs::create_directories(fs::path(directory_).parent_path(), error);
    if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST) {
      return complain(kNotKept, errno, told_unwritable_);
    }
    if (!is_ours()) return;
    int file = -1;
    const std::string temporary = write_temporary(data, &file);
    if (temporary.empty()) return complain(kNotKept, errno, told_unwritable_);
    {
      const FileLock lock(directory_ + "/" + kPrefix + kLock);
      make_room(size);
      if (::rename(temporary.c_str(), path_of(name).c_str()) != 0) {
        complain(kNotKept, errno, told_unwritable_);
        ::unlink(temporary.c_str());
      }
    }
    ::close(file);
  } catch (...) {
    // A cache that fails is no cache.
  }
}

void DiskCache::clear() noexcept {
  try {
    if (!is_ours()) return;
    const FileLock lock(directory_ + "/" + kPrefix + kLock);
    for (const File& file : list(directory_, true)) ::unlink(file.path.c_str());
  } catch (...) {
  }
}

DiskCache::Contents DiskCache::contents() const {
  Contents contents;
  if (limit_ == 0) return contents;
  for (const File& file : list(directory_, false)) {
    ++contents.entries;
    contents.bytes += file.size;
  }
  return contents;
}

void DiskCache::complain(const char* what, int error, std::atomic<bool>& told) {
  if (told.exchange(true)) return;
  std::fprintf(stderr, "cupyxx: %s: %s%s%s\n", what, directory_.c_str(),
               error != 0 ? " cannot be written: " : "", error != 0 ? std::strerror(error) : "");
}

}  // namespace cupyxx::internal::jit
