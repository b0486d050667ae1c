// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class SafetensorsTest : public testing::DeviceTest {
 protected:
  std::string path(const std::string& name) const {
    return ::testing::TempDir() + "/cupyxx_" + (device().is_cpu() ? "cpu" : "cuda") + "_" + name +
           ".safetensors";
  }

  /// Writes a file of a header and bytes; the length is the header's unless it is given.
  std::string write(const std::string& name, const std::string& header, const std::string& data,
                    std::uint64_t length = 0) const {
    std::ofstream file(path(name), std::ios::binary);
    if (length == 0) length = header.size();
    for (int i = 0; i < 8; ++i) file.put(static_cast<char>(length >> (8 * i)));
    file << header << data;
    return path(name);
  }
};
CUPYXX_TEST_ON_DEVICES(SafetensorsTest);

TEST_P(SafetensorsTest, ArraysComeBack) {
  const ndarray w = arange(6).astype(float32).reshape({2, 3});
  const NamedArrays arrays = {{"flags", array({true, false, true})},
                              {"w", w},
                              {"turned", w.T()},
                              {"half", w.astype(float16)},
                              {"empty", zeros({0, 4}, int64)},
                              {"number", array(2.5)}};
  save_safetensors(path("all"), arrays, {{"format", "pt"}});
  const SafetensorsFile file(path("all"));
  EXPECT_EQ(file.files().size(), arrays.size());
  for (const auto& [name, a] : arrays) {
    ASSERT_TRUE(file.contains(name));
    EXPECT_EQ(file[name].device(), device());
    EXPECT_EQ(file[name].dtype(), a.dtype());
    expect_array_equal(file[name], a);
  }
  EXPECT_EQ(file.metadata().at("format"), "pt");
  std::size_t names = 0;  // of a temporary, which is gone when the loop begins
  for (const auto& name : SafetensorsFile(path("all")).files())
    names += file.contains(name) ? 1 : 0;
  EXPECT_EQ(names, file.files().size());
  EXPECT_FALSE(file.contains("other"));
  expect_error<IndexError>([&] { file["other"]; },
                           "SafetensorsFile: " + path("all") + ": there is no array 'other'");
}

// The bytes are those of the format's description: length, JSON, elements.
TEST_P(SafetensorsTest, ReadsWhatOthersWrite) {
  const std::string header = R"({"x":{"dtype":"I16","shape":[2],"data_offsets":[0,4]}})";
  const SafetensorsFile file(write("other", header, std::string("\1\0\377\377", 4)));
  expect_elements<int>(file["x"], {2}, {1, -1});
}

