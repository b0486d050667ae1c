// SPDX-License-Identifier: MIT
#include "tools/reference_text.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace cupyxx::tools {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool starts_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

std::string first_sentence(const std::string& comment) {
  const std::string text = on_one_line(comment);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '.' && text[i + 1] == ' ' && (i + 2 >= text.size() || text[i + 2] != ',') &&
        (i < 3 || (text.substr(i - 3, 4) != "i.e." && text.substr(i - 3, 4) != "e.g.")) &&
        text[i + 2 < text.size() ? i + 2 : i] != '.' &&
        std::islower(static_cast<unsigned char>(text[i + 2])) == 0) {
      return text.substr(0, i + 1);
    }
  }
  return text;
}

// The text without comments, so that the rest need not know them; lengths are kept.
std::string without_comments(std::string text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
      i = std::min(text.size(), text.find(close, open) + close.size()) - 1;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      const char quote = text[i];
      while (++i < text.size() && text[i] != quote) i += text[i] == '\\' ? 1 : 0;
    } else if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') text[i++] = ' ';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.size(), text.find("*/", i) + 2);
      while (i < end) text[i++] = ' ';
    }
  }
  return text;
}

// The position behind the bracket that closes the one at `i`.
std::size_t behind_brackets(std::string_view text, std::size_t i) {
  int depth = 0;
  for (; i < text.size(); ++i) {
    if (std::strchr("([{", text[i]) != nullptr) ++depth;
    if (std::strchr(")]}", text[i]) != nullptr && --depth == 0) return i + 1;
    if (text[i] == '"' || (text[i] == '\'' && !is_word(text[i - 1]))) {
      const char quote = text[i];
      while (++i < text.size() && text[i] != quote) i += text[i] == '\\' ? 1 : 0;
    }
  }
  return text.size();
}

std::size_t behind_angles(std::string_view text, std::size_t i) {
  int depth = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '(') i = behind_brackets(text, i) - 1;
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && text[i - 1] != '-' && --depth == 0) return i + 1;
  }
  return text.size();
}

std::string_view behind(std::string_view text, std::size_t i) {
  return trimmed(text.substr(std::min(i, text.size())));
}

// A declaration without templates' heads, constraints, attributes and specifiers.
std::string_view core_of(std::string_view text) {
  constexpr std::string_view kSpecifiers[] = {"inline",    "constexpr", "static",    "virtual",
                                              "extern",    "friend",    "consteval", "CUPYXX_API",
                                              "CUPYXX_FN", "explicit",  "constinit", "typedef"};
  for (text = trimmed(text);;) {
    const std::string_view before = text;
    if (starts_word(text, "template")) {
      const std::size_t open = text.find('<');
      if (open != text.npos) text = behind(text, behind_angles(text, open));
    }
    if (starts_word(text, "requires")) {
      do {
        text = behind(text, text.starts_with("requires") ? 8 : 2);
        if (starts_word(text, "requires")) {
          text = behind(text, 8);
          if (text.starts_with("(")) text = behind(text, behind_brackets(text, 0));
          text = behind(text, behind_brackets(text, 0));
          continue;
        }
        while (text.starts_with("!")) text = behind(text, 1);
        if (text.starts_with("(")) {
          text = behind(text, behind_brackets(text, 0));
          continue;
        }
        std::size_t i = 0;
        while (i < text.size() && (is_word(text[i]) || text[i] == ':')) ++i;
        if (i < text.size() && text[i] == '<') i = behind_angles(text, i);
        while (i < text.size() && text.substr(i, 2) == "::") {
          for (i += 2; i < text.size() && is_word(text[i]);) ++i;
        }
        text = behind(text, i);
      } while (text.starts_with("&&") || text.starts_with("||"));
    }
    for (const std::string_view specifier : kSpecifiers) {
      if (!starts_word(text, specifier)) continue;
      text = behind(text, specifier.size());
      if (specifier == "explicit" && text.starts_with("(")) {
        text = behind(text, behind_brackets(text, 0));
      }
    }
    if (text.starts_with("[[")) text = behind(text, behind_brackets(text, 0));
    if (starts_word(text, "alignas") || starts_word(text, "__attribute__")) {
      text = behind(text, behind_brackets(text, text.find('(')));
    }
    if (text == before) return text;
  }
}

