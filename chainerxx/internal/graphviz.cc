// SPDX-License-Identifier: MIT
#include "chainerxx/internal/graphviz.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cupyxx/error.h"

extern char** environ;

namespace chainerxx::internal {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void refuse(const std::string& what) {
  throw cupyxx::IOError(cupyxx::message("ComputationalGraph: ", what));
}

/// Files without names take the place of pipes: neither side ever waits for the other.
File temporary() {
  File file(std::tmpfile());
  if (!file) refuse(cupyxx::message("there is no temporary file; ", std::strerror(errno)));
  return file;
}

std::string read(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  return text;
}

}  // namespace

std::string draw(const std::string& text, const std::string& format) {
  const File in = temporary(), out = temporary(), err = temporary();
  if (std::fwrite(text.data(), 1, text.size(), in.get()) != text.size() ||
      std::fflush(in.get()) != 0 || ::lseek(::fileno(in.get()), 0, SEEK_SET) != 0) {
    refuse(cupyxx::message("a temporary file cannot be written; ", std::strerror(errno)));
  }
  std::string program = "dot", option = "-T" + format;
  char* arguments[] = {program.data(), option.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), 0);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), 1);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(err.get()), 2);
  ::pid_t child = 0;
  const int defect = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (defect != 0) {
    refuse(cupyxx::message("the program dot cannot be run, which graphviz brings; ",
                           std::strerror(defect)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!is_well) refuse(cupyxx::message("dot failed; ", read(err.get())));
  return read(out.get());
}

}  // namespace chainerxx::internal
