// SPDX-License-Identifier: MIT
// Loops that take the place of an operation's own where the operands allow something cheaper:
// powers with one exponent for all elements, magnitudes of complex numbers in vectors.
#pragma once

#include <cstddef>
#include <string_view>

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

namespace {  // of each instruction set: see loops.h

/// A loop that takes the place of an operation's own over operands of one dtype.
struct LoopEntry {
  const char* op;
  dtype type;
  LoopFn loop;
};
/// That of an operation among them; null where there is none.
template <std::size_t kCount>
LoopFn find_loop(const LoopEntry (&entries)[kCount], const OpInfo& op, dtype type) {
  for (const LoopEntry& entry : entries) {
    if (entry.type == type && std::string_view(entry.op) == op.name) return entry.loop;
  }
  return nullptr;
}

}  // namespace

/// What stands in for the C library's power.
enum class Exponent : std::uint8_t { zero, one, minus_one, half, two, three };
inline constexpr int kExponentCount = 6;

/// The loops of one instruction set: internal/cpu/elementwise/loops_special.cc.
template <Arch kArch>
struct SpecialLoops {
  /// x ** exponent over elements of the type in which the loop computes; null where there is none.
  static LoopFn power(dtype type, Exponent exponent);
  /// The loop of an operation over operands of a dtype that is cheaper than its own; null where
  /// there is none.
  static LoopFn find(const OpInfo& op, dtype type);
  /// The same for quotients and remainders: internal/cpu/elementwise/loops_quotients.cc.
  static LoopFn quotient(const OpInfo& op, dtype type);
  /// The same of integers of up to 32 bits: internal/cpu/elementwise/loops_short_quotients.cc.
  static LoopFn short_quotient(const OpInfo& op, dtype type);
  /// The same for powers and long functions: internal/cpu/elementwise/loops_functions.cc.
  static LoopFn function(const OpInfo& op, dtype type);
  /// The same for the larger or smaller of two: internal/cpu/elementwise/loops_extremes.cc.
  static LoopFn extreme(const OpInfo& op, dtype type);
  /// The same for signs and shifts: internal/cpu/elementwise/loops_integers.cc.
  static LoopFn integer(const OpInfo& op, dtype type);
  /// The same for comparisons, logic and tests: internal/cpu/elementwise/loops_truths.cc.
  static LoopFn truth(const OpInfo& op, dtype type);
};

/// A faster loop than `cpu_loop(op, loop, arch)`, or that loop. It gives the same bits but for
/// magnitudes, floating powers and long functions (logarithms, tanh, i0), whose last bits may
/// differ. `constant` is the last operand of type `type` where one number serves all elements, or
/// null.
LoopFn best_loop(const OpInfo& op, int loop, Arch arch, const char* constant, dtype type);

}  // namespace cupyxx::internal::cpu
