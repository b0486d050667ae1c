// SPDX-License-Identifier: MIT
// Pictures, read back byte by byte, and text.
#include "examples/program/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"
#include "examples/program/text.h"

namespace examples {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// The pixels of a PNG file as the format's text says: parts with their sums, lines behind a zero.
std::vector<int> pixels_of(const std::string& path, std::size_t width, std::size_t height) {
  const std::string file = bytes_of(path);
  EXPECT_THAT(file, StartsWith("\x89PNG\r\n\x1a\n"));
  std::string packed;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t length = number_at(file, at);
    const std::string name = file.substr(at + 4, 4), data = file.substr(at + 8, length);
    const auto* first = reinterpret_cast<const Bytef*>(file.data() + at + 4);
    EXPECT_EQ(number_at(file, at + 8 + length), crc32(0, first, static_cast<uInt>(length + 4)));
    if (name == "IHDR") {
      EXPECT_EQ(number_at(data, 0), width);
      EXPECT_EQ(number_at(data, 4), height);
    }
    if (name == "IDAT") packed = data;
    at += length + 12;
  }
  std::string lines(10'000, '\0');
  uLongf size = lines.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  std::vector<int> pixels;
  const std::size_t row = size / height;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % row != 0) pixels.push_back(static_cast<std::uint8_t>(lines[i]));
  }
  return pixels;
}

TEST(Picture, GreysAndColours) {
  const std::string path = ::testing::TempDir() + "/picture.png";
  save_png(path, cp::array({{0.0, 0.5, 1.0}, {-3.0, 0.2, 7.0}}));
  EXPECT_THAT(pixels_of(path, 3, 2), ElementsAre(0, 128, 255, 0, 51, 255));
  save_png(path, cp::array({{0.0, 1.0}}), 2);
  EXPECT_THAT(pixels_of(path, 4, 2), ElementsAre(0, 0, 255, 255, 0, 0, 255, 255));
  save_png(path, cp::array({{{1.0, 0.0, 0.6}}}));
  EXPECT_THAT(pixels_of(path, 1, 1), ElementsAre(255, 0, 153));
}

TEST(Picture, SheetHasLinesBetween) {
  const auto all = sheet(cp::array({{{0.1f}}, {{0.2f}}, {{0.3f}}}), 2);
  EXPECT_EQ(all.to_vector<float>(), (std::vector<float>{0.1f, 1, 0.2f, 1, 1, 1, 0.3f, 1, 1}));
}

TEST(Picture, ScatterHasADotForEachPoint) {
  const std::string path = ::testing::TempDir() + "/scatter.svg";
  save_scatter(path, cp::array({{0.0, 0.0}, {1.0, 1.0}}), cp::array({0, 1}),
               cp::array({{0.5, 0.5}}));
  const std::string text = bytes_of(path);
  EXPECT_THAT(text, HasSubstr(R"(<circle cx="0" cy="400" r="2" fill="#2f6fb0"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<circle cx="400" cy="0" r="2" fill="#d1663b"/>)"));
  EXPECT_THAT(text, HasSubstr("<path d=\"M200 200m"));
}

TEST(Picture, Refusals) {
  expect_error<cp::ValueError>(
      [] {
        save_png("x.png", cp::zeros({2, 3, 4}));
      },
      "save_png: shape (2, 3, 4) is neither (h, w) nor (h, w, 3)");
  expect_error<cp::IOError>(
      [] {
        save_png("/nowhere/x.png", cp::zeros({2, 3}));
      },
      "save_png: cannot write /nowhere/x.png; No such file or directory");
}

TEST(Picture, AnEarlierFileIsWholeUntilTheNewOneIs) {
  const std::string path = ::testing::TempDir() + "/earlier.png";
  std::ofstream(path) << "earlier";
  std::ifstream earlier(path);  // keeps what it opened
  save_png(path, cp::zeros({2, 3}));
  std::string word;
  earlier >> word;
  EXPECT_EQ(word, "earlier");
  EXPECT_EQ(bytes_of(path).substr(1, 3), "PNG");
}

TEST(Text, WordsAndFiles) {
  EXPECT_THAT(words_of("In the BEGINNING, God's 7 days."),
              ElementsAre("in", "the", "beginning", "god", "s", "days"));
  expect_error<UserError>([] { read_text("/nowhere/x"); }, "/nowhere/x: cannot be read");
  const std::string path = ::testing::TempDir() + "/empty.txt";
  std::ofstream(path).close();
  expect_error<UserError>([&] { read_text(path); }, path + ": holds no text");
}

}  // namespace
}  // namespace examples
