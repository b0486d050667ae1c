// SPDX-License-Identifier: MIT
// Shared libraries that are opened on first use, so that a binary starts without them:
//
//   static DynamicLibrary library("NVRTC", {"libnvrtc.so.13"});
//   auto version = library.symbol<decltype(&nvrtcVersion)>("nvrtcVersion");
#pragma once

#include <initializer_list>
#include <mutex>
#include <string>
#include <vector>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// A library by its sonames, the first that opens wins. Looked for where the dynamic loader looks,
/// then in `extra_dirs`, then in the CUDA toolkit: CUDA_HOME, CUDA_PATH, where it was when this was
/// built, and the usual places. Threads may share one; it is never closed.
class CUPYXX_API DynamicLibrary {
 public:
  /// Opens nothing yet. The strings must live as long as the object.
  explicit DynamicLibrary(const char* human_name, std::initializer_list<const char*> sonames,
                          std::initializer_list<const char*> extra_dirs = {});
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;

  /// Opens it on the first call; whether that worked.
  bool loaded();
  /// The file it came from; empty when it is not loaded.
  const std::string& path();
  /// Throws Error, naming the library and the paths tried, unless it is loaded.
  void require();

  /// A function by name, as a pointer of type F. Throws Error when the library or the name is
  /// missing.
  template <class F>
  F symbol(const char* name) {
    return reinterpret_cast<F>(address(name));
  }
  /// The same; null when the library or the name is missing.
  template <class F>
  F optional_symbol(const char* name) {
    return reinterpret_cast<F>(find(name));
  }

  /// Every file that loaded() would look at, in its order.
  std::vector<std::string> candidates() const;

 private:
  void open();
  bool try_open(const std::string& file);
  void* find(const char* name);
  void* address(const char* name);

  const char* human_name_;
  std::vector<const char*> sonames_;
  std::vector<const char*> extra_dirs_;
  std::once_flag once_;
  void* handle_ = nullptr;
  std::string path_;
  std::string tried_;  // what was looked for, for the error
  std::string why_;    // what the loader said of a file that exists
};

}  // namespace cupyxx::extension
