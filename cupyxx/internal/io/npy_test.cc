// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/npy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/zip_reader.h"

namespace cupyxx::internal::io {
namespace {

const std::string kFolder = "cupyxx/testing/testdata/npy/";

std::string file_bytes(const std::string& name) {
  std::ifstream file(kFolder + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

nlohmann::json samples() { return nlohmann::json::parse(file_bytes("files.json")); }

struct Array {
  NpyHeader header;
  std::string elements;
};

Array read(ByteSource& source) {
  Array array{read_npy_header(source), {}};
  array.elements.resize(array.header.nbytes);
  read_npy_elements(source, array.header, array.elements.data());
  return array;
}

/// The elements in C order.
std::string in_c_order(const Array& array) {
  if (!array.header.fortran_order) return array.elements;
  const auto& shape = array.header.shape;
  const auto itemsize = static_cast<std::size_t>(array.header.dtype.itemsize());
  std::string result;
  for (std::size_t i = 0; i < array.elements.size() / itemsize; ++i) {
    std::size_t left = i;
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index[axis] = left % static_cast<std::size_t>(shape[axis]);
      left /= static_cast<std::size_t>(shape[axis]);
    }
    std::size_t offset = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      offset = offset * static_cast<std::size_t>(shape[axis]) + index[axis];
    }
    result += array.elements.substr(offset * itemsize, itemsize);
  }
  return result;
}

std::string defect_of(const std::string& bytes) {
  MemorySource source("f", bytes);
  try {
    read(source);
  } catch (const IOError& error) {
    return error.what();
  }
  return "";
}

std::string with_header(const std::string& dictionary) {
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(dictionary.size() & 0xff);
  bytes += static_cast<char>(dictionary.size() >> 8);
  return bytes + dictionary;
}

TEST(Npy, ReadsEverySampleOfNumPy) {
  const ZipReader reference(kFolder + "reference.npz");
  std::map<std::string, const ZipEntry*> entries;
  for (const ZipEntry& entry : reference.entries()) entries[entry.name] = &entry;
  int read_count = 0;
  const nlohmann::json all = samples();
  for (const auto& sample : all["npy"]) {
    const std::string name = sample["file"];
    const std::string bytes = file_bytes(name);
    MemorySource source(name, bytes);
    if (sample.value("unsupported", false)) {
      EXPECT_NE(defect_of(bytes).find("not supported"), std::string::npos) << name;
      continue;
    }
    const Array array = read(source);
    EXPECT_EQ(array.header.shape, sample["shape"].get<std::vector<std::int64_t>>()) << name;
    EXPECT_EQ(array.header.fortran_order, sample.value("fortran", false) || name == "v2_f_be.npy")
        << name;
    const std::string key = sample["key"].get<std::string>() + ".npy";
    const auto expected_source = reference.open(*entries.at(key));
    const Array expected = read(*expected_source);
    EXPECT_EQ(array.header.dtype, expected.header.dtype) << name;
    EXPECT_EQ(in_c_order(array), expected.elements) << name;
    ++read_count;
  }
  EXPECT_GE(read_count, 75);
}

TEST(Npy, WritesTheBytesOfNumPy) {
  const nlohmann::json all = samples();
  for (const auto& sample : all["npy"]) {
    const std::string name = sample["file"];
    if (sample.value("unsupported", false) || sample.value("big_endian", false) ||
        sample.contains("version") || name.starts_with("v2_")) {
      continue;
    }
    const std::string bytes = file_bytes(name);
    MemorySource source(name, bytes);
    const Array array = read(source);
    EXPECT_EQ(npy_header(array.header.dtype, array.header.shape, array.header.fortran_order) +
                  array.elements,
              bytes)
        << name;
  }
}

TEST(Npy, LeavesRoomForTheGrowingAxisAsNumPy) {
  // 10 bytes before, 95 of text, 20 of room, the newline: 126. Three more exceed 128.
  EXPECT_EQ(npy_header(float32, std::vector<std::int64_t>(14, 1), false).size(), 128u);
  EXPECT_EQ(npy_header(float32, std::vector<std::int64_t>(15, 1), false).size(), 192u);
}

TEST(Npy, WritesVersion2ForLongHeaders) {
  const std::vector<std::int64_t> shape(30000, 1);
  const std::string bytes = npy_header(float64, shape, true);
  EXPECT_EQ(bytes.substr(6, 2), std::string("\x02\0", 2));
  EXPECT_EQ(bytes.size() % 64, 0u);
  EXPECT_EQ(bytes.back(), '\n');
}

TEST(Npy, NamesTheDefectOfADamagedFile) {
  const std::map<std::string, std::string> texts = {
      {"bad_magic.npy", "load: f: not an npy file; the magic bytes are wrong"},
      {"bad_version.npy", "load: f: unknown version of the npy format; 9.0"},
      {"bad_truncated_data.npy",
       "load: f: truncated data; shape (2, 3) of float32 needs 24 bytes, 19 found"},
      {"bad_truncated_header.npy", "load: f: truncated header; 118 bytes expected, 30 found"},
      {"bad_empty_file.npy", "load: f: not an npy file; it has 0 bytes"},
      {"bad_dtype.npy", "load: f: the dtype is not supported; '<f9'"},
      {"bad_negative_shape.npy", "load: f: the shape has a negative extent; (-2, 3)"},
      {"bad_huge_shape.npy",
       "load: f: truncated data; shape (99999999, 999999999) of float32 needs"},
      {"bad_header_not_dict.npy", "load: f: the header is not a dictionary"},
      {"bad_object_dtype.npy", "load: f: arrays of Python objects are not supported; '|O'"},
      {"bad_missing_key.npy", "load: f: the header has an unknown key; 'shapx'"},
      {"bad_header_length.npy", "load: f: truncated header; 65535 bytes expected, 142 found"},
  };
  int tested = 0;
  const nlohmann::json all = samples();
  for (const auto& sample : all["bad"]) {
    const std::string name = sample["file"];
    if (!name.ends_with(".npy")) continue;
    ASSERT_TRUE(texts.contains(name)) << name;
    EXPECT_EQ(defect_of(file_bytes(name)).substr(0, texts.at(name).size()), texts.at(name)) << name;
    ++tested;
  }
  EXPECT_EQ(tested, 12);
}

TEST(Npy, RejectsHeadersThatAreNoLiteral) {
  const std::string tail = ", 'fortran_order': False, 'shape': (2,)}";
  EXPECT_NE(defect_of(with_header("{'descr': [('a', '<f4'), ('b', '<f4')]" + tail))
                .find("records are not supported"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header("{'descr': [('a', '<f4'" + tail)).find("cannot be parsed"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header("{'descr': '<f4")).find("expected a string at byte"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header("{'descr': '<f4'}")).find("lacks a key; 'fortran_order'"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header("{'descr': '<f4'" + tail + " x")).find("after the dictionary"),
            std::string::npos);
  const std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  EXPECT_NE(defect_of(with_header(head + "(3)}")).find("not a tuple"), std::string::npos);
  EXPECT_NE(defect_of(with_header(head + "(99999999999999999999,)}")).find("64 bits"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header(head + "(4611686018427387904, 4)}")).find("64 bits"),
            std::string::npos);
  EXPECT_NE(defect_of(with_header(head + "(0, 4611686018427387904, 4)}")).find("64 bits"),
            std::string::npos);
  std::string axes;
  for (int i = 0; i < 33; ++i) axes += "1, ";
  EXPECT_NE(defect_of(with_header(head + "(" + axes + ")}")).find("the rank is above 32; 33"),
            std::string::npos);
}

TEST(Npy, NeverReadsBeyondAnyCutOfAFile) {
  const std::string bytes = file_bytes("c_float32.npy");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(defect_of(bytes.substr(0, size)).empty()) << size;
  }
}

TEST(Npy, SurvivesEveryFlippedByteOfTheHeader) {
  const std::string bytes = file_bytes("c_float32.npy");
  for (std::size_t i = 0; i < 128; ++i) {
    for (const int flip : {1, 2, 16, 128, 255}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      defect_of(changed);  // an array or an IOError; anything else ends the test
    }
  }
}

TEST(Npy, ReadsBoolsOfAnyByteAsTrue) {
  std::string bytes = file_bytes("c_bool.npy");
  bytes.back() = 7;
  MemorySource source("f", bytes);
  EXPECT_EQ(read(source).elements.back(), 1);
}

TEST(Npy, HasNoCodeForTypesThatNumPyLacks) {
  EXPECT_THROW(npy_header(bfloat16_, {}, false), TypeError);
}

}  // namespace
}  // namespace cupyxx::internal::io
