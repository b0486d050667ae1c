// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/spec.h"

#include "cupyxx/error.h"

namespace cupyxx::internal::user_kernel {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_identifier(std::string_view text) {
  if (text.empty() || (!is_letter(text[0]) && text[0] != '_')) return false;
  for (const char c : text) {
    if (!is_word(c)) return false;
  }
  return true;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

cupyxx::dtype parse_type(const std::string& where, std::string_view type) {
  cupyxx::dtype result;
  try {
    result = cupyxx::dtype(type);
  } catch (const TypeError&) {
    throw TypeError(message(where, "unknown type '", type,
                            "'; expected a NumPy dtype name or a one-letter placeholder"));
  }
  if (static_cast<int>(result.code()) >= cupyxx::dtype::kComputeCount) {
    throw TypeError(message(where, "kernels have no type ", result.name()));
  }
  return result;
}

Parameter parse_parameter(const std::string& where, std::string_view text) {
  std::vector<std::string_view> words = words_of(text);
  Parameter parameter;
  if (!words.empty() && words[0] == "raw") {
    parameter.raw = true;
    words.erase(words.begin());
  }
  if (words.size() != 2) {
    throw ValueError(message(where, "expected 'type name' or 'raw type name'; found '", text, "'"));
  }
  parameter.type = words[0];
  parameter.name = words[1];
  if (!is_identifier(parameter.name)) {
    throw ValueError(message(where, "'", parameter.name, "' is not a name"));
  }
  if (parameter.name == "n" || parameter.name == "i" || parameter.name[0] == '_') {
    throw ValueError(message(where, "the name '", parameter.name,
                             "' is reserved, as are n, i and all that begin with an underscore"));
  }
  if (parameter.type.size() == 1) {
    if (!is_letter(parameter.type[0])) {
      throw TypeError(message(where, "'", parameter.type, "' is no placeholder; a letter is"));
    }
  } else {
    parameter.fixed = parse_type(where, parameter.type);
  }
  return parameter;
}

}  // namespace

void parse_parameters(const std::string& kernel, const char* list, std::string_view text,
                      bool is_output, std::vector<Parameter>& parameters) {
  if (words_of(text).empty()) return;
  const std::string where = message(kernel, ": ", list, ": ");
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    while (!part.empty() && is_blank(part.front())) part.remove_prefix(1);
    while (!part.empty() && is_blank(part.back())) part.remove_suffix(1);
    Parameter parameter = parse_parameter(where, part);
    parameter.is_output = is_output;
    for (const Parameter& other : parameters) {
      if (other.name == parameter.name) {
        throw ValueError(message(where, "the name '", parameter.name, "' is used twice"));
      }
    }
    parameters.push_back(std::move(parameter));
    begin = end + 1;
  }
}

void check_kernel_name(std::string_view name) {
  if (!is_identifier(name)) {
    throw ValueError(message("kernel: the name '", name, "' is not an identifier"));
  }
}

namespace {

// Where the identifier stands as a word, from `at` on.
std::size_t find_word(std::string_view text, std::string_view identifier, std::size_t at) {
  for (at = text.find(identifier, at); at != std::string_view::npos;
       at = text.find(identifier, at + 1)) {
    const std::size_t end = at + identifier.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) break;
  }
  return at;
}

}  // namespace

bool mentions(std::string_view text, std::string_view identifier) {
  return find_word(text, identifier, 0) != std::string_view::npos;
}

bool does_more_than_compare(std::string_view text, std::string_view identifier) {
  for (std::size_t at = find_word(text, identifier, 0); at != std::string_view::npos;
       at = find_word(text, identifier, at + 1)) {
    std::string_view behind = text.substr(at + identifier.size());
    while (!behind.empty() && is_blank(behind.front())) behind.remove_prefix(1);
    if (!behind.starts_with("==") && !behind.starts_with("!=")) return true;
  }
  return false;
}

std::string as_statement(const std::string& text) {
  const std::string inside = text + "\n;";  // the text may end with a comment
  const bool returns = mentions(text, "return");
  if (!returns && !mentions(text, "break") && !mentions(text, "continue")) return inside;
  const std::string once = "do {\n" + inside + "\n} while (false);";
  return returns ? "[&]() -> void {\n" + once + "\n}();" : once;
}

std::string indexer_type() {
  return "struct _Indexer {\n  ck::i64 _size;\n"
         "  CUPYXX_FN ck::i64 size() const { return _size; }\n};\n";
}

std::string indexer(std::string_view name, std::string_view size) {
  return message("const _Indexer ", name, "{", size, "};\n(void)", name, ";\n");
}

}  // namespace cupyxx::internal::user_kernel
