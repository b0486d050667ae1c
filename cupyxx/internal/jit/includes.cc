// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/includes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;

// "-I folder", "-Ifolder", "--include-path=folder".
std::vector<std::string> folders_of(const std::vector<std::string>& options) {
  std::vector<std::string> folders;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::string& option = options[k];
    constexpr std::string_view kLong = "--include-path=";
    if (option.rfind(kLong, 0) == 0) {
      folders.push_back(option.substr(kLong.size()));
    } else if (option == "-I" || option == "--include-path") {
      if (k + 1 < options.size()) folders.push_back(options[++k]);
    } else if (option.rfind("-I", 0) == 0) {
      folders.push_back(option.substr(2));
    }
  }
  return folders;
}

// The names behind #include; conditions and comments are not looked at: one too many does no harm.
std::vector<std::string> included_names(std::string_view text) {
  constexpr std::string_view kInclude = "include";
  constexpr std::string_view kBlank = " \t";
  std::vector<std::string> names;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    const std::size_t word = text.find_first_not_of(kBlank, at + 1);
    if (word == std::string_view::npos || text.substr(word, kInclude.size()) != kInclude) continue;
    const std::size_t open = text.find_first_not_of(kBlank, word + kInclude.size());
    if (open == std::string_view::npos || (text[open] != '"' && text[open] != '<')) continue;
    const std::size_t end = text.find_first_of(text[open] == '"' ? "\"\n" : ">\n", open + 1);
    if (end == std::string_view::npos || text[end] == '\n') continue;
    names.emplace_back(text.substr(open + 1, end - open - 1));
  }
  return names;
}

}  // namespace

std::vector<std::string> toolkit_headers() {
  std::vector<fs::path> homes;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') homes.emplace_back(value);
  }
  // Beside the library: TOOLKIT/lib64/libnvrtc.so, TOOLKIT/targets/ARCH/lib/libnvrtc.so.
  std::error_code error;
  const fs::path library = fs::canonical(nvrtc_path(), error);
  if (!error) homes.push_back(library.parent_path().parent_path());
  homes.emplace_back("/usr/local/cuda");
  for (const fs::path& home : homes) {
    const fs::path folder = home / "include";
    if (!fs::exists(folder / "cuda_fp16.h", error)) continue;
    std::vector<std::string> folders = {folder.string()};
    // Where CUDA 13 keeps <cuda/std/...>.
    if (fs::exists(folder / "cccl", error)) folders.push_back((folder / "cccl").string());
    return folders;
  }
  return {};
}

Hash128 hash_of_includes(std::string_view text, const std::vector<std::string>& options) {
  Hasher hasher;
  const std::vector<std::string> folders = folders_of(options);
  if (folders.empty()) return hasher.result();
  const std::vector<std::string> toolkit = toolkit_headers();
  std::set<std::string> seen;
  std::vector<std::pair<std::string, fs::path>> open;  // a name, and the folder of who includes it
  for (std::string& name : included_names(text)) open.emplace_back(std::move(name), "");
  while (!open.empty()) {
    const auto [name, beside] = open.back();
    open.pop_back();
    std::vector<fs::path> places(folders.begin(), folders.end());
    if (!beside.empty()) places.insert(places.begin(), beside);
    for (const fs::path& place : places) {
      if (std::find(toolkit.begin(), toolkit.end(), place.string()) != toolkit.end()) continue;
      const fs::path path = place / name;
      std::ifstream file(path, std::ios::binary);
      if (!file) continue;
      if (!seen.insert(path.string()).second) break;
      const std::string content{std::istreambuf_iterator<char>(file), {}};
      hasher.add(name).add(content);
      for (std::string& next : included_names(content)) {
        open.emplace_back(std::move(next), path.parent_path());
      }
      break;
    }
  }
  return hasher.result();
}

}  // namespace cupyxx::internal::jit
