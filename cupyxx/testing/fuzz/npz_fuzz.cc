// SPDX-License-Identifier: MIT
// npz archives, stored and deflated.

#include "cupyxx/io.h"
#include "cupyxx/testing/fuzz/target.h"
#include "cupyxx/testing/fuzz/zip_checksums.h"

namespace cupyxx::fuzz {
namespace {

void run(std::string_view bytes) {
  const std::string path = write_file("a.npz", bytes);
  NamedArrays arrays;
  bool is_whole = true;
  const bool is_open = attempt([&] {
    const NpzFile file = load_npz(path);
    for (const std::string& name : file.files()) {
      if (!file.contains(name)) fail("npz: a name of the archive is not in it");
      ndarray a;
      is_whole &= attempt([&] { a = file[name]; });
      if (!a.is_none()) arrays.emplace_back(name, a);
    }
    attempt([&] { file["no such name"]; });
  });
  if (!is_open || !is_whole) return;

  // Names that repeat cannot be written; neither can those that are no file's.
  attempt([&] {
    const std::string again = file_path("again.npz");
    if (bytes.size() % 2 == 0) {
      savez(again, arrays);
    } else {
      savez_compressed(again, arrays);
    }
    const NpzFile file = load_npz(again);
    if (file.files().size() != arrays.size()) fail("npz: other names were written");
    for (const auto& [name, a] : arrays) {
      if (!equal(file[name], a)) fail("npz: what is written reads as another array");
    }
  });
}

const Target npz("npz", &run, &repair_checksums);

}  // namespace
}  // namespace cupyxx::fuzz
