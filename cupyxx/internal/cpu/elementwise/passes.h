// SPDX-License-Identifier: MIT
// What would be several elementwise passes with an array for each, in one pass over contiguous
// elements: for routines that NumPy has in one loop, too.
#pragma once

#include <cstdint>
#include <string_view>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The passes of one instruction set. Those that return bool do nothing and return false for a
/// dtype (or an operation) that they do not know.
struct Passes {
  /// x[i] = x[i - 1] op x[i] in this order.
  bool (*accumulate)(std::string_view op, dtype type, char* x, std::int64_t n);
  /// out[i] = x[starts[i]] op ... op x[end - 1], where `end` is the next start, or n; one element
  /// where that is not behind the start. Floating sums are NumPy's, pairwise.
  bool (*reduce_segments)(std::string_view op, dtype type, const char* x, std::int64_t n,
                          const std::int64_t* starts, std::int64_t count, char* out);
  /// The largest or the smallest number that is no NaN; NaN where there is none. n > 0.
  bool (*extreme_number)(bool largest, dtype type, const char* x, std::int64_t n, char* out);
  /// NumPy's spacing.
  bool (*spacing)(dtype type, const char* x, std::int64_t n, char* out);
  /// NumPy's isclose of finite and other numbers.
  bool (*isclose)(dtype type, const char* x, const char* y, std::int64_t n, double rtol,
                  double atol, bool equal_nan, bool* out);
  /// sum of conj(x[i]) * y[i].
  bool (*conjugate_dot)(dtype type, const char* x, const char* y, std::int64_t n, char* out);
};

/// Those of this machine's instruction set.
const Passes& passes();
/// Those of one, for tests.
const Passes& passes(Arch arch);

/// internal/cpu/elementwise/loops_passes.cc.
template <Arch kArch>
struct PassesOf {
  static const Passes table;
};

}  // namespace cupyxx::internal::cpu
