// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/nvrtc.h"

#include <nvrtc.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/dynlib.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/hash.h"
#include "cupyxx/internal/jit/headers.h"

namespace cupyxx::internal::jit {
namespace {

DynamicLibrary& library() {
  static DynamicLibrary& nvrtc =
      *new DynamicLibrary("NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
  return nvrtc;
}

// The functions we use. Throws Error when the library is absent.
struct Nvrtc {
#define CUPYXX_NVRTC(name) \
  decltype(&::nvrtc##name) name = library().symbol<decltype(&::nvrtc##name)>("nvrtc" #name)
  CUPYXX_NVRTC(Version);
  CUPYXX_NVRTC(CreateProgram);
  CUPYXX_NVRTC(DestroyProgram);
  CUPYXX_NVRTC(CompileProgram);
  CUPYXX_NVRTC(GetProgramLogSize);
  CUPYXX_NVRTC(GetProgramLog);
  CUPYXX_NVRTC(GetCUBINSize);
  CUPYXX_NVRTC(GetCUBIN);
  CUPYXX_NVRTC(GetErrorString);
#undef CUPYXX_NVRTC

  static const Nvrtc& instance() {
    static const Nvrtc table;
    return table;
  }
};

void check(nvrtcResult result, const Program& program, const char* call) {
  if (result == NVRTC_SUCCESS) return;
  throw CompileError(program.name + ": " + call + " failed; " +
                     Nvrtc::instance().GetErrorString(result));
}

class Compilation {
 public:
  explicit Compilation(const Program& program) : program_(program) {
    std::vector<const char*> texts, names;
    for (const Header* header : included_headers(program.text).headers) {
      texts.push_back(header->text);
      names.push_back(header->name);
    }
    check(nvrtc_.CreateProgram(&handle_, program.text.c_str(), program.name.c_str(),
                               static_cast<int>(names.size()), texts.data(), names.data()),
          program, "nvrtcCreateProgram");
  }
  ~Compilation() { nvrtc_.DestroyProgram(&handle_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  std::string run(std::string_view architecture) {
    const std::vector<std::string> options = compile_options(program_, architecture);
    std::vector<const char*> list;
    for (const std::string& option : options) list.push_back(option.c_str());
    const nvrtcResult result =
        nvrtc_.CompileProgram(handle_, static_cast<int>(list.size()), list.data());
    if (result != NVRTC_SUCCESS) fail(result, architecture);
    std::size_t size = 0;
    check(nvrtc_.GetCUBINSize(handle_, &size), program_, "nvrtcGetCUBINSize");
    std::string cubin(size, '\0');
    check(nvrtc_.GetCUBIN(handle_, cubin.data()), program_, "nvrtcGetCUBIN");
    return cubin;
  }

 private:
  [[noreturn]] void fail(nvrtcResult result, std::string_view architecture) {
    std::size_t size = 0;
    nvrtc_.GetProgramLogSize(handle_, &size);
    std::string log(size, '\0');
    if (size > 0) nvrtc_.GetProgramLog(handle_, log.data());
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    std::ostringstream text;
    text << program_.name << ": the source does not compile; " << architecture << ", "
         << nvrtc_.GetErrorString(result) << "\n"
         << log << "\n";
    std::istringstream source(program_.text);
    std::string line;
    for (int number = 1; std::getline(source, line); ++number) {
      char margin[16];
      std::snprintf(margin, sizeof margin, "%5d | ", number);
      text << margin << line << "\n";
    }
    throw CompileError(text.str());
  }

  const Nvrtc& nvrtc_ = Nvrtc::instance();
  const Program& program_;
  nvrtcProgram handle_ = nullptr;
};

// "size time" of a file; "-" when it is absent.
std::string file_mark(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return "-";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

// Everything that decides which library the search would find, by metadata only.
Hash128 search_mark() {
  Hasher hasher;
  for (const std::string& file : library().candidates()) hasher.add(file).add(file_mark(file));
  return hasher.add(file_mark("/etc/ld.so.cache")).result();
}

}  // namespace

std::string find_nvrtc_identity(DiskCache& cache) {
  const std::string name = "nvrtc-" + search_mark().hex() + ".txt";
  if (const auto known = cache.find(name)) {
    // Three lines: identity, path of the library, mark of that file.
    std::istringstream lines(*known);
    std::string identity, path, mark;
    std::getline(lines, identity);
    std::getline(lines, path);
    std::getline(lines, mark);
    if (!identity.empty() && file_mark(path) == mark) return identity;
  }
  if (!library().loaded()) return "";
  int major = 0, minor = 0;
  Nvrtc::instance().Version(&major, &minor);
  std::error_code error;
  const std::string path = std::filesystem::canonical(library().path(), error);
  const std::string mark = file_mark(path);
  const std::string identity =
      std::to_string(major) + "." + std::to_string(minor) + "+" + mark.substr(0, mark.find(' '));
  cache.store(name, identity + "\n" + path + "\n" + mark + "\n");
  return identity;
}

bool nvrtc_available() { return library().loaded(); }

std::string compile(const Program& program, std::string_view architecture) {
  return Compilation(program).run(architecture);
}

const std::string& nvrtc_identity() {
  static const std::string identity = find_nvrtc_identity(DiskCache::instance());
  return identity;
}

}  // namespace cupyxx::internal::jit
