// SPDX-License-Identifier: MIT
#include "tools/ops_text.h"

#include <cctype>
#include <string_view>
#include <vector>

#include "cupyxx/extension/op.h"
#include "cupyxx/ops/selection.h"

namespace cupyxx::tools {

namespace {

constexpr const char* kIntroduction =
    "# Elementwise operations\n\n"
    "Printed from their definitions in `cupyxx/ops` by `bazel run //tools:print_ops`; do not "
    "edit.\n\n"
    "A loop names the dtypes of its operands and results by NumPy's letters: `?` bool, `b` `h` `i` "
    "`l` int8 to int64, `B` `H` `I` `L` uint8 to uint64, `e` `f` `d` float16 to float64. A call "
    "takes the first loop to which its operands cast safely.\n";

// "cupyxx/ops/exp_log.h" is the family "Exp, log".
std::string family(std::string_view header) {
  header.remove_prefix(header.rfind('/') + 1);
  std::string title;
  for (const char c : header.substr(0, header.find('.'))) {
    title += c == '_' ? std::string(", ") : std::string(1, c);
  }
  title[0] = static_cast<char>(std::toupper(title[0]));
  return title;
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string ops_text() {
  std::vector<const ufunc*> all(all_ufuncs().begin(), all_ufuncs().end());
  all.push_back(&extension::ufunc_of<ops::Where>());
  all.push_back(&extension::ufunc_of<ops::Clip>());
  std::string text = kIntroduction;
  std::string last;
  for (const ufunc* f : all) {
    if (const std::string title = family(extension::header_of(*f)); title != last) {
      text += "\n## " + title + "\n\n| name | computes | loops |\n| --- | --- | --- |\n";
      last = title;
    }
    text += "| `" + std::string(f->name()) + "` | " + escape(f->doc()) + " |";
    for (const std::string& loop : f->types()) text += " `" + loop + "`";
    text += " |\n";
  }
  return text;
}

}  // namespace cupyxx::tools
