// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/raw_kernel/signature.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace cupyxx::internal::raw_kernel {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Comments and strings become spaces, so that places stay what they are.
std::string without_comments(std::string_view source) {
  std::string text(source);
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) text[at++] = ' ';
        text[at] = ' ';
      }
      continue;
    }
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    const bool line = text[at + 1] == '/';
    std::size_t end = text.find(line ? "\n" : "*/", at + 2);
    end = end == std::string::npos ? text.size() : line ? end : end + 2;
    for (; at < end; ++at) {
      if (text[at] != '\n') text[at] = ' ';
    }
    --at;
  }
  return text;
}

// The place of the closing bracket of the one at `open`; npos when there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// Commas outside of brackets of any kind.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : list) {
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(std::move(part));
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(std::move(part));
  return parts;
}

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
    } else if (is_word(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && is_word(text[at])) ++at;
      tokens.emplace_back(text.substr(begin, at - begin));
    } else if (text.substr(at, 2) == "::") {
      tokens.emplace_back("::");
      at += 2;
    } else {
      tokens.emplace_back(1, text[at++]);
    }
  }
  return tokens;
}

// What a list of specifiers means, in any order: "unsigned long int". Unspecified for other types.
dtype type_of(const std::vector<std::string>& words) {
  int longs = 0;
  bool is_unsigned = false, is_signed = false, is_short = false, is_int = false;
  std::string base;
  for (const std::string& word : words) {
    if (word == "long") {
      ++longs;
    } else if (word == "unsigned") {
      is_unsigned = true;
    } else if (word == "signed") {
      is_signed = true;
    } else if (word == "short") {
      is_short = true;
    } else if (word == "int") {
      is_int = true;
    } else if (base.empty()) {
      base = word;
    } else {
      return {};
    }
  }
  if (base.empty()) {
    if (is_short) return is_unsigned ? uint16 : int16;
    if (longs > 0) return is_unsigned ? uint64 : int64;
    if (is_int || is_unsigned || is_signed) return is_unsigned ? uint32 : int32;
    return {};
  }
  if (base == "char" && longs == 0 && !is_short && !is_int) return is_unsigned ? uint8 : int8;
  if (is_unsigned || is_signed || is_short || is_int || longs > 0) return {};
  static const auto& names = *new std::map<std::string_view, dtype>{
      {"float", float32},        {"double", float64},     {"bool", bool_},
      {"int8_t", int8},          {"int16_t", int16},      {"int32_t", int32},
      {"int64_t", int64},        {"uint8_t", uint8},      {"uint16_t", uint16},
      {"uint32_t", uint32},      {"uint64_t", uint64},    {"size_t", uint64},
      {"ptrdiff_t", int64},      {"half", float16},       {"__half", float16},
      {"float16", float16},      {"bfloat16", bfloat16_}, {"__nv_bfloat16", bfloat16_},
      {"nv_bfloat16", bfloat16_}};
  const auto known = names.find(base);
  return known == names.end() ? dtype() : known->second;
}

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool tight = text.empty() || !is_word(text.back()) || !is_word(token[0]);
    const bool after_star =
        !text.empty() && (text.back() == '*' || text.back() == '>') && is_word(token[0]);
    if (!tight || after_star) text += ' ';
    text += token;
  }
  return text;
}

// One parameter; `named` says that its last word may be a name.
Parameter parse(std::string_view text, bool named) {
  Parameter parameter;
  std::vector<std::string> shown, words;
  bool nested = false;
  bool extent = false;
  int angles = 0;
  for (const std::string& token : tokens_of(text.substr(0, text.find('=')))) {
    if (token == "__restrict__" || token == "__restrict" || token == "restrict" ||
        token == "__grid_constant__" || token == "volatile" || token == "struct") {
      continue;
    }
    shown.push_back(token);
    if (token == "<") ++angles;
    if (token == ">") --angles;
    if (token == "<" || token == ">" || angles > 0) {
      nested = true;
    } else if (token == "*") {
      ++parameter.pointers;
    } else if (token == "[") {
      ++parameter.pointers;  // an array decays
      extent = true;
    } else if (token == "]" || extent) {
      extent = token != "]" && extent;
    } else if (token == "const") {
      // Behind the star it is the pointer that does not change.
      if (parameter.pointers == 0) parameter.is_const = true;
    } else if (is_word(token[0])) {
      words.push_back(token);
    }
  }
  static const auto& specifiers = *new std::map<std::string_view, int>{
      {"int", 0},  {"unsigned", 0}, {"signed", 0}, {"long", 0}, {"short", 0},
      {"char", 0}, {"float", 0},    {"double", 0}, {"bool", 0}, {"void", 0}};
  const bool name_follows = named && (words.size() > 1 || (nested && !words.empty()));
  if (name_follows && specifiers.count(words.back()) == 0 && !shown.empty() &&
      (shown.back() == words.back() || shown.back() == "]")) {
    parameter.name = words.back();
    words.pop_back();
  }
  // Names in namespaces: the last one counts ("std::int64_t").
  const bool builtin = !words.empty() && specifiers.count(words[0]) != 0;
  if (!builtin && words.size() > 1) words.erase(words.begin(), words.end() - 1);
  parameter.text = joined(shown);
  if (!nested) {
    parameter.type = type_of(words);
    parameter.is_void = words.size() == 1 && words[0] == "void";
    parameter.is_char = words.size() == 1 && words[0] == "char";
  }
  return parameter;
}

