// SPDX-License-Identifier: MIT
// Full disks, limits of file sizes and kills, in every kind of save.
#include "cupyxx/testing/save_faults.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

using testing::Save;

/// Arrays of more than a page, which deflate does not make small.
ndarray numbers(std::uint64_t seed) {
  random::RandomState state(seed);
  return state.uniform({1500});
}

/// A save of two arrays, and one that loads both.
template <class Write, class Load>
Save save_of(const char* name, const char* ending, Write write, Load load) {
  return {name, ending, [=](const std::string& path) { write(path, numbers(1)); },
          [=](const std::string& path) { write(path, numbers(2)); },
          [=](const std::string& path) { EXPECT_EQ(load(path).size(), 1500) << name; }};
}

std::vector<Save> saves() {
  const auto first = [](const std::string& path) { return load_npz(path)["first"]; };
  return {
      save_of(
          "save", ".npy", [](const std::string& path, const ndarray& a) { save(path, a); },
          [](const std::string& path) { return ndarray(load(path)); }),
      save_of(
          "savez", ".npz",
          [](const std::string& path, const ndarray& a) {
            savez(path, {{"first", a}, {"second", arange(100)}});
          },
          first),
      save_of(
          "savez_compressed", ".npz",
          [](const std::string& path, const ndarray& a) {
            savez_compressed(path, {{"first", a}, {"second", arange(100)}});
          },
          first),
      save_of(
          "save_safetensors", ".safetensors",
          [](const std::string& path, const ndarray& a) {
            save_safetensors(path, {{"first", a}, {"second", arange(100)}});
          },
          [](const std::string& path) { return SafetensorsFile(path)["first"]; }),
      save_of(
          "savetxt", ".txt", [](const std::string& path, const ndarray& a) { savetxt(path, a); },
          [](const std::string& path) { return loadtxt(path); }),
      save_of(
          "tofile", ".bin", [](const std::string& path, const ndarray& a) { tofile(a, path); },
          [](const std::string& path) { return fromfile(path, float64); }),
  };
}

CUPYXX_TEST_SAVES(saves());

}  // namespace
}  // namespace cupyxx
