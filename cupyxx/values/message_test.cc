// SPDX-License-Identifier: MIT
#include "cupyxx/message.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cupyxx/shape.h"

namespace cupyxx {
namespace {

template <class T>
concept Joins = requires(std::string& text, const T& part) {
  internal::append_part(text, part);
};

enum Unscoped { kOne };

// What has several texts needs one by hand, and does not become a character on the way.
static_assert(Joins<int> && Joins<char> && Joins<unsigned char> && Joins<Shape>);
static_assert(!Joins<bool> && !Joins<double> && !Joins<Unscoped>);

TEST(Message, JoinsItsParts) {
  const std::string name = "take";
  EXPECT_EQ(message(name, ": ", -3, " of ", std::uint64_t{1} << 63, ", ", Shape{2, 0}, '!'),
            "take: -3 of 9223372036854775808, (2, 0)!");
  EXPECT_EQ(message(), "");
  EXPECT_EQ(message(std::int8_t{7}, std::string_view("x")), "7x");
}

}  // namespace
}  // namespace cupyxx
