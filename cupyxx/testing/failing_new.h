// SPDX-License-Identifier: MIT
// An operator new that fails when it is told to; a program that links this has it in place of the
// library's own. Memory of arrays does not come from it.
#pragma once

#include <cstdint>

namespace cupyxx::testing {

/// While it lives, the n-th call of operator new (1, 2, ...) by this thread and this program, not
/// by a library that it uses, throws std::bad_alloc; or that one and all later ones.
class FailingNew {
 public:
  explicit FailingNew(std::int64_t n, bool from_then_on = false);
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  /// Whether the n-th call was made.
  static bool has_failed();
};

/// What all threads have got from operator new and not given back, in pieces.
std::int64_t live_news();

}  // namespace cupyxx::testing
