// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/comparison.h"

namespace cupyxx::internal {
namespace {

/// Looks at both: where the second one counts only if the first one does not, there is a branch.
struct EitherTruth {
  template <class T>
  static bool apply(T x, T y) {
    return (x != 0) | (y != 0);
  }
};

template <class T>
struct Loop<ops::LogicalOr, bool(T, T)> : Loop<EitherTruth, bool(T, T)> {};

}  // namespace
}  // namespace cupyxx::internal

CUPYXX_DEFINE_LOOPS(ComparisonOps)
