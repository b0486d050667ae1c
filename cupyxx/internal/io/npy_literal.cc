// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/npy_literal.h"

#include <charconv>

#include "cupyxx/message.h"

namespace cupyxx::internal::io {
namespace {

/// Reads one dictionary; the first defect stops it and stays in `defect`.
class Parser {
 public:
  Parser(std::string_view text, NpyLiteral& out) : text_(text), out_(out) {}

  std::string run() {
    if (!take('{')) return "the header is not a dictionary";
    while (defect_.empty() && !take('}')) {
      entry();
      if (!defect_.empty() || take('}')) break;
      if (!take(',')) fail("expected ',' or '}'");
    }
    if (defect_.empty() && !rest().empty()) fail("text after the dictionary");
    return defect_;
  }

 private:
  void fail(const std::string& what) {
    if (defect_.empty()) {
      defect_ = message("the header cannot be parsed; ", what, " at byte ", at_);
    }
  }

  std::string_view rest() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
    return text_.substr(at_);
  }

  bool take(char c) {
    const std::string_view left = rest();
    if (left.empty() || left[0] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string string() {
    const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    const std::size_t end = quote == '\0' ? text_.npos : text_.find(quote, at_);
    if (end == text_.npos) {
      fail("expected a string");
      return {};
    }
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  void entry() {
    const std::string key = string();
    if (defect_.empty() && !take(':')) fail("expected ':'");
    if (!defect_.empty()) return;
    if (key == "descr") {
      descr();
    } else if (key == "fortran_order") {
      if (take_word("True")) {
        out_.fortran_order = true;
      } else if (take_word("False")) {
        out_.fortran_order = false;
      } else {
        fail("fortran_order is neither True nor False");
      }
    } else if (key == "shape") {
      shape();
    } else {
      defect_ = message("the header has an unknown key; '", key, "'");
    }
  }

  void descr() {
    if (rest().starts_with('[')) {  // fields of a record: nothing we could read, so only skipped
      int depth = 0;
      do {
        const char c = text_[at_++];
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
      } while (depth > 0 && at_ < text_.size());
      out_.structured = true;
      out_.descr = "";
    } else {
      out_.descr = string();
    }
  }

  void shape() {
    if (!take('(')) return fail("expected the tuple of the shape");
    std::vector<std::int64_t> dims;
    bool closed = take(')');
    while (!closed && defect_.empty()) {
      const std::string_view left = rest();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), extent);
      if (error == std::errc::result_out_of_range) {
        defect_ = "the shape does not fit 64 bits";
      } else if (error != std::errc()) {
        fail("expected an extent");
      }
      if (!defect_.empty()) return;
      dims.push_back(extent);
      at_ += static_cast<std::size_t>(end - left.data());
      take('L');  // Python 2 wrote long integers so
      const bool comma = take(',');
      closed = take(')');
      if (!closed && !comma) fail("expected ',' or ')'");
      // "(3)" is a number in Python, not a tuple.
      if (closed && !comma && dims.size() == 1) fail("the shape is not a tuple");
    }
    out_.shape = std::move(dims);
  }

  std::string_view text_;
  NpyLiteral& out_;
  std::size_t at_ = 0;
  std::string defect_;
};

}  // namespace

std::string parse_npy_literal(std::string_view text, NpyLiteral& out) {
  return Parser(text, out).run();
}

}  // namespace cupyxx::internal::io
