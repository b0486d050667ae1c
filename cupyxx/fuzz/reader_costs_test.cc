// SPDX-License-Identifier: MIT
// Readers take time and memory in proportion to what a file holds: four times the file is at most
// eight times the time (what is quadratic takes sixteen), and four times its bytes (of the file or
// of what is in it, whichever are more) are enough memory.
#include "cupyxx/fuzz/reader_costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/genfromtxt.h"
#include "cupyxx/io.h"
#include "cupyxx/safetensors.h"

namespace cupyxx::fuzz {
namespace {

const std::string kPath = ::testing::TempDir() + "/cupyxx_costs";

/// A kind of file: writes one of about so many bytes, says what it holds, reads it.
struct Kind {
  const char* name;
  double (*write)(const std::string& path, std::int64_t bytes);
  void (*read)(const std::string& path);
};
std::ostream& operator<<(std::ostream& os, const Kind& kind) { return os << kind.name; }

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

double write_header(const std::string& path, std::string text) {
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

class ReaderCostsTest : public ::testing::TestWithParam<Kind> {};

TEST_P(ReaderCostsTest, AreLinear) {
  double seconds[2] = {};
  for (const int factor : {1, 4}) {
    const std::int64_t bytes = std::int64_t{factor} << 22;
    const double inside = GetParam().write(kPath, bytes);
    const double held = std::max(inside, static_cast<double>(std::filesystem::file_size(kPath)));
    const Cost cost = cost_of([] { GetParam().read(kPath); });
    ASSERT_TRUE(cost.is_sound);
    // Beside the file's: code that is touched for the first time, and buffers.
    EXPECT_LE(cost.bytes, 4 * held + 4e6) << "of a file that holds " << held << " bytes";
    seconds[factor == 4] = cost.seconds;
  }
  std::filesystem::remove(kPath);
  EXPECT_LE(seconds[1], 8 * seconds[0] + 0.05);
}

INSTANTIATE_TEST_SUITE_P(, ReaderCostsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cupyxx::fuzz