TEST_P(SafetensorsTest, WritesAnAlignedHeaderOfTheFormat) {
  save_safetensors(path("bytes"), {{"x", array({1, 2}).astype(uint8)}});
  std::ifstream file(path("bytes"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::string header = R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(bytes, static_cast<char>(padded.size()) + std::string(7, '\0') + padded + "\1\2");
}

TEST_P(SafetensorsTest, RefusesDamagedFiles) {
  const auto refuses = [&](const std::string& file, const std::string& what) {
    expect_error<IOError>([&] { SafetensorsFile{file}; }, "SafetensorsFile: " + file + ": " + what);
  };
  const auto entry = [](const std::string& shape, const std::string& offsets) {
    return R"({"x":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  refuses(write("huge", "{}", "", 1u << 31),
          "declares a header of 2147483648 bytes in a file of 10");
  refuses(write("json", "[1, 2", ""), "the header is no JSON object");
  refuses(write("fields", R"({"x":{"dtype":"F32"}})", ""),
          "'x' is not described by dtype, shape and data_offsets");
  refuses(write("negative", entry("[-1]", "[0,4]"), "abcd"),
          "'x' holds something else than a size; -1");
  refuses(write("size", entry("[2]", "[0,4]"), "abcd"), "'x' has 4 bytes for shape (2,) of F32");
  refuses(write("overflow", entry("[4294967296,4294967296,16]", "[0,4]"), "abcd"),
          "'x' has an impossible shape; (4294967296, 4294967296, 16)");
  refuses(write("cut", entry("[2]", "[0,8]"), "abcd"),
          "holds 4 bytes of elements, and 8 are declared");
  refuses(write("gap", entry("[1]", "[4,8]"), "abcdabcd"),
          "'x' begins at 4, where 0 would be next");
  refuses(write("backward", entry("[1]", "[8,4]"), "abcdabcd"), "'x' ends before it begins");
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST_P(SafetensorsTest, TruthValuesAreZeroOrOne) {
  const std::string file =
      write("bool", R"({"x":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})",
            std::string("\0\1x", 3));
  const std::vector<std::byte> expected = {std::byte{0}, std::byte{1}, std::byte{1}};
  EXPECT_EQ(SafetensorsFile(file)["x"].tobytes(), expected);
}

TEST_P(SafetensorsTest, HeadersMayBeDeep) {
  constexpr int kDepth = 1000000;
  const std::string deep = repeated("[", kDepth) + repeated("]", kDepth);
  const std::string start = R"({"x":{"dtype":"U8","shape":)";
  const std::string hostile = write("deep", start + deep + R"(,"data_offsets":[0,1]}})", "a");
  expect_error<IOError>(
      [&] { SafetensorsFile{hostile}; },
      "SafetensorsFile: " + hostile + ": 'x' holds something else than a size; a list");
  const std::string more = repeated(R"({"y":)", kDepth) + "1" + repeated("}", kDepth);
  const SafetensorsFile unknown(
      write("more", start + R"([1],"data_offsets":[0,1],"more":)" + more + "}}", "a"));
  expect_elements<int>(unknown["x"], {1}, {'a'});
  const std::string unclosed = write("unclosed", repeated(R"({"y":)", kDepth), "");
  expect_error<IOError>([&] { SafetensorsFile{unclosed}; },
                        "SafetensorsFile: " + unclosed + ": the header is no JSON object");
}

// Quadratic work over so many would take minutes.
TEST_P(SafetensorsTest, NamesMayBeMany) {
  constexpr int kNames = 200000;
  NamedArrays arrays;
  const DeviceScope host(Device::cpu());
  const ndarray one = ones({1}, uint8);
  for (int i = 0; i < kNames; ++i) arrays.emplace_back("array " + std::to_string(i), one);
  save_safetensors(path("many"), arrays);
  const SafetensorsFile file(path("many"));
  ASSERT_EQ(file.files().size(), arrays.size());
  for (const auto& named : arrays) ASSERT_TRUE(file.contains(named.first));
  EXPECT_EQ(file["array 199999"].item<int>(), 1);
}

TEST_P(SafetensorsTest, AreOpenedByTheNameOfThoseThatSave) {
  save_safetensors(path("named"), {{"x", array({1, 2})}});
  EXPECT_EQ(load_safetensors(path("named"))["x"].item<int>(1), 2);
  expect_error<IOError>([&] { load(path("named")); },
                        "load: " + path("named") +
                            ": not an npy file but one of safetensors; open it with "
                            "load_safetensors");
}

TEST_P(SafetensorsTest, NamesAreUtf8) {
  save_safetensors(path("names"), {{"a \"b\"\n\\ \xc3\xa4", array(1.0)}}, {{"\t", "\x01"}});
  const SafetensorsFile file(path("names"));
  EXPECT_EQ(file.files(), std::vector<std::string>{"a \"b\"\n\\ \xc3\xa4"});
  EXPECT_EQ(file.metadata().at("\t"), "\x01");
  expect_error<ValueError>(
      [&] {
        save_safetensors(path("bytes"), {{"\xff", array(1.0)}});
      },
      "save_safetensors: this text is not UTF-8; '\xff'");
  const std::string bad = write("bad", "{\"\xff\":{}}", "");
  expect_error<IOError>([&] { SafetensorsFile{bad}; },
                        "SafetensorsFile: " + bad + ": the header is no JSON object");
}

TEST_P(SafetensorsTest, RefusesHeadersThatSayTwoThings) {
  const std::string x = R"("x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  const std::string twice = write("two", "{" + x + "," + x + "}", "a");
  expect_error<IOError>([&] { SafetensorsFile{twice}; },
                        "SafetensorsFile: " + twice + ": 'x' is described twice");
  for (const char* value : {"1", "null", "[]", "\"F32\"", "true", "1.5"}) {
    const std::string file = write("value", std::string(R"({"x":)") + value + "}", "");
    expect_error<IOError>(
        [&] { SafetensorsFile{file}; },
        "SafetensorsFile: " + file + ": 'x' is not described by dtype, shape and data_offsets");
  }
}

TEST_P(SafetensorsTest, RefusesWhatTheFormatLacks) {
  expect_error<ValueError>(
      [&] {
        save_safetensors(path("twice"), {{"x", array(1.0)}, {"x", array(2.0)}});
      },
      "save_safetensors: this name is taken; 'x'");
  const std::string unknown =
      write("unknown", R"({"x":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", "a");
  const SafetensorsFile file(unknown);
  expect_error<DtypeError>([&] { file["x"]; },
                           "SafetensorsFile: " + unknown + ": 'x' has an unknown dtype; F8_E4M3");
}

}  // namespace
}  // namespace cupyxx
