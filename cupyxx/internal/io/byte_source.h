// SPDX-License-Identifier: MIT
// Where readers of files get their bytes from: a file, a part of one, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace cupyxx::internal::io {

/// Bytes that are read in order, and of which the number is known before.
class ByteSource {
 public:
  /// `name` stands in error texts: a path, or "archive.npz[key]".
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads exactly `size` bytes; throws IOError where they cannot be had.
  virtual void read(void* out, std::size_t size) = 0;
  /// How many bytes are left, as the file states it.
  virtual std::uint64_t remaining() const = 0;

  const std::string& name() const { return name_; }
  /// Throws IOError with the text "load: NAME: what".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string name_;
};

/// A regular file that is read at any offset.
class File {
 public:
  /// Throws IOError when the file cannot be opened or is not a regular one. `operation` begins the
  /// texts of errors; it must live as long as the file.
  explicit File(const std::string& path, const char* operation = "load");
  /// What a stream holds from here on, in a temporary file without a name; its path is "the
  /// stream".
  explicit File(std::istream& in);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// Reads exactly `size` bytes; throws IOError where the file ends before.
  void read_at(std::uint64_t offset, void* out, std::size_t size) const;

 private:
  void write(const char* bytes, std::size_t size);

  std::string path_;
  const char* operation_;
  int fd_;
  std::uint64_t size_ = 0;
};

/// A range of a file.
class FileSource : public ByteSource {
 public:
  /// The whole file.
  explicit FileSource(std::shared_ptr<const File> file);
  /// `size` bytes from `offset`, which lie inside the file.
  FileSource(std::shared_ptr<const File> file, std::string name, std::uint64_t offset,
             std::uint64_t size);

  void read(void* out, std::size_t size) override;
  std::uint64_t remaining() const override { return remaining_; }

 private:
  std::shared_ptr<const File> file_;
  std::uint64_t offset_;
  std::uint64_t remaining_;
};

/// Bytes in memory, which must outlive the source.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::string_view bytes)
      : ByteSource(std::move(name)), bytes_(bytes) {}

  void read(void* out, std::size_t size) override;
  std::uint64_t remaining() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

}  // namespace cupyxx::internal::io
