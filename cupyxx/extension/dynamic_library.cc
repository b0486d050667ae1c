// SPDX-License-Identifier: MIT
#include "cupyxx/extension/dynamic_library.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx_cuda_location.h"

namespace cupyxx::extension {
namespace {

void add_once(std::vector<std::string>& list, const std::string& entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

// Folders of libraries in every toolkit that may be installed.
std::vector<std::string> toolkit_folders() {
  std::vector<std::string> homes;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(name);
    if (value && *value) add_once(homes, value);
  }
  for (const char* home : {CUPYXX_CUDA_HOME, "/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"}) {
    if (*home) add_once(homes, home);
  }
  std::vector<std::string> folders;
  for (const std::string& home : homes) {
    for (const char* folder : {"/lib64", "/lib", "/targets/x86_64-linux/lib"}) {
      folders.push_back(home + folder);
    }
  }
  return folders;
}

// What the dynamic loader searches for this program: run paths, LD_LIBRARY_PATH, system folders.
std::vector<std::string> loader_folders() {
  std::vector<std::string> folders;
  void* self = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size;
  if (self && dlinfo(self, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<char> buffer(size.dls_size);
    auto* info = reinterpret_cast<Dl_serinfo*>(buffer.data());
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, info) == 0 && dlinfo(self, RTLD_DI_SERINFO, info) == 0) {
      for (unsigned i = 0; i < info->dls_cnt; ++i) add_once(folders, info->dls_serpath[i].dls_name);
    }
  }
  if (self) dlclose(self);
  return folders;
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* human_name, std::initializer_list<const char*> sonames,
                               std::initializer_list<const char*> extra_dirs)
    : human_name_(human_name), sonames_(sonames), extra_dirs_(extra_dirs) {}

std::vector<std::string> DynamicLibrary::candidates() const {
  std::vector<std::string> files;
  for (const std::string& folder : loader_folders()) {
    for (const char* soname : sonames_) add_once(files, folder + "/" + soname);
  }
  for (const char* folder : extra_dirs_) {
    for (const char* soname : sonames_) add_once(files, std::string(folder) + "/" + soname);
  }
  for (const std::string& folder : toolkit_folders()) {
    for (const char* soname : sonames_) add_once(files, folder + "/" + soname);
  }
  return files;
}

bool DynamicLibrary::try_open(const std::string& file) {
  tried_ += "\n  " + file;
  const bool is_path = file.find('/') != std::string::npos;
  if (is_path && access(file.c_str(), F_OK) != 0) return false;
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    const char* reason = dlerror();
    if (is_path && reason && why_.empty()) why_ = reason;
    return false;
  }
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map) path_ = map->l_name;
  if (path_.empty()) path_ = file;
  if (internal::logs(internal::LogLevel::info))
    internal::log_line("library %s: opened %s", human_name_, path_.c_str());
  return true;
}

void DynamicLibrary::open() {
  for (const char* soname : sonames_) {
    if (try_open(soname)) return;
  }
  std::vector<std::string> folders(extra_dirs_.begin(), extra_dirs_.end());
  for (const std::string& folder : toolkit_folders()) folders.push_back(folder);
  for (const std::string& folder : folders) {
    for (const char* soname : sonames_) {
      if (try_open(folder + "/" + soname)) return;
    }
  }
}

bool DynamicLibrary::loaded() {
  std::call_once(once_, [this] {
    open();
    if (!handle_ && internal::logs(internal::LogLevel::info))
      internal::log_line("library %s: not found", human_name_);
  });
  return handle_ != nullptr;
}

const std::string& DynamicLibrary::path() {
  loaded();
  return path_;
}

void DynamicLibrary::require() {
  if (loaded()) return;
  throw Error(message(human_name_, ": the library cannot be loaded",
                      why_.empty() ? "" : message(": ", why_), "; tried:", tried_));
}

void* DynamicLibrary::find(const char* name) { return loaded() ? dlsym(handle_, name) : nullptr; }

void* DynamicLibrary::address(const char* name) {
  require();
  void* found = find(name);
  if (!found) {
    throw Error(message(human_name_, ": the function ", name, " is missing; in ", path_));
  }
  return found;
}

}  // namespace cupyxx::extension
