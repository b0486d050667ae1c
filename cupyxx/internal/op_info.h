// SPDX-License-Identifier: MIT
// An operation as data: what the run time knows of an `ops::` struct. Made from the struct at
// compile time by registry.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "cupyxx/dtype.h"
#include "cupyxx/ops/properties.h"

namespace cupyxx::internal {

/// The 1-D inner loop of one signature: outputs first, then inputs; strides in bytes.
using LoopFn = void (*)(char* const* data, const std::int64_t* strides, std::int64_t n);

/// The instruction sets for which loops are compiled.
enum class Arch : std::uint8_t { baseline, avx2, avx512 };
inline constexpr int kArchCount = 3;

/// Inputs of an operation are at most so many.
inline constexpr int kMaxInputs = 4;

/// The dtypes of one signature.
struct LoopInfo {
  cupyxx::dtype in[kMaxInputs];
  cupyxx::dtype out[2];
  cupyxx::dtype compute_in[kMaxInputs];  // float32 for float16, unless the body takes half itself
  cupyxx::dtype compute_out[2];
};

struct OpInfo {
  const char* name;
  const char* doc;
  std::string_view type_name;  // "cupyxx::ops::Exp"
  const char* header;          // "cupyxx/ops/exp_log.h"
  int nin;
  int nout;
  int nloops;
  const LoopInfo* loops;
  int nreal;                                       // loops before the complex ones
  const LoopFn* const* cpu_loops[kArchCount];      // a table of nreal each, null where not compiled
  const LoopFn* const* complex_loops[kArchCount];  // the same of the others
  bool no_bool;
  bool integers_divide_to_double;
  bool compares;
  bool checks_negative_power;
  bool reads_truth;
  bool copies;
  bool vector_function;
  bool reorderable;
  bool widens;
  ops::Identity identity;
  ops::Fold fold;
  unsigned bundled;
  int parameters;
  std::int8_t same_loop[dtype::kComputeCount];  // loop whose inputs all have this dtype, or -1
  std::uint16_t id;                             // dense, for tables
};

/// Ids are below this.
inline constexpr int kMaxOps = 1024;

/// The CPU loop of a signature for an instruction set.
inline LoopFn cpu_loop(const OpInfo& op, int loop, Arch arch) {
  const int set = static_cast<int>(arch);
  return loop < op.nreal ? (*op.cpu_loops[set])[loop] : (*op.complex_loops[set])[loop - op.nreal];
}

/// The CPU loops of one operation for one instruction set; defined in internal/cpu/loops_*.cc.
template <class Op, Arch kArch>
struct OpLoops {
  static const LoopFn* const table;
};

/// Its complex loops: internal/cpu/complex_*.cc.
template <class Op, Arch kArch>
struct ComplexOpLoops {
  static const LoopFn* const table;
};

}  // namespace cupyxx::internal