std::vector<Parameter> parse_list(std::string_view list, bool named) {
  std::vector<Parameter> parameters;
  for (const std::string& part : split(list)) parameters.push_back(parse(part, named));
  const bool empty =
      parameters.size() == 1 &&
      (parameters[0].text.empty() || (parameters[0].is_void && parameters[0].pointers == 0));
  if (empty) parameters.clear();
  return parameters;
}

// "ns::axpy<float>" -> "axpy".
std::string_view base_name(std::string_view function) {
  function = function.substr(0, function.find('<'));
  const std::size_t colon = function.rfind("::");
  return colon == std::string_view::npos ? function : function.substr(colon + 2);
}

}  // namespace

std::optional<std::vector<Parameter>> parse_source(std::string_view source,
                                                   std::string_view function) {
  const std::string text = without_comments(source);
  const std::string_view name = base_name(function);
  if (!std::ranges::all_of(name, is_word) || name.empty()) return std::nullopt;
  constexpr std::string_view kKernel = "__global__";
  // The begin of the declaration that the name is in, and the first kernel's mark from there on.
  std::size_t begin = 0, seen = 0, mark = text.find(kKernel);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    std::size_t open = at + name.size();
    if ((at > 0 && is_word(text[at - 1])) || (open < text.size() && is_word(text[open]))) continue;
    while (open < text.size() && is_blank(text[open])) ++open;
    if (open == text.size() || text[open] != '(') continue;
    // What stands between the end of the last declaration and the name makes it a kernel.
    for (; seen < at; ++seen) {
      if (text[seen] == ';' || text[seen] == '}') begin = seen + 1;
    }
    while (mark < begin) mark = text.find(kKernel, begin);
    if (mark == std::string::npos || mark + kKernel.size() > at) continue;
    const std::size_t end = closing(text, open);
    if (end == std::string::npos) return std::nullopt;
    return parse_list(std::string_view(text).substr(open + 1, end - open - 1), true);
  }
  return std::nullopt;
}

std::optional<std::vector<Parameter>> parse_mangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return std::nullopt;
  int status = 0;
  char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return std::nullopt;
  const std::string text = demangled;
  std::free(demangled);
  // The list of parameters is the last pair of brackets: "void axpy<(int)3>(float const*, int)".
  if (text.empty() || text.back() != ')') return std::nullopt;
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) {
      return parse_list(std::string_view(text).substr(at + 1, text.size() - at - 2), false);
    }
  }
  return std::nullopt;
}

std::optional<std::vector<Parameter>> find_signature(std::string_view source,
                                                     std::string_view function,
                                                     const std::string& lowered) {
  auto of_source = parse_source(source, function);
  auto of_name = parse_mangled(lowered);
  if (!of_name) return of_source;
  if (of_source && of_source->size() == of_name->size()) {
    for (std::size_t k = 0; k < of_name->size(); ++k) {
      Parameter& parameter = (*of_name)[k];
      parameter.name = (*of_source)[k].name;
      if (!parameter.name.empty()) parameter.text += " " + parameter.name;
    }
  }
  return of_name;
}

std::string describe(const std::vector<Parameter>& parameters) {
  std::string text = "(";
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    text += (k == 0 ? "" : ", ") + parameters[k].text;
  }
  return text + ")";
}

}  // namespace cupyxx::internal::raw_kernel
