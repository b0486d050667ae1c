// SPDX-License-Identifier: MIT
#include "tools/reference_text.h"

#include <gtest/gtest.h>

namespace cupyxx::tools {
namespace {

constexpr char kHeader[] = R"(// SPDX-License-Identifier: MIT
// What the file is about. And more.
#pragma once
#include <vector>
namespace lib {
class Other;  // declared elsewhere
namespace internal {
void hidden();
}  // namespace internal

/// Unset elements. Nothing is written.
CUPYXX_API ndarray empty(const Shape& shape, dtype type = float64);
CUPYXX_API ndarray zeros(const Shape& shape,
                         Options options = {});

ndarray silent();

/// Options of both.
struct Options {
  bool keepdims = false;  ///< axes stay
                          ///< with extent 1
  /// Where it goes.
  std::optional<ndarray> out = {};
};

/// A thing.
class CUPYXX_API Thing final : public Base<decltype(f())> {
 public:
  explicit Thing(int n) : n_{n}, m_(n) { check({n}); }
  Thing(const Thing&) = delete;
  ~Thing();
  /// How many.
  int size() const { return n_; }
  template <class T>
  requires std::is_arithmetic_v<T> && (sizeof(T) > 1)
  T as() const;
  friend bool operator==(const Thing&, const Thing&) { return true; }
  /// Two calls.
  int operator()(int i) const;
  enum class Kind { a, b };

 private:
  int n_, m_;  // kept
};
template <class T>
requires requires(const T& t) { t.x(); }
inline T Thing::as() const { return {}; }

namespace inner {
/// Half of it; "};" is text.
inline constexpr double half = 0.5;
using Alias = Thing;
}  // namespace inner
}  // namespace lib
)";

TEST(Reference, ListsPublicNamesWithTheirSignaturesAndOneLine) {
  std::vector<std::vector<Entry>> headers = {parse_header(kHeader)};
  complete(headers);
  std::string all;
  for (const Entry& e : headers[0]) {
    all += std::to_string(e.depth) + " " + e.name + " | " + e.signature + " | " + e.line + "\n";
  }
  EXPECT_EQ(all,
            R"(0 empty | ndarray empty(const Shape& shape, dtype type = float64) | Unset elements.
0 zeros | ndarray zeros(const Shape& shape, Options options = {}) | Unset elements.
0 silent | ndarray silent() | 
0 Options | struct Options | Options of both.
1 Options::keepdims | bool keepdims = false | axes stay with extent 1
1 Options::out | std::optional<ndarray> out = {} | Where it goes.
0 Thing | class Thing final : public Base<decltype(f())> | A thing.
1 Thing::Thing | explicit Thing(int n) |  
1 Thing::size | int size() const | How many.
1 Thing::as | template <class T> requires std::is_arithmetic_v<T> && (sizeof(T) > 1) T as() const | How many.
1 Thing::operator== | friend bool operator==(const Thing&, const Thing&) | How many.
1 Thing::operator() | int operator()(int i) const | Two calls.
1 Thing::Kind | enum class Kind { a, b } | Two calls.
0 inner::half | inline constexpr double half = 0.5 | Half of it; "};" is text.
0 inner::Alias | using Alias = Thing | Half of it; "};" is text.
)");
}

TEST(Reference, ASectionHasTheFilesFirstSentence) {
  const std::string page = header_section("lib/a.h", kHeader, {{"f", "int f()", "Six.", 0}});
  EXPECT_EQ(page, "\n## `lib/a.h`\n\nWhat the file is about.\n\n* `int f()`  Six.\n");
}

}  // namespace
}  // namespace cupyxx::tools
