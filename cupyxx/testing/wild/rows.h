// SPDX-License-Identifier: MIT
// The calls that tools/wild_rows.py writes.
#pragma once

#include <initializer_list>
#include <span>

#include "cupyxx/testing/wild/draw.h"

namespace cupyxx::testing::wild {

struct Row {
  const char* routine;
  int target;  ///< which argument the routine changes, or -1
  Outcome (*call)(Draw&);
};

/// All that are linked in, in the order of their names.
std::span<const Row> all_rows();

/// Registers.
struct Rows {
  Rows(std::initializer_list<Row> rows);
};

}  // namespace cupyxx::testing::wild
