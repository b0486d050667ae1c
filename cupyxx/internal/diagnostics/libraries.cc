// SPDX-License-Identifier: MIT
#include "cupyxx/internal/diagnostics/libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "cupyxx/extension/dynamic_library.h"

namespace cupyxx::internal {
namespace {

// How a loaded library tells its version.
enum class Asks { nothing, size_t_result, int_out, two_ints_out };

struct Known {
  const char* name;
  std::initializer_list<const char*> sonames;
  const char* function;
  Asks asks;
};

const Known kKnown[] = {
    {"NCCL", {"libnccl.so.2"}, "ncclGetVersion", Asks::int_out},
    {"NVRTC",
     {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
     "nvrtcVersion",
     Asks::two_ints_out},
    {"OpenBLAS", {"libopenblas.so.0"}, nullptr, Asks::nothing},
    {"cuBLASLt",
     {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
     "cublasLtGetVersion",
     Asks::size_t_result},
    {"cuDNN",
     {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"},
     "cudnnGetVersion",
     Asks::size_t_result},
    {"cuFFT",
     {"libcufft.so.12", "libcufft.so.11", "libcufft.so"},
     "cufftGetVersion",
     Asks::int_out},
    {"cuRAND", {"libcurand.so.10"}, "curandGetVersion", Asks::int_out},
    {"cuSOLVER",
     {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"},
     "cusolverGetVersion",
     Asks::int_out},
};

std::string ask(void* library, const Known& known) {
  void* function = known.function != nullptr ? dlsym(library, known.function) : nullptr;
  if (function == nullptr) return "";
  int major = 0, minor = 0;
  switch (known.asks) {
    case Asks::size_t_result:
      return std::to_string(reinterpret_cast<std::size_t (*)()>(function)());
    case Asks::int_out:
      return reinterpret_cast<int (*)(int*)>(function)(&major) == 0 ? std::to_string(major) : "";
    case Asks::two_ints_out:
      if (reinterpret_cast<int (*)(int*, int*)>(function)(&major, &minor) != 0) return "";
      return std::to_string(major) + "." + std::to_string(minor);
    case Asks::nothing:
      break;
  }
  return "";
}

// "13.0.88" of libnvrtc.so.13.0.88.
std::string version_of_file(const std::string& path) {
  const std::size_t at = path.rfind(".so.");
  return at == std::string::npos ? "" : path.substr(at + 4);
}

std::string resolved(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

LibraryInfo describe(const Known& known) {
  LibraryInfo info{.name = known.name, .version = {}, .path = {}};
  for (const char* soname : known.sonames) {
    void* handle = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    info.loaded = true;
    info.version = ask(handle, known);
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) {
      info.path = resolved(map->l_name);
    }
    dlclose(handle);
    if (info.version.empty()) info.version = version_of_file(info.path);
    return info;
  }
  extension::DynamicLibrary library(known.name, known.sonames,
                                    {"/usr/lib/x86_64-linux-gnu/openblas-openmp"});
  for (const std::string& file : library.candidates()) {
    if (access(file.c_str(), R_OK) != 0) continue;
    info.path = resolved(file);
    info.version = version_of_file(info.path);
    break;
  }
  return info;
}

}  // namespace

std::vector<LibraryInfo> describe_libraries() {
  std::vector<LibraryInfo> found;
  for (const Known& known : kKnown) found.push_back(describe(known));
  return found;
}

}  // namespace cupyxx::internal