// Where the parameters of a function begin; npos in what is none.
std::size_t parameters_of(std::string_view core) {
  const std::size_t op = core.find("operator");
  if (op != core.npos && (op == 0 || !is_word(core[op - 1])) &&
      (op + 8 >= core.size() || !is_word(core[op + 8]))) {
    std::size_t at = core.find('(', op);
    if (at != core.npos && trimmed(core.substr(op + 8, at - op - 8)).empty()) {
      const std::size_t second = behind_brackets(core, at);
      if (second < core.size() && behind(core, second).starts_with("("))
        at = core.find('(', second);
    }
    return at;
  }
  for (std::size_t i = 0; i < core.size(); ++i) {
    if (core[i] == '=' || core[i] == '{') return core.npos;
    if (core[i] == '<') i = behind_angles(core, i) - 1;
    if (i < core.size() && core[i] == '(') {
      const std::string_view before = trimmed(core.substr(0, i));
      if (!before.ends_with("decltype") && !before.ends_with("noexcept")) return i;
      i = behind_brackets(core, i) - 1;
    }
  }
  return core.npos;
}

std::string last_word(std::string_view text) {
  text = trimmed(text);
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  if (begin > 0 && text[begin - 1] == '~') --begin;
  return std::string(text.substr(begin));
}

