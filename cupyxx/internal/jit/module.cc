// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/module.h"

#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/counters.h"
#include "cupyxx/internal/jit/headers.h"
#include "cupyxx/internal/jit/includes.h"
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

// Lowered names, one per line, an empty line, the image.
std::string pack(const ModuleImage& image) {
  std::string text;
  for (const std::string& name : image.lowered) text += name + "\n";
  return text + "\n" + image.data;
}

ModuleImage unpack(const std::string& text) {
  ModuleImage image;
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos && end != at;
       end = text.find('\n', at)) {
    image.lowered.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  image.data = at < text.size() ? text.substr(at + 1) : "";
  return image;
}

}  // namespace

ModuleImage find_module(const ModuleSource& source, std::string_view architecture,
                        DiskCache& cache) {
  const std::string& compiler = nvrtc_identity();
  if (compiler.empty()) return compile_module(source, architecture);
  const std::vector<std::string> options = module_options(source, architecture);
  Hasher hasher;
  hasher.add("module").add(compiler).add(source.text).add(included_headers(source.text).hash);
  for (const std::string& option : options) hasher.add(option);
  hasher.add(hash_of_includes(source.text, options)).add("names");
  for (const std::string& name : source.name_expressions) hasher.add(name);
  const std::string name = hasher.result().hex() + ".module";
  if (const auto known = cache.find(name)) {
    ModuleImage image = unpack(*known);
    if (image.lowered.size() == source.name_expressions.size()) {
      count_disk_hit();
      return image;
    }
  }
  ModuleImage image = compile_module(source, architecture);
  count_compiled();
  cache.store(name, pack(image));
  return image;
}

}  // namespace cupyxx::internal::jit
