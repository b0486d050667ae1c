// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/openblas.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "cupyxx/error.h"

namespace cupyxx::internal::cpu {
namespace {

// The OpenMP flavour first: the others bring a team of their own.
constexpr const char* kPaths[] = {
    "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0",
    "libopenblaso.so.0",
    "libopenblas.so.0",
    "libopenblas.so",
};

// OpenBLAS 0.3.21 takes CPUs younger than itself for ancient ones and is five times slower there.
const char* core_type() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd")) {
    return "SKYLAKEX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return __builtin_cpu_is("amd") ? "ZEN" : "HASWELL";
  }
  return nullptr;
}

void* open_library(std::string& tried) {
  for (const char* path : kPaths) {
    if (void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) return handle;
    const char* reason = dlerror();
    tried += std::string("\n  ") + (reason != nullptr ? reason : path);
  }
  return nullptr;
}

template <class F>
bool find(void* handle, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(handle, name));
  return function != nullptr;
}

template <class T>
bool find_lapack(void* handle, const std::string& letter, Lapack<T>& routines) {
  const bool is_complex = letter == "c" || letter == "z";
  const auto get = [&](const char* name, auto& function) {
    return find(handle, (letter + name + "_").c_str(), function);
  };
  return get("gesdd", routines.gesdd) && get("gelsd", routines.gelsd) &&
         get("getrf", routines.getrf) && get("getrs", routines.getrs) &&
         get("getri", routines.getri) && get("potrf", routines.potrf) &&
         get("geqrf", routines.geqrf) && get(is_complex ? "ungqr" : "orgqr", routines.orgqr) &&
         get(is_complex ? "heevd" : "syevd", routines.syevd) && get("geev", routines.geev);
}

// The buffer into which OpenBLAS packs panels. Its products fetch ahead of a panel, into pages that
// nothing has written when the panels are few: each of these fetches then looks for its page in
// vain, which made products of 300 rows a sixth slower (0.3.21, Zen). So its first pages are
// written here.
void write_packing_buffer(void* handle) {
  void* (*take)(int) = nullptr;
  void (*give_back)(void*) = nullptr;
  if (!find(handle, "blas_memory_alloc", take) || !find(handle, "blas_memory_free", give_back)) {
    return;  // another build of it, which only takes longer
  }
  constexpr std::size_t kBytes = std::size_t{4} << 20;  // both panels of every type
  constexpr std::size_t kPage = 4096;
  auto* const buffer = static_cast<volatile char*>(take(0));
  if (buffer == nullptr) return;
  madvise(const_cast<char*>(buffer), kBytes, MADV_HUGEPAGE);
  for (std::size_t i = 0; i < kBytes; i += kPage) buffer[i] = 0;
  give_back(const_cast<char*>(buffer));
}

struct Loaded {
  OpenBlas functions{};
  std::string problem;

  Loaded() {
    // Read while the library is loaded; our children need not inherit it. The user's value stays.
    constexpr const char* kVariable = "OPENBLAS_CORETYPE";
    const char* core = std::getenv(kVariable) == nullptr ? core_type() : nullptr;
    if (core != nullptr) setenv(kVariable, core, 1);
    load();
    if (core != nullptr) unsetenv(kVariable);
  }

  void load() {
    std::string tried;
    void* handle = open_library(tried);
    if (handle == nullptr) {
      problem = "OpenBLAS cannot be loaded; tried:" + tried;
      return;
    }
    char* (*corename)() = nullptr;
    if (!find(handle, "cblas_sgemm", functions.sgemm) ||
        !find(handle, "cblas_dgemm", functions.dgemm) ||
        !find(handle, "cblas_dgemv", functions.dgemv) ||
        !find(handle, "cblas_cgemm", functions.cgemm) ||
        !find(handle, "cblas_zgemm", functions.zgemm) || !find_lapack(handle, "s", functions.s) ||
        !find_lapack(handle, "d", functions.d) || !find_lapack(handle, "c", functions.c) ||
        !find_lapack(handle, "z", functions.z) ||
        !find(handle, "openblas_get_corename", corename)) {
      const char* reason = dlerror();
      problem = std::string("OpenBLAS lacks a function; ") + (reason != nullptr ? reason : "");
      return;
    }
    functions.core = corename();
    write_packing_buffer(handle);
  }
};

}  // namespace

const OpenBlas& openblas(const char* operation) {
  static const Loaded& loaded = *new Loaded;  // never destroyed: arrays may outlive main()
  if (!loaded.problem.empty()) throw Error(message(operation, ": ", loaded.problem));
  return loaded.functions;
}

}  // namespace cupyxx::internal::cpu
