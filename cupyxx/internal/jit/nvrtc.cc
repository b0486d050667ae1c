// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/nvrtc.h"

#include <nvrtc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "cupyxx/error.h"
#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/hash.h"
#include "cupyxx/internal/jit/headers.h"
#include "cupyxx/internal/jit/module.h"
#include "cupyxx/internal/jit/numbered.h"

namespace cupyxx::internal::jit {
namespace {

extension::DynamicLibrary& library() {
  static extension::DynamicLibrary& nvrtc =
      *new extension::DynamicLibrary("NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
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
  CUPYXX_NVRTC(GetPTXSize);
  CUPYXX_NVRTC(GetPTX);
  CUPYXX_NVRTC(AddNameExpression);
  CUPYXX_NVRTC(GetLoweredName);
  CUPYXX_NVRTC(GetErrorString);
#undef CUPYXX_NVRTC

  static const Nvrtc& instance() {
    static const Nvrtc table;
    return table;
  }
};

// One source on its way through NVRTC; `Source` is a Program or a ModuleSource.
template <class Source>
class Compilation {
 public:
  explicit Compilation(const Source& source) : source_(source) {
    std::vector<const char*> texts, names;
    for (const DeviceText* header : included_headers(source.text).headers) {
      texts.push_back(header->text);
      names.push_back(header->name);
    }
    check(nvrtc_.CreateProgram(&handle_, source.text.c_str(), source.name.c_str(),
                               static_cast<int>(names.size()), texts.data(), names.data()),
          "nvrtcCreateProgram");
  }
  ~Compilation() { nvrtc_.DestroyProgram(&handle_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  void add_name(const std::string& expression) {
    check(nvrtc_.AddNameExpression(handle_, expression.c_str()), "nvrtcAddNameExpression");
  }
  void run(const std::vector<std::string>& options, std::string_view architecture) {
    std::vector<const char*> list;
    for (const std::string& option : options) list.push_back(option.c_str());
    const nvrtcResult result =
        nvrtc_.CompileProgram(handle_, static_cast<int>(list.size()), list.data());
    if (result != NVRTC_SUCCESS) fail(result, architecture);
  }
  // Machine code, or PTX where the architecture is a virtual one.
  std::string image() {
    std::size_t size = 0;
    const bool has_cubin = nvrtc_.GetCUBINSize(handle_, &size) == NVRTC_SUCCESS && size != 0;
    if (!has_cubin) check(nvrtc_.GetPTXSize(handle_, &size), "nvrtcGetPTXSize");
    std::string data(size, '\0');
    if (has_cubin) {
      check(nvrtc_.GetCUBIN(handle_, data.data()), "nvrtcGetCUBIN");
    } else {
      check(nvrtc_.GetPTX(handle_, data.data()), "nvrtcGetPTX");
    }
    return data;
  }
  std::string lowered(const std::string& expression) {
    const char* name = nullptr;
    check(nvrtc_.GetLoweredName(handle_, expression.c_str(), &name), "nvrtcGetLoweredName");
    return name;
  }

 private:
  void check(nvrtcResult result, const char* call) {
    if (result == NVRTC_SUCCESS) return;
    throw CompileError(
        message(source_.name, ": ", call, " failed; ", nvrtc_.GetErrorString(result)));
  }
  [[noreturn]] void fail(nvrtcResult result, std::string_view architecture) {
    std::size_t size = 0;
    nvrtc_.GetProgramLogSize(handle_, &size);
    std::string log(size, '\0');
    if (size > 0) nvrtc_.GetProgramLog(handle_, log.data());
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    throw CompileError(
        message(source_.name, ": the source does not compile; ", architecture, ", ",
                nvrtc_.GetErrorString(result), "\n", log, "\n",
                numbered(source_.text, error_line(log, message(source_.name, "(")))));
  }

  const Nvrtc& nvrtc_ = Nvrtc::instance();
  const Source& source_;
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
  Compilation compilation(program);
  compilation.run(compile_options(program, architecture), architecture);
  return compilation.image();
}

ModuleImage compile_module(const ModuleSource& source, std::string_view architecture) {
  Compilation compilation(source);
  for (const std::string& name : source.name_expressions) compilation.add_name(name);
  compilation.run(module_options(source, architecture), architecture);
  ModuleImage result;
  result.data = compilation.image();
  for (const std::string& name : source.name_expressions) {
    result.lowered.push_back(compilation.lowered(name));
  }
  return result;
}

std::string nvrtc_path() {
  for (const std::string& file : library().candidates()) {
    if (::access(file.c_str(), R_OK) == 0) return file;
  }
  return "";
}

const std::string& nvrtc_identity() {
  static const std::string identity = find_nvrtc_identity(DiskCache::instance());
  return identity;
}

}  // namespace cupyxx::internal::jit