std::string name_of(std::string_view core) {
  const std::size_t parameters = parameters_of(core);
  if (parameters != core.npos) {
    const std::size_t op = core.find("operator");
    if (op != core.npos && op < parameters && (op == 0 || !is_word(core[op - 1]))) {
      return on_one_line(core.substr(op, parameters - op));
    }
    return last_word(core.substr(0, parameters));
  }
  if (starts_word(core, "using") || starts_word(core, "concept")) {
    const std::size_t end = core.find('=');
    return last_word(core.substr(0, end));
  }
  std::string_view name = core.substr(0, core.find_first_of("=;{["));
  // A field's array or bit field.
  const std::size_t colon = name.find(" : ");
  if (colon != name.npos) name = name.substr(0, colon);
  return last_word(name);
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), code_(without_comments(text)) {}

  std::vector<Entry> parse() {
    scope("", "", 0, true, "");
    return std::move(entries_);
  }

 private:
  // What stands between `at_` and the next piece of code: comments for it, or an empty line, which
  // ends the reach of the last one.
  void take_comments() {
    int line_ends = 0;
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        if (++line_ends > 1) doc_.clear();
        ++at_;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.compare(at_, 2, "//") == 0) {
        const bool is_new = line_ends > 0 || at_ == 0;
        const std::size_t column = column_of(at_);
        line_ends = 0;
        std::string comment;
        while (text_.compare(at_, 2, "//") == 0) {
          const std::size_t end = std::min(text_.size(), text_.find('\n', at_));
          std::string_view line(text_.data() + at_, end - at_);
          while (line.starts_with("/")) line.remove_prefix(1);
          if (line.starts_with("<")) line.remove_prefix(1);
          if (trimmed(line).substr(0, 6) != "NOLINT") comment += std::string(line) + "\n";
          at_ = end;
          std::size_t next = end;
          while (next < text_.size() &&
                 std::isspace(static_cast<unsigned char>(text_[next])) != 0) {
            if (text_[next] == '\n' && next > end) break;
            ++next;
          }
          if (text_.compare(next, 2, "//") != 0 || column_of(next) != column) break;
          at_ = next;
        }
        if (!trimmed(comment).empty()) {
          if (is_new) {
            doc_ = comment;
          } else if (just_added_) {
            entries_.back().line = first_sentence(comment);  // behind the declaration
          }
        }
      } else if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') {
          if (text_[at_] == '\\') ++at_;
          ++at_;
        }
        doc_.clear();
      } else {
        return;
      }
    }
  }

  void add(const std::string& name, std::string_view signature, const std::string& outer, int depth,
           std::string line) {
    std::string text = on_one_line(signature);
    for (const std::string_view word : {"CUPYXX_API ", "CUPYXX_FN "}) {
      for (std::size_t i = text.find(word); i != text.npos; i = text.find(word)) {
        text.erase(i, word.size());
      }
    }
    entries_.push_back({outer + name, std::move(text), std::move(line), depth});
  }

  // Declarations up to the brace that closes a namespace or a class.
  void scope(const std::string& outer, const std::string& of_class, int depth, bool shown,
             const std::string& doc_of_class) {
    while (true) {
      take_comments();
      just_added_ = false;
      if (at_ >= code_.size()) return;
      if (code_[at_] == '}') {
        ++at_;
        doc_.clear();
        return;
      }
      if (code_[at_] == ';') {
        ++at_;
        continue;
      }
      declaration(outer, of_class, depth, shown, doc_of_class);
    }
  }

  void declaration(const std::string& outer, const std::string& of_class, int depth, bool& shown,
                   const std::string& doc_of_class) {
    const std::string_view rest = std::string_view(code_).substr(at_);
    for (const char* access : {"public", "private", "protected"}) {
      if (!starts_word(rest, access)) continue;
      const std::string_view colon = behind(rest, std::strlen(access));
      if (!colon.starts_with(":")) break;
      shown = std::string_view(access) == "public";
      at_ = code_.find(':', at_) + 1;
      doc_.clear();
      return;
    }
    if (starts_word(rest, "namespace") || starts_word(rest, "extern \"C\"")) {
      const std::size_t open = code_.find_first_of("{;", at_);
      const std::string name(trimmed(std::string_view(code_).substr(at_ + 9, open - at_ - 9)));
      if (code_[open] == ';' || name.find('=') != name.npos) {
        at_ = code_.find(';', at_) + 1;
        return;
      }
      const bool hidden = name.empty() || name.find("internal") != name.npos ||
                          name.find("detail") != name.npos || starts_word(name, "std") ||
                          name.ends_with("testing");
      if (hidden) {
        at_ = behind_brackets(code_, open);
      } else {
        at_ = open + 1;
        doc_.clear();
        const std::size_t inner = name.rfind("::");
        const bool is_library = name.find("::") == name.npos && outer.empty() && first_namespace_;
        first_namespace_ = false;
        std::string path = name;
        if (inner != name.npos) path = name.substr(name.find("::") + 2);
        scope(is_library ? "" : outer + path + "::", "", depth, shown, "");
      }
      return;
    }
    // A macro that makes declarations.
    std::size_t word = 0;
    while (word < rest.size() &&
           (std::isupper(static_cast<unsigned char>(rest[word])) != 0 || rest[word] == '_')) {
      ++word;
    }
    if (word > 3 && word < rest.size() && rest[word] == '(') {
      const std::size_t end = behind_brackets(code_, at_ + word);
      const std::string_view call(code_.data() + at_, end - at_);
      const std::size_t name_end = call.find_first_of(",)", word);
      if (shown && !doc_.empty()) {
        add(last_word(call.substr(0, name_end)), call, outer, depth, first_sentence(doc_));
        doc_.clear();
      }
      at_ = end;
      return;
    }
    one_declaration(outer, of_class, depth, shown, doc_of_class);
  }

  void one_declaration(const std::string& outer, const std::string& of_class, int depth, bool shown,
                       const std::string& doc_of_class) {
    const std::size_t begin = at_;
    std::size_t end = begin, initializers = std::string::npos;
    bool has_body = false;
    for (; end < code_.size(); ++end) {
      const char c = code_[end];
      if (c == '(' || c == '[') {
        end = behind_brackets(code_, end) - 1;
        continue;
      }
      const std::string_view so_far(code_.data() + begin, end - begin);
      if (c == ';') break;
      if (c == ':' && code_[end + 1] != ':' && code_[end - 1] != ':' &&
          initializers == std::string::npos && parameters_of(core_of(so_far)) != so_far.npos) {
        initializers = end;
      }
      if (c != '{') continue;
      const std::string_view before = trimmed(so_far);
      const std::size_t requirement = before.rfind("requires");
      const bool is_requirement = requirement != before.npos &&
                                  (behind(before, requirement + 8).empty() ||
                                   (behind(before, requirement + 8).starts_with("(") &&
                                    behind(behind(before, requirement + 8),
                                           behind_brackets(behind(before, requirement + 8), 0))
                                        .empty()));
      if (is_requirement || before.ends_with("=") || before.ends_with(",")) {
        end = behind_brackets(code_, end) - 1;
        continue;
      }
      if (initializers != std::string::npos && !before.ends_with(")") && !before.ends_with("}")) {
        end = behind_brackets(code_, end) - 1;  // x_{1}
        continue;
      }
      has_body = true;
      break;
    }
    const std::string_view whole(code_.data() + begin, std::min(end, initializers) - begin);
    const std::string_view core = core_of(whole);
    const std::string line = first_sentence(doc_);

    for (const char* kind : {"class", "struct", "union", "enum"}) {
      if (!starts_word(core, kind)) continue;
      if (!has_body) break;
      std::string_view head = behind(core, std::strlen(kind));
      if (starts_word(head, "class")) head = behind(head, 5);
      head = core_of(head);
      std::size_t length = 0;
      while (length < head.size() && (is_word(head[length]) || head[length] == ':')) {
        if (head[length] == ':' && head.substr(length, 2) != "::") break;
        ++length;
      }
      const std::string name(trimmed(head.substr(0, length)));
      const bool special = length < head.size() && behind(head, length).starts_with("<");
      const std::string_view signature(code_.data() + begin, end - begin);
      const std::string said = line.empty() && !doc_of_class.empty() ? " " : line;
      if (shown && !special && !name.empty()) add(name, signature, outer, depth, said);
      just_added_ = false;
      if (std::string_view(kind) == "enum" || special) {
        const std::size_t close = behind_brackets(code_, end);
        if (shown && !special) {
          entries_.back().signature +=
              " " + on_one_line(std::string_view(code_).substr(end, close - end));
        }
        at_ = std::min(code_.size(), code_.find(';', close)) + 1;
      } else {
        at_ = end + 1;
        doc_.clear();
        scope(outer + name + "::", name, depth + 1, shown && std::string_view(kind) != "class",
              said);
        at_ = std::min(code_.size(), code_.find(';', at_)) + 1;
      }
      doc_.clear();
      return;
    }

    at_ = has_body ? behind_brackets(code_, end) : end + 1;
    if (!shown) return;
    std::string signature = on_one_line(whole);
    const bool forward = !has_body && (starts_word(core, "class") || starts_word(core, "struct") ||
                                       starts_word(core, "enum"));
    if (forward || core.empty() || starts_word(core, "static_assert") ||
        signature.ends_with("= delete") || signature.ends_with("= default")) {
      return;
    }
    if (starts_word(core, "using") && starts_word(behind(core, 5), "namespace")) return;
    std::string name = name_of(core);
    if (name.empty() || name.starts_with("~")) return;
    std::string said = line;
    // Members without a comment of their own are told by their class's.
    if (said.empty() && !of_class.empty()) said = doc_of_class.empty() ? "" : " ";
    // A member that is defined outside of its class stands there.
    const std::size_t at = core.find(name + "(");
    if (of_class.empty() && at != core.npos && at > 1 && core[at - 1] == ':') return;
    add(name, signature, outer, depth, std::move(said));
    just_added_ = true;
  }

  std::size_t column_of(std::size_t at) const {
    const std::size_t line = text_.rfind('\n', at);
    return line == std::string::npos ? at : at - line;
  }

  const std::string& text_;
  std::string code_, doc_;
  std::size_t at_ = 0;
  bool just_added_ = false;
  bool first_namespace_ = true;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<Entry> parse_header(const std::string& text) { return Parser(text).parse(); }

