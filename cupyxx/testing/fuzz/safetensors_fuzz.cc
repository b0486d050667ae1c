// SPDX-License-Identifier: MIT
// safetensors files.
#include "cupyxx/io.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

void run(std::string_view bytes) {
  const std::string path = write_file("a.safetensors", bytes);
  NamedArrays arrays;
  std::map<std::string, std::string> metadata;
  bool is_whole = true;
  const bool is_open = attempt([&] {
    const SafetensorsFile file(path);
    metadata = file.metadata();
    for (const std::string& name : file.files()) {
      if (!file.contains(name)) fail("safetensors: a name of the file is not in it");
      ndarray a;
      is_whole &= attempt([&] { a = file[name]; });  // not of a dtype that we lack
      if (!a.is_none()) arrays.emplace_back(name, a);
    }
    attempt([&] { file["no such name"]; });
  });
  if (!is_open || !is_whole) return;

  const std::string again = file_path("again.safetensors");
  save_safetensors(again, arrays, metadata);
  const SafetensorsFile file(again);
  if (file.metadata() != metadata) fail("safetensors: other metadata were written");
  if (file.files().size() != arrays.size()) fail("safetensors: other names were written");
  for (const auto& [name, a] : arrays) {
    if (!equal(file[name], a)) fail("safetensors: what is written reads as another array");
  }
}

const Target safetensors("safetensors", &run);

}  // namespace
}  // namespace cupyxx::fuzz
