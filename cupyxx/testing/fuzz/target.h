// SPDX-License-Identifier: MIT
// What a fuzzing target is made of. A target takes bytes, gives them to a reader or a parser and
// checks what must hold for any bytes: only errors of ours come out, what was read can be written
// and read again, a failure changes nothing. fuzzer_main.cc runs targets under libFuzzer,
// replay_main.cc runs them over the files of their corpora in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::fuzz {

/// A target by its name; a static object of each `*_fuzz.cc`.
struct Target {
  using Run = void (*)(std::string_view bytes);
  /// Changes an input of `size` bytes in place, up to `room` bytes; returns the new size.
  using Mutate = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t room);

  Target(const char* target_name, Run run_bytes, Mutate own_mutation = nullptr);

  const char* name;
  Run run;
  Mutate mutate;  // null: libFuzzer's own
};

/// All of them that are linked in.
const std::vector<const Target*>& targets();

/// A defect: says what and aborts.
[[noreturn]] void fail(const std::string& what);
/// The same of an exception that must not come out.
[[noreturn]] void fail(const std::exception& error);

/// Prints an error that is as it should be where the environment has FUZZ_VERBOSE.
void note(const std::exception& error);

/// Whether `call` returned; any exception but the library's own, and those named, is a defect.
template <class... Allowed, class Call>
bool attempt(Call&& call) {
  try {
    call();
    return true;
  } catch (const std::exception& error) {
    const bool is_ours = dynamic_cast<const Error*>(&error) != nullptr;
    if (!is_ours && !((dynamic_cast<const Allowed*>(&error) != nullptr) || ...)) fail(error);
    note(error);
    return false;
  }
}

/// Reads choices and texts from the front of an input; zeros and empty texts behind its end.
class Input {
 public:
  explicit Input(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value{};
    const std::string_view part = cut(sizeof value);
    if (!part.empty()) std::memcpy(&value, part.data(), part.size());
    return value;
  }
  bool flag() { return (take<std::uint8_t>() & 1) != 0; }
  /// A number from `low` to `high`, from one byte.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + take<std::uint8_t>() % (high - low + 1);
  }
  /// A small number as a rule, else any.
  std::int64_t number();
  cupyxx::dtype dtype(int count = cupyxx::dtype::kComputeCount) {
    return static_cast<cupyxx::dtype::Code>(between(0, count - 1));
  }
  /// What stands before the next `end`, which is skipped, or all.
  std::string_view until(char end);
  std::string_view rest() { return cut(bytes_.size()); }
  bool is_empty() const { return bytes_.empty(); }

 private:
  std::string_view cut(std::size_t size) {
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(part.size());
    return part;
  }

  std::string_view bytes_;
};

/// Writes a file of this process's own, in memory where the system has such a folder, and returns
/// its path. The next file of the same name takes its place.
std::string write_file(const std::string& name, std::string_view bytes);
/// The path of such a file, whether it exists or not.
std::string file_path(const std::string& name);

/// Whether two arrays have one dtype, one shape and the same bytes.
bool equal(const ndarray& a, const ndarray& b);

}  // namespace cupyxx::fuzz