void complete(std::vector<std::vector<Entry>>& headers) {
  std::map<std::string, std::string> known;
  for (const auto& entries : headers) {
    for (const Entry& entry : entries) {
      if (trimmed(entry.line).empty()) continue;
      known.emplace(entry.name.substr(entry.name.rfind(':') + 1), entry.line);
    }
  }
  for (auto& entries : headers) {
    for (Entry& entry : entries) {
      if (!entry.line.empty()) continue;
      const std::string_view core = core_of(entry.signature);
      const bool is_function = parameters_of(core) != core.npos;
      std::string key = entry.name.substr(entry.name.rfind(':') + 1);
      if (!is_function && !starts_word(core, "struct") && !starts_word(core, "class") &&
          !starts_word(core, "enum")) {
        const bool is_alias = starts_word(core, "using");
        if (is_alias && core.find('=') == core.npos) entry.line = "The one of cupyxx.";
        std::string_view type = is_alias ? behind(core, core.find('=') + 1) : core;
        if (starts_word(type, "const")) type = behind(type, 5);
        std::size_t length = 0;
        while (length < type.size() && is_word(type[length])) ++length;
        key = std::string(type.substr(0, length));
      } else if (key == "operator<<" && entry.signature.find("ostream") != std::string::npos) {
        entry.line = "Prints it.";
      }
      if (const auto same = known.find(key); entry.line.empty() && same != known.end()) {
        entry.line = same->second;
      }
    }
  }
}

std::string header_section(const std::string& path, const std::string& text,
                           const std::vector<Entry>& entries) {
  std::string page = "\n## `" + path + "`\n\n", about;
  std::size_t at = text.find('\n');  // behind the licence
  while (at != text.npos && text.compare(at + 1, 3, "// ") == 0) {
    const std::size_t end = text.find('\n', at + 1);
    about += text.substr(at + 3, end - at - 3);
    at = end;
  }
  if (!trimmed(about).empty()) page += first_sentence(about) + "\n\n";
  for (const Entry& entry : entries) {
    page +=
        std::string(static_cast<std::size_t>(2 * entry.depth), ' ') + "* `" + entry.signature + "`";
    if (!trimmed(entry.line).empty()) page += "  " + entry.line;
    page += "\n";
  }
  return page;
}

}  // namespace cupyxx::tools
