// SPDX-License-Identifier: MIT
#include "examples/program/text.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "examples/program/errors.h"

namespace examples {
namespace {

/// What the program `bible` prints: a verse in each line, behind its place. Nothing without it.
std::string bible() {
  const std::unique_ptr<FILE, int (*)(FILE*)> verses(
      popen("bible -f gen1:1-rev22:21 2>/dev/null </dev/null", "r"), pclose);
  std::string text;
  std::array<char, 65536> buffer;
  while (verses != nullptr) {
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), verses.get());
    if (count == 0) break;
    text.append(buffer.data(), count);
  }
  return text;
}

std::string without_places(const std::string& verses) {
  std::istringstream lines(verses);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += line.substr(line.find(' ') + 1) + "\n";
  return text;
}

}  // namespace

std::string read_text(const std::string& path, const TextOptions& options) {
  if (path.empty()) {
    std::string text = bible();
    if (!options.places) text = without_places(text);
    if (!text.empty()) return text;
    throw UserError(cupyxx::message("no text: name one by --", options.flag,
                                    "=FILE, or install Debian's packages bible-kjv and "
                                    "bible-kjv-text"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw UserError(cupyxx::message(path, ": cannot be read"));
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) throw UserError(cupyxx::message(path, ": holds no text"));
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    const char lower = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ('a' <= lower && lower <= 'z') {
      word += lower;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace examples
