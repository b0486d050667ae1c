// SPDX-License-Identifier: MIT
// Readers take time and memory in proportion to what a file holds.
#include "cupyxx/testing/fuzz/reader_costs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"

namespace cupyxx::fuzz {
namespace {

double write_text(const std::string& path, std::int64_t bytes, const std::string& line,
                  double held_per_line) {
  std::ofstream file(path);
  const std::int64_t lines = bytes / static_cast<std::int64_t>(line.size());
  for (std::int64_t i = 0; i < lines; ++i) file << line;
  return held_per_line * static_cast<double>(lines);
}

/// Many arrays of one element: the names are what is read.
NamedArrays small_arrays(std::int64_t count) {
  NamedArrays arrays;
  for (std::int64_t i = 0; i < count; ++i) {
    arrays.emplace_back("array_" + std::to_string(i), ones({1}, float32));
  }
  return arrays;
}

template <class File>
void read_all(const std::string& path) {
  const File file(path);
  std::vector<ndarray> arrays;
  for (const std::string& name : file.files()) arrays.push_back(file[name]);
}

double write_header(const std::string& path, const std::string& text) {
  const std::uint64_t length = text.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), sizeof length);
  file << text;
  return 0;
}

const Kind kKinds[] = {
    {"npy",
     [](const std::string& path, std::int64_t bytes) {
       dump(ones({bytes / 8}), path);
       return 0.0;
     },
     [](const std::string& path) { load(path); }},
    {"npyBigEndianFortran",
     [](const std::string& path, std::int64_t bytes) {
       std::string text = dumps(ones({4, bytes / 32}).copy(Order::F));
       text.replace(text.find("'<f8'"), 5, "'>f8'");
       std::ofstream(path, std::ios::binary) << text;
       return 0.0;
     },
     [](const std::string& path) { load(path); }},
    {"npz",
     [](const std::string& path, std::int64_t bytes) {
       dump(ones({1}), path);  // a name without ".npz"
       std::ofstream file(path, std::ios::binary);
       savez(file, {{"a", ones({bytes / 16})}, {"b", ones({bytes / 16})}});
       return 0.0;
     },
     [](const std::string& path) { read_all<NpzFile>(path); }},
    {"npzDeflated",
     [](const std::string& path, std::int64_t bytes) {
       std::ofstream file(path, std::ios::binary);
       savez_compressed(file, {{"a", ones({bytes / 8})}});
       return static_cast<double>(bytes);
     },
     [](const std::string& path) { read_all<NpzFile>(path); }},
    {"npzManyNames",
     [](const std::string& path, std::int64_t bytes) {
       std::ofstream file(path, std::ios::binary);
       savez(file, small_arrays(bytes / 400));
       return 0.0;
     },
     [](const std::string& path) { NpzFile file(path); }},
    {"safetensors",
     [](const std::string& path, std::int64_t bytes) {
       save_safetensors(path, {{"a", ones({bytes / 16})}, {"b", ones({bytes / 16})}});
       return 0.0;
     },
     [](const std::string& path) { read_all<SafetensorsFile>(path); }},
    {"safetensorsManyNames",
     [](const std::string& path, std::int64_t bytes) {
       save_safetensors(path, small_arrays(bytes / 80));
       // A name, a shape and its places are some 200 bytes as a row of a table.
       return static_cast<double>(bytes) / 80 * 200;
     },
     [](const std::string& path) { SafetensorsFile file(path); }},
    {"safetensorsDeep",
     [](const std::string& path, std::int64_t bytes) {
       return write_header(path, std::string(static_cast<std::size_t>(bytes), '['));
     },
     [](const std::string& path) {
       try {
         SafetensorsFile file(path);
       } catch (const Error&) {
       }
     }},
    {"loadtxt",
     [](const std::string& path, std::int64_t bytes) {
       return write_text(path, bytes, "1 2 3 4 5 6 7 8\n", 64);
     },
     [](const std::string& path) { loadtxt(path); }},
    {"loadtxtComments",
     [](const std::string& path, std::int64_t bytes) {
       return write_text(path, bytes, "# none\n", 0);
     },
     [](const std::string& path) { loadtxt(path); }},
    {"genfromtxt",
     [](const std::string& path, std::int64_t bytes) {
       return write_text(path, bytes, "1 2 3 4 5 6 7 8\n", 64);
     },
     [](const std::string& path) { genfromtxt(path); }},
    {"genfromtxtRagged",
     [](const std::string& path, std::int64_t bytes) {
       return write_text(path, bytes, "1 2 3 4 5 6 7 8\n1 2\n", 64);
     },
     [](const std::string& path) {
       try {
         genfromtxt(path);
       } catch (const Error&) {
       }
     }},
    {"fromfileText",
     [](const std::string& path, std::int64_t bytes) {
       return write_text(path, bytes, "1,2,3,4,", 32);
     },
     [](const std::string& path) { fromfile(path, {.sep = ","}); }},
};

TEST_P(ReaderCostsTest, AreLinear) { expect_linear(); }

INSTANTIATE_TEST_SUITE_P(, ReaderCostsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cupyxx::fuzz
