// SPDX-License-Identifier: MIT
// npy files: from memory, from a stream, from a file, mapped.
#include <sstream>

#include "cupyxx/io.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

void run(std::string_view bytes) {
  ndarray a;
  const bool is_read = attempt([&] { a = loads(bytes); });

  // A stream has no end that is known before; it may end later.
  ndarray streamed;
  std::istringstream stream{std::string(bytes)};
  // Archives are read as well; they are no array.
  const bool is_streamed = attempt([&] { streamed = load(stream); }) && !streamed.is_none();
  if (is_streamed != is_read) {
    fail("npy: a stream and memory disagree whether there is an array");
  }

  const std::string path = write_file("a.npy", bytes);
  ndarray loaded, mapped;
  const bool is_file = attempt([&] { loaded = load(path); });
  if (is_read && !is_file) fail("npy: memory holds an array, the file does not");
  if (is_file && !loaded.is_none() && is_read && !equal(a, loaded)) fail("npy: two arrays");
  if (attempt([&] { mapped = load(path, {.mmap_mode = "c"}); }) && is_read && !equal(mapped, a)) {
    fail("npy: the mapped array is another one");
  }
  mapped = {};

  if (!is_read) {
    if (!a.is_none() || !streamed.is_none()) fail("npy: a failure gave an array");
    return;
  }
  if (!equal(a, streamed)) fail("npy: the streamed array is another one");
  if (!equal(a, loads(dumps(a)))) fail("npy: what is written reads as another array");
}

const Target npy("npy", &run);

}  // namespace
}  // namespace cupyxx::fuzz
