// SPDX-License-Identifier: MIT
// The reference page of a library: print_reference LIBRARY HEADER... >docs/reference/LIBRARY.md
// Ends with 1 when a public name has no comment, and says which.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/reference_text.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: print_reference LIBRARY HEADER...\n";
    return 2;
  }
  std::cout << "# " << argv[1]
            << ": every public name\n\nMade by `tools/reference.sh` from the headers. "
               "Indented names belong to the class above them.\n";
  std::vector<std::string> texts;
  std::vector<std::vector<cupyxx::tools::Entry>> headers;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i]);
    texts.emplace_back((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    headers.push_back(cupyxx::tools::parse_header(texts.back()));
  }
  cupyxx::tools::complete(headers);
  int without = 0;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers[i].empty()) continue;
    const std::string path = argv[i + 2];
    std::cout << cupyxx::tools::header_section(path, texts[i], headers[i]);
    for (const auto& entry : headers[i]) {
      if (!entry.line.empty()) continue;
      std::cerr << path << ": " << entry.name << " has no comment: " << entry.signature << "\n";
      ++without;
    }
  }
  if (without > 0) std::cerr << argv[1] << ": " << without << " public names have no comment\n";
  return without > 0 ? 1 : 0;
}
