// SPDX-License-Identifier: MIT
#include "cupyxx/testing/fuzz/target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <typeinfo>

namespace cupyxx::fuzz {
namespace {

std::vector<const Target*>& list() {
  static std::vector<const Target*> all;
  return all;
}

/// A folder that goes with the process.
struct Scratch {
  Scratch() {
    std::string pattern = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (const char* given = std::getenv("TEST_TMPDIR")) pattern = given;
    pattern += "/cupyxx-fuzz-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) fail("no folder " + pattern);
    path = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::string path;
};

}  // namespace

Target::Target(const char* target_name, Run run_bytes, Mutate own_mutation)
    : name(target_name), run(run_bytes), mutate(own_mutation) {
  list().push_back(this);
}

const std::vector<const Target*>& targets() { return list(); }

void fail(const std::string& what) {
  std::fprintf(stderr, "FINDING: %s\n", what.c_str());
  std::fflush(stderr);
  std::abort();
}

void fail(const std::exception& error) {
  fail(std::string("an exception of another family, ") + typeid(error).name() + ": " +
       error.what());
}

void note(const std::exception& error) {
  static const bool is_verbose = std::getenv("FUZZ_VERBOSE") != nullptr;
  if (is_verbose) std::fprintf(stderr, "  %s\n", error.what());
}

std::int64_t Input::number() {
  const auto first = take<std::int8_t>();
  return first == 127 ? take<std::int64_t>() : first;
}

std::string_view Input::until(char end) {
  const std::size_t at = bytes_.find(end);
  const std::string_view part = cut(at);
  cut(at == std::string_view::npos ? 0 : 1);
  return part;
}

std::string file_path(const std::string& name) {
  static const Scratch scratch;
  return scratch.path + "/" + name;
}

std::string write_file(const std::string& name, std::string_view bytes) {
  std::string path = file_path(name);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<long>(bytes.size())) {
    fail("cannot write " + path);
  }
  ::close(file);
  return path;
}

bool equal(const ndarray& a, const ndarray& b) {
  for (const std::byte byte : a.dtype().is_bool() ? a.tobytes() : std::vector<std::byte>()) {
    if (byte > std::byte{1}) fail("a bool element is neither 0 nor 1");
  }
  return a.dtype() == b.dtype() && a.shape() == b.shape() && a.tobytes() == b.tobytes();
}

}  // namespace cupyxx::fuzz
