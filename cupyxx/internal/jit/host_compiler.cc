// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/host_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/io/file_size_signal.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/counters.h"
#include "cupyxx/internal/jit/hash.h"
#include "cupyxx/internal/jit/headers.h"
#include "cupyxx/internal/jit/host_names.h"
#include "cupyxx/internal/jit/includes.h"
#include "cupyxx/internal/jit/numbered.h"

extern char** environ;

namespace cupyxx::internal::jit {

namespace {

namespace fs = std::filesystem;

// A folder of our own that vanishes with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "cupyxx-XXXXXX").string();
    if (error || ::mkdtemp(path.data()) == nullptr) {
      throw IOError(message(path, ": a temporary folder cannot be made; ", std::strerror(errno)));
    }
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  void write(const std::string& name, std::string_view text) const {
    const fs::path path = fs::path(path_) / name;
    fs::create_directories(path.parent_path());
    const io::WithoutFileSizeSignal no_signal;
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush()) throw IOError(message(path.string(), ": cannot be written"));
  }
  std::string read(const std::string& name) const {
    std::ifstream file(fs::path(path_) / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string compiler_name() {
  for (const char* variable : {"CUPYXX_CXX", "CXX"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return "c++";
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// The file that a name means; empty when there is none.
std::string find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
  }
  const char* variable = std::getenv("PATH");
  std::istringstream path(variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(path, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

// A user's option for NVRTC as this compiler's; empty for what means nothing on a host.
std::vector<std::string> host_options(const std::vector<std::string>& options) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::string& option = options[k];
    const std::size_t begin = option.find_first_not_of('-');
    const std::string name =
        begin == std::string::npos ? "" : option.substr(begin, option.find('=') - begin);
    const std::size_t equals = option.find('=');
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (name == "use_fast_math") {
      result.emplace_back("-ffast-math");
    } else if (name == "fmad") {
      result.emplace_back(value == "true" ? "-ffp-contract=fast" : "-ffp-contract=off");
    } else if (name == "include-path") {
      result.push_back(
          "-I" + (equals == std::string::npos && k + 1 < options.size() ? options[++k] : value));
    } else if (name == "define-macro") {
      result.push_back("-D" + value);
    } else if (name == "std") {  // our headers need C++20: a newer one only
      if (value > "c++20" && value < "c++3") result.push_back("-std=" + value);
    } else if (name != "gpu-architecture" && name != "arch" && name != "maxrregcount" &&
               name != "lineinfo" && name != "generate-line-info" && name != "G" &&
               name != "device-debug" && name != "restrict" && name != "default-device" &&
               name != "ftz" && name != "prec-div" && name != "prec-sqrt" &&
               name != "extra-device-vectorization") {
      result.push_back(option);
    }
  }
  return result;
}

// Tells one installation of a compiler from the next.
std::string identity(const std::string& file) {
  std::error_code error;
  const std::string real = fs::canonical(file, error).string();
  struct stat status;
  if (error || ::stat(real.c_str(), &status) != 0) return file;
  return real + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec);
}

// Runs a command with its messages in `log`. Whether it succeeded, which is then to have made
// `output`: where the process ignores SIGCHLD, the system keeps no exit status.
bool run(const std::vector<std::string>& command, const std::string& log,
         const std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  // The compiler waits for children of its own, and would inherit an ignored SIGCHLD.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGCHLD);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return errno == ECHILD && ::access(output.c_str(), R_OK) == 0;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A log's first errors: what follows is nearly always of their making.
std::string first_errors(const std::string& log) {
  constexpr int kShown = 3;
  int errors = 0;
  std::size_t end = log.size();
  for (std::size_t at = log.find(" error: "); at != std::string::npos;
       at = log.find(" error: ", at + 1)) {
    if (++errors == kShown + 1) end = log.rfind('\n', at) + 1;
  }
  const std::string shown = log.substr(0, end);
  return errors > kShown ? message(shown, "... and ", errors - kShown, " more errors\n") : shown;
}

// What to write, where an error does not say it.
std::string advice(const std::string& log) {
  for (const char* words :
       {"operands to \xE2\x80\x98?:\xE2\x80\x99 have different types",
        "operands to '?:' have different types", "conditional expression is ambiguous"}) {
    if (log.find(words) != std::string::npos) {
      return "both sides of ?: need one type, for float16 write x > 0 ? x : T(0)\n";
    }
  }
  return "";
}

// The entry of a shared object; null, with the reason, when it cannot be loaded.
void* entry_of(const std::string& file, const std::string& name, std::string* reason) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library != nullptr ? ::dlsym(library, name.c_str()) : nullptr;
  if (entry == nullptr) {
    const char* text = ::dlerror();
    *reason = text != nullptr ? text : file;
  }
  return entry;
}

}  // namespace

void* load_host(const HostProgram& program) {
  std::vector<std::string> command = words_of(compiler_name());  // "ccache c++"
  const std::string compiler = command.empty() ? "" : find_executable(command[0]);
  if (compiler.empty()) {
    throw CompileError(message(program.name, ": kernels on host arrays need a C++ compiler; '",
                               compiler_name(), "' was not found (CUPYXX_CXX names another)"));
  }
  // Built-in operations are compiled without contraction and errno, so users' are too.
  command[0] = compiler;
  for (const char* option : {"-std=c++20", "-O3", "-shared", "-fPIC", "-w", "-fno-math-errno",
                             "-ffp-contract=off", "-fvisibility=hidden"}) {
    command.emplace_back(option);
  }
  for (std::string& option : host_options(program.options)) command.push_back(std::move(option));

  const IncludedHeaders included = included_headers(program.text);
  Hasher hasher;
  hasher.add(program.text).add(included.hash).add(kHostNames).add(identity(compiler));
  for (const std::string& word : command) hasher.add(word);
  if (!program.options.empty()) hasher.add(hash_of_includes(program.text, program.options));
  const std::string name = hasher.result().hex() + ".so";

  // What is loaded is a copy in a folder of our own: the file that was checked, which nobody
  // changes in between, under a name that the loader has not seen.
  DiskCache& cache = DiskCache::instance();
  const TemporaryFolder folder;
  std::string reason;
  if (const auto library = cache.find(name)) {
    folder.write("kept.so", *library);
    if (void* entry = entry_of(folder.path("kept.so"), program.entry, &reason)) {
      count_host_disk_hit();
      if (logs(LogLevel::debug)) {
        log_line("kernel %s: from %s/%s", program.name.c_str(), cache.directory().c_str(),
                 name.c_str());
      }
      return entry;
    }
  }
  for (const DeviceText* header : included.headers) {
    folder.write(header->name, std::string_view(header->text));
  }
  folder.write("cupyxx/ops/host_math.h", kHostNames);
  folder.write("kernel.cc", program.text);
  for (const std::string& word : {std::string("-I"), folder.path(""), std::string("-o"),
                                  folder.path("kernel.so"), folder.path("kernel.cc")}) {
    command.push_back(word);
  }
  const auto begin = std::chrono::steady_clock::now();
  if (!run(command, folder.path("log"), folder.path("kernel.so"))) {
    const std::string log = folder.read("log");
    throw CompileError(message(program.name, ": the source does not compile for the host; ",
                               compiler, "\n", first_errors(log), advice(log),
                               numbered(program.text, error_line(log, "kernel.cc:"))));
  }
  count_host_compiled();
  const std::string library = folder.read("kernel.so");
  if (logs(LogLevel::info)) {
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - begin;
    log_line("kernel %s: compiled for the host in %.0f ms, %zu bytes", program.name.c_str(),
             taken.count(), library.size());
  }
  cache.store(name, library);
  // What was just made is loaded from where nobody else removes it.
  if (void* entry = entry_of(folder.path("kernel.so"), program.entry, &reason)) return entry;
  throw CompileError(message(program.name, ": the compiled kernel cannot be loaded; ", reason));
}

}  // namespace cupyxx::internal::jit
