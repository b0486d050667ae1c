// SPDX-License-Identifier: MIT
// The rules of //bazel that make C++ from other files.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "bazel/tests/note.pb.h"
#include "bazel/tests/quotes.h"
#include "bazel/tests/texts.h"

namespace bazel_tests {
namespace {

std::string quotes_from_disk() {
  std::ifstream file("bazel/tests/quotes.txt", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(EmbedText, KeepsNamesAndText) {
  ASSERT_EQ(texts::kFilesCount, 2u);
  EXPECT_STREQ(texts::kFiles[0].name, "bazel/tests/note.proto");
  EXPECT_STREQ(texts::kFiles[1].name, "bazel/tests/quotes.txt");
  EXPECT_EQ(texts::kFiles[1].text, quotes_from_disk());
  EXPECT_EQ(texts::kFiles[1].size, quotes_from_disk().size());
}

TEST(EmbedData, KeepsBytesAligned) {
  const auto bytes = quotes();
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), quotes_from_disk());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64, 0u);
}

TEST(Proto, RoundTrip) {
  Note note, copy;
  note.set_text("hello");
  ASSERT_TRUE(copy.ParseFromString(note.SerializeAsString()));
  EXPECT_EQ(copy.text(), "hello");
}

TEST(Test, KnowsItsDevices) { EXPECT_STREQ(std::getenv("CUPYXX_TEST_DEVICES"), "cpu"); }

}  // namespace
}  // namespace bazel_tests
