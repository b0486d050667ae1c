// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/idx_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "cupyxx/error.h"

namespace chainerxx::datasets {
namespace {

// NOLINTNEXTLINE(misc-unused-using-decls): clang-tidy 14 overlooks literals.
using std::string_literals::operator""s;

// Two images of 2 x 3 pixels.
const std::string kImages = "\x00\x00\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03"s + "abcdefuvwxyz";
const std::string kLabels = "\x00\x00\x08\x01\0\0\0\x02\x07\x03"s;

class IdxFileTest : public ::testing::Test {
 public:
  IdxFileTest()
      : folder_(::testing::TempDir() + "/idx_" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~IdxFileTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
    return folder_ + "/" + name;
  }
  std::string write_gz(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ + "/" + name;
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path;
  }

  template <class Call>
  void expect_error(Call&& call, const std::string& text) const {
    try {
      call();
      ADD_FAILURE() << "nothing was thrown; expected: " << text;
    } catch (const cupyxx::IOError& error) {
      EXPECT_EQ(error.what(), folder_ + "/" + text);
    }
  }

  std::string folder_;
};

TEST_F(IdxFileTest, ReadsPlainFile) {
  const IdxFile file = read_idx(write("f", kImages), 3);
  EXPECT_EQ(file.shape, (std::vector<std::int64_t>{2, 2, 3}));
  EXPECT_EQ(std::string(file.bytes.begin(), file.bytes.end()), "abcdefuvwxyz");
}

TEST_F(IdxFileTest, ReadsCompressedFileWhateverItsName) {
  const IdxFile file = read_idx(write_gz("f", kLabels), 1);
  EXPECT_EQ(file.shape, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(file.bytes, (std::vector<std::uint8_t>{7, 3}));
}

TEST_F(IdxFileTest, ReadsEmptyFile) {
  const IdxFile file = read_idx(write("f", "\x00\x00\x08\x01\0\0\0\0"s), 1);
  EXPECT_EQ(file.shape, (std::vector<std::int64_t>{0}));
  EXPECT_TRUE(file.bytes.empty());
}

TEST_F(IdxFileTest, NamesMissingFile) {
  expect_error([&] { read_idx(folder_ + "/none", 3); },
               "none: cannot be read: No such file or directory");
  std::filesystem::create_directory(folder_ + "/sub");
  expect_error([&] { read_idx(folder_ + "/sub", 3); }, "sub: cannot be read: Is a directory");
}

TEST_F(IdxFileTest, DoesNotWaitForPipes) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_error([&] { read_idx(path, 3); }, "pipe: cannot be read: it is no regular file");
}

TEST_F(IdxFileTest, RejectsOtherMagicNumbers) {
  const std::string text = write("text.gz", "hello, world");
  expect_error([&] { read_idx(text, 3); },
               "text.gz: is not an IDX file: its magic number is 0x68656c6c");
  const std::string labels = write("labels", kLabels);
  expect_error([&] { read_idx(labels, 3); },
               "labels: holds no unsigned bytes of rank 3: its magic number is 0x00000801, not "
               "0x00000803");
  const std::string floats = write("floats", "\x00\x00\x0d\x01\0\0\0\0"s);
  expect_error([&] { read_idx(floats, 1); },
               "floats: holds no unsigned bytes of rank 1: its magic number is 0x00000d01, not "
               "0x00000801");
}

TEST_F(IdxFileTest, RejectsCutOffFiles) {
  const std::string empty = write("empty", "");
  expect_error([&] { read_idx(empty, 3); }, "empty: is cut off: shorter than its magic number");
  const std::string header = write("header", kImages.substr(0, 10));
  expect_error([&] { read_idx(header, 3); }, "header: is cut off within its header");
  const std::string body = write("body", kImages.substr(0, kImages.size() - 5));
  expect_error([&] { read_idx(body, 3); }, "body: is cut off: it holds 7 of 12 bytes");
}

TEST_F(IdxFileTest, RejectsSurplusBytes) {
  const std::string path = write("f", kLabels + "!");
  expect_error([&] { read_idx(path, 1); }, "f: holds more than the 2 bytes of its header");
}

TEST_F(IdxFileTest, RejectsAbsurdExtents) {
  const std::string path =
      write("f", "\x00\x00\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s);
  expect_error([&] { read_idx(path, 3); }, "f: its header asks for more than 68719476736 bytes");
  const std::string large = write("g", "\x00\x00\x08\x01\xff\xff\xff\xff"s + "ab");
  expect_error([&] { read_idx(large, 1); }, "g: is cut off: it holds 2 of 4294967295 bytes");
}

TEST_F(IdxFileTest, RejectsDamagedCompression) {
  std::string noise(100000, '\0');
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const std::string whole = write_gz("whole", "\x00\x00\x08\x01\x00\x01\x86\xa0"s + noise);
  ASSERT_EQ(read_idx(whole, 1).bytes.size(), noise.size());

  std::ifstream in(whole, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::string half = write("half.gz", bytes.substr(0, bytes.size() / 2));
  expect_error([&] { read_idx(half, 1); },
               "half.gz: is cut off: the compressed data end too early");
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  const std::string damaged = write("damaged.gz", bytes);
  expect_error([&] { read_idx(damaged, 1); }, "damaged.gz: is damaged: incorrect data check");
}

TEST_F(IdxFileTest, FindsPartsWithAndWithoutCompression) {
  write_gz("train-images-idx3-ubyte.gz", kImages);
  write("train-labels-idx1-ubyte", kLabels);
  const LabelledImages data = read_labelled_images(folder_, "train", 10);
  EXPECT_EQ(data.count(), 2);
  EXPECT_EQ(data.pixels(), 6);
  expect_error([&] { read_labelled_images(folder_, "t10k", 10); },
               "t10k-images-idx3-ubyte.gz: no such file, neither compressed nor plain");
}

TEST_F(IdxFileTest, RejectsPartsThatDoNotBelongTogether) {
  write("train-images-idx3-ubyte", kImages);
  write("train-labels-idx1-ubyte", "\x00\x00\x08\x01\0\0\0\x03\x07\x03\x01"s);
  expect_error([&] { read_labelled_images(folder_, "train", 10); },
               "train-labels-idx1-ubyte: holds 3 labels, but " + folder_ +
                   "/train-images-idx3-ubyte 2 images");
  write("train-labels-idx1-ubyte", "\x00\x00\x08\x01\0\0\0\x02\x07\x0a"s);
  expect_error([&] { read_labelled_images(folder_, "train", 10); },
               "train-labels-idx1-ubyte: label 1 is 10, not below 10");
  write("train-labels-idx1-ubyte", "\x00\x00\x08\x01\0\0\0\0"s);
  write("train-images-idx3-ubyte", "\x00\x00\x08\x03\0\0\0\0\0\0\0\x02\0\0\0\x03"s);
  expect_error([&] { read_labelled_images(folder_, "train", 10); },
               "train-images-idx3-ubyte: holds no image");
}

}  // namespace
}  // namespace chainerxx::datasets
