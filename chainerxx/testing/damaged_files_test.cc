// SPDX-License-Identifier: MIT
// Checkpoints that are cut anywhere, with a bit of any byte turned, or that are no files at all:
// loading says so and leaves the model as it was.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
namespace fs = std::filesystem;
using cupyxx::testing::expect_error;

struct Model : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(3, 2));
  F::BatchNormalization& bn = add("bn", F::BatchNormalization(2));
};

/// One of the two kinds of files.
struct Format {
  const char* name;
  void (*save)(const std::string& path, FunctionSet& model);
  LoadReport (*load)(const std::string& path, FunctionSet& model, const LoadOptions& options);
  bool has_checksums;
};

std::ostream& operator<<(std::ostream& os, const Format& format) { return os << format.name; }

class DamagedFilesTest : public ::testing::TestWithParam<Format> {
 protected:
  DamagedFilesTest() : path_(::testing::TempDir() + "/chainerxx_damaged." + GetParam().name) {
    remember();
  }

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }
  /// The model's file as it should be.
  std::string sound() {
    GetParam().save(path_, model_);
    return read(path_);
  }
  void remember() {
    before_.clear();
    for (const NamedField& field : model_.fields()) {
      before_.push_back(field.array->to_vector<double>());
    }
  }
  bool is_unchanged() {
    std::size_t i = 0;
    for (const NamedField& field : model_.fields()) {
      if (field.array->to_vector<double>() != before_[i++]) return false;
    }
    return true;
  }
  /// Loads what a file holds; whether it could. A refusal names the file and changes nothing.
  bool loads() {
    try {
      GetParam().load(path_, model_, {});
      return true;
    } catch (const cupyxx::Error& error) {
      EXPECT_NE(std::string(error.what()).find(path_), std::string::npos) << error.what();
      EXPECT_TRUE(is_unchanged()) << error.what();
      return false;
    }
  }

  const std::string path_;
  Model model_;
  std::vector<std::vector<double>> before_;
};

TEST_P(DamagedFilesTest, CutAnywhere) {
  const std::string whole = sound();
  model_.l1.W.fill(5);
  remember();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write(whole.substr(0, length));
    ASSERT_FALSE(loads()) << "the first " << length << " of " << whole.size() << " bytes";
  }
  write(whole);
  EXPECT_TRUE(loads());
  EXPECT_FALSE(is_unchanged());
}

TEST_P(DamagedFilesTest, ABitOfAnyByteTurned) {
  const std::string whole = sound();
  int loaded = 0;
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    const std::size_t bit = byte * 5 % 8;
    std::string changed = whole;
    changed[byte] = static_cast<char>(changed[byte] ^ (1 << bit));
    write(changed);
    if (!loads()) continue;
    ++loaded;
    // Checksums let bits pass that say nothing about arrays, as the time of the file.
    ASSERT_TRUE(is_unchanged() || !GetParam().has_checksums)
        << "bit " << bit << " of byte " << byte;
    write(whole);
    ASSERT_TRUE(loads());
  }
  EXPECT_LT(loaded, static_cast<int>(whole.size()));
}

TEST_P(DamagedFilesTest, BytesBehindTheEndOrInFront) {
  const std::string whole = sound();
  for (const std::string& changed : {whole + "x", "x" + whole, whole + whole}) {
    write(changed);
    loads();
  }
  for (const char* content : {"", "\n", "PK", "PK\003\004", "{}", "not a file of arrays",
                              "\x93NUMPY", "\377\377\377\377\377\377\377\177{\"a\":1}"}) {
    write(content);
    EXPECT_FALSE(loads()) << content;
  }
}

TEST_P(DamagedFilesTest, AFolderOrNothingInPlaceOfAFile) {
  const std::string begin = ::testing::TempDir() + "/chainerxx_";
  const std::string end = std::string(".") + GetParam().name;
  const std::string folder = begin + "folder" + end, absent = begin + "absent" + end;
  fs::create_directories(folder);
  fs::remove(absent);
  for (const std::string& path : {folder, absent, std::string()}) {
    expect_error<cupyxx::IOError>([&] { GetParam().load(path, model_, {}); }, path);
    EXPECT_TRUE(is_unchanged());
  }
  expect_error<cupyxx::IOError>([&] { GetParam().save(folder, model_); }, folder);
  EXPECT_TRUE(fs::is_directory(folder));
}

TEST_P(DamagedFilesTest, WhereNothingCanBeWrittenTheOldFileStays) {
  const std::string whole = sound();
  // A file has no folder in it.
  expect_error<cupyxx::IOError>([&] { GetParam().save(path_ + "/model", model_); },
                                path_ + "/model");
  EXPECT_EQ(read(path_), whole);
  // As on a full disk, the file ends before its end.
  ::rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  ::rlimit little = limit;
  little.rlim_cur = 100;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &little);
  model_.l1.W.fill(3);
  EXPECT_THROW(GetParam().save(path_, model_), cupyxx::IOError);
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read(path_), whole);
}

std::string format_name(const ::testing::TestParamInfo<Format>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(, DamagedFilesTest,
                         ::testing::Values(Format{"npz", save_npz, load_npz, true},
                                           Format{"safetensors", save_safetensors, load_safetensors,
                                                  false}),
                         format_name);

}  // namespace
}  // namespace chainerxx
