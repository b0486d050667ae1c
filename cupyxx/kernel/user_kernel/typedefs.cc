// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/typedefs.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace cupyxx::internal::user_kernel {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The next word or sign from `at` on, which moves behind it; comments and strings are skipped.
std::string_view next_token(std::string_view text, std::size_t& at) {
  while (at < text.size()) {
    const char c = text[at];
    const std::string_view pair = text.substr(at, 2);
    const std::size_t begin = at;
    if (pair == "//" || pair == "/*") {
      const std::string_view end = pair == "//" ? "\n" : "*/";
      at = std::min(text.size(), text.find(end, at + 2));
      at = std::min(text.size(), at + end.size());
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at) at += text[at] == '\\' ? 1 : 0;
      ++at;
    } else if (is_word(c)) {
      while (at < text.size() && is_word(text[at])) ++at;
      return text.substr(begin, at - begin);
    } else {
      ++at;
      if (std::isspace(static_cast<unsigned char>(c)) == 0) return text.substr(begin, 1);
    }
  }
  return {};
}

bool is_standard(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "int8_t",   "int16_t",   "int32_t",   "int64_t",   "uint8_t",   "uint16_t",
      "uint32_t", "uint64_t",  "intptr_t",  "uintptr_t", "ptrdiff_t", "size_t",
      "ssize_t",  "intmax_t",  "uintmax_t", "uint",      "ushort",    "ulong",
      "u_int8_t", "u_int16_t", "u_int32_t", "u_int64_t", "float_t",   "double_t"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The names that a statement behind `typedef` declares: those before its commas and its end.
std::vector<std::string_view> declared(std::string_view text, std::size_t at) {
  std::vector<std::string_view> names;
  std::string_view last;
  int depth = 0;
  for (std::string_view token = next_token(text, at); !token.empty();
       token = next_token(text, at)) {
    if (token == "{" || token == "(" || token == "[" || token == "<") ++depth;
    if (token == "}" || token == ")" || token == "]" || token == ">") --depth;
    if (depth == 0 && (token == "," || token == ";")) {
      if (is_standard(last)) names.push_back(last);
      if (token == ";") break;
    }
    last = token;
  }
  return names;
}

}  // namespace

std::string with_own_typedefs(std::string_view preamble) {
  std::string result;
  std::size_t copied = 0, at = 0;
  std::vector<std::string_view> renamed;
  for (std::string_view token = next_token(preamble, at); !token.empty();
       token = next_token(preamble, at)) {
    std::vector<std::string_view> names;
    if (token == "typedef") names = declared(preamble, at);
    if (token == "using") {
      std::size_t behind = at;
      const std::string_view name = next_token(preamble, behind);
      if (next_token(preamble, behind) == "=" && is_standard(name)) names = {name};
    }
    for (const std::string_view name : names) {
      if (std::find(renamed.begin(), renamed.end(), name) != renamed.end()) continue;
      renamed.push_back(name);
      const auto begin = static_cast<std::size_t>(token.data() - preamble.data());
      result += preamble.substr(copied, begin - copied);
      copied = begin;
      result += "\n#define " + std::string(name) + " cupyxx_own_" + std::string(name) + "\n";
    }
  }
  return result + std::string(preamble.substr(copied));
}

}  // namespace cupyxx::internal::user_kernel
