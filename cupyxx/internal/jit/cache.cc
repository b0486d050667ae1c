// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/cache.h"

#include <fcntl.h>
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

#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "cupyxx-";  // we only ever delete files of this name
constexpr char kTemporary[] = ".tmp.";
constexpr std::time_t kTouchAfter = 60;      // seconds
constexpr std::time_t kTemporaryAge = 3600;  // a writer that old is dead

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
  if (std::string dir = environment("CUPY_CACHE_DIR"); !dir.empty()) return dir + "/cupyxx";
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

std::optional<std::string> DiskCache::find(const std::string& name) {
  if (limit_ == 0) return std::nullopt;
  const std::string path = path_of(name);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat status;
  std::optional<std::string> data;
  if (::fstat(file, &status) == 0) data = read_all(file, static_cast<std::size_t>(status.st_size));
  const bool good = data && verified(*data);
  // The time of change is the time of last use; not updated for each of many processes.
  if (good && std::time(nullptr) - status.st_mtime > kTouchAfter) ::futimens(file, nullptr);
  ::close(file);
  if (!good) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  data->resize(data->size() - sizeof(Trailer));
  return data;
}

std::string DiskCache::find_file(const std::string& name) {
  return find(name) ? path_of(name) : std::string();
}

bool DiskCache::write(const std::string& path, std::string_view data) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary =
      directory_ + "/" + kPrefix + kTemporary + std::to_string(::getpid()) + "." +
      std::to_string(counter.fetch_add(1)) + "." + std::to_string(std::time(nullptr));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return false;
  Trailer trailer;
  trailer.size = data.size();
  trailer.sum = checksum(data);
  bool done = write_all(file, data.data(), data.size()) &&
              write_all(file, reinterpret_cast<const char*>(&trailer), sizeof trailer) &&
              ::fsync(file) == 0;
  int error = errno;
  done = ::close(file) == 0 && done;
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0) {
    done = false;
    error = errno;
  }
  if (!done) {
    ::unlink(temporary.c_str());
    errno = error;
  }
  return done;
}

void DiskCache::store(const std::string& name, std::string_view data) noexcept {
  if (limit_ == 0 || data.size() + sizeof(Trailer) > limit_) return;
  try {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error || !write(path_of(name), data)) {
      complain(error ? error.value() : errno);
      return;
    }
    const std::lock_guard lock(mutex_);
    total_ += data.size() + sizeof(Trailer);
    if (!scanned_ || total_ > limit_) evict();
  } catch (...) {
    // A cache that fails is no cache.
  }
}

void DiskCache::complain(int error) {
  const std::lock_guard lock(mutex_);
  if (complained_) return;
  complained_ = true;
  std::fprintf(stderr, "cupyxx: kernels are not kept on disk: %s cannot be written: %s\n",
               directory_.c_str(), std::strerror(error));
}

void DiskCache::evict() {
  struct File {
    std::string path;
    std::time_t used;
    std::uint64_t size;
  };
  std::vector<File> files;
  const std::time_t now = std::time(nullptr);
  std::error_code error;
  total_ = 0;
  scanned_ = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename();
    struct stat status;
    if (name.rfind(kPrefix, 0) != 0 || ::stat(entry.path().c_str(), &status) != 0) continue;
    if (name.rfind(std::string(kPrefix) + kTemporary, 0) == 0) {
      if (now - status.st_mtime > kTemporaryAge) ::unlink(entry.path().c_str());
      continue;
    }
    files.push_back({entry.path(), status.st_mtime, static_cast<std::uint64_t>(status.st_size)});
    total_ += files.back().size;
  }
  if (total_ <= limit_) return;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  // A tenth below the limit, so that the next entries do not scan again.
  for (const File& file : files) {
    if (total_ <= limit_ - limit_ / 10) break;
    if (::unlink(file.path.c_str()) == 0) total_ -= file.size;
  }
}

}  // namespace cupyxx::internal::jit
