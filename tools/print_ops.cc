// SPDX-License-Identifier: MIT
// Prints docs/ops.md.
#include <cstdio>

#include "tools/ops_text.h"

int main() { std::fputs(cupyxx::tools::ops_text().c_str(), stdout); }
