// SPDX-License-Identifier: MIT
#include "cupyxx/core/resolve.h"

#include <string>

#include "cupyxx/error.h"

namespace cupyxx::internal {

namespace {

// The dtype an operand has by itself; unspecified for weak scalars.
dtype strong_dtype(const Operand& operand) {
  return operand.is_array() ? operand.array().dtype() : operand.scalar().dtype();
}

dtype promote_strong(std::span<const Operand* const> operands) {
  dtype strong;
  for (const Operand* operand : operands) {
    const dtype own = strong_dtype(*operand);
    if (own) strong = strong ? promote_types(strong, own) : own;
  }
  return strong;
}

// How much a dtype knows of the others: NumPy numbers float16 last.
int knowledge(dtype type) {
  return type == float16 || type == bfloat16_ ? dtype::kCount : static_cast<int>(type.code());
}

// The common dtype of those that have one: each is promoted with the one that knows most, then
// these.
template <class Items, class TypeOf>
dtype common_of(const Items& items, TypeOf type_of) {
  dtype most;
  for (const auto& item : items) {
    const dtype type = type_of(item);
    if (type && (!most || knowledge(type) > knowledge(most))) most = type;
  }
  dtype common = most;
  for (const auto& item : items) {
    if (const dtype type = type_of(item)) common = promote_types(common, promote_types(most, type));
  }
  return common;
}

// Without an array, weak scalars make up their minds among themselves.
dtype promote_weak(std::span<const Operand* const> operands) {
  dtype common = bool_;
  for (const Operand* operand : operands) {
    if (!operand->is_array()) common = promote_types(common, operand->scalar().own_dtype());
  }
  return common;
}

[[noreturn]] void throw_no_loop(const OpInfo& op, std::span<const Operand* const> operands,
                                dtype wanted) {
  std::string text = std::string(op.name) + ": no loop for ";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) text += i + 1 == operands.size() ? " and " : ", ";
    const Operand& operand = *operands[i];
    text +=
        operand.is_array() ? operand.array().dtype().name() : operand.scalar().own_dtype().name();
  }
  if (wanted) text += " that gives " + std::string(wanted.name());
  throw DtypeError(text);
}

// Rules stricter than the loops' own choice count for operands, too.
void check_operand_casts(const OpInfo& op, const LoopInfo& info,
                         std::span<const Operand* const> operands, Casting casting) {
  if (op.reads_truth || (casting != Casting::no && casting != Casting::equiv)) return;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const dtype own = strong_dtype(*operands[i]);
    if (!own || can_cast(own, info.in[i], casting)) continue;
    throw DtypeError(message(op.name, ": cannot cast operand ", i, " from ", own.name(), " to ",
                             info.in[i].name(), " with casting rule '", name(casting), "'"));
  }
}

}  // namespace

dtype weak_dtype(const Scalar& scalar, dtype strong) {
  switch (scalar.kind()) {
    case Scalar::Kind::boolean:
      return bool_;
    case Scalar::Kind::complex_floating: {
      if (strong.is_complex()) return strong;
      const bool is_single = strong == float16 || strong == bfloat16_ || strong == float32;
      return is_single ? complex64 : complex128;
    }
    case Scalar::Kind::floating:
      return strong && (strong.is_floating() || strong.is_complex()) ? strong : float64;
    default:
      return strong && !strong.is_bool() ? strong : scalar.own_dtype();
  }
}

dtype common_dtype(std::span<const ndarray> arrays) {
  return common_of(arrays, [](const ndarray& a) { return a.dtype(); });
}

dtype result_type(std::span<const Operand* const> operands) {
  const dtype strong = common_of(operands, [](const Operand* x) { return strong_dtype(*x); });
  if (!strong) return promote_weak(operands);
  dtype common = strong;
  for (const Operand* operand : operands) {
    if (strong_dtype(*operand)) continue;
    common = promote_types(common, weak_dtype(operand->scalar(), strong));
  }
  return common;
}

int resolve_loop(const OpInfo& op, std::span<const Operand* const> operands, dtype wanted,
                 Casting casting) {
  dtype strong = promote_strong(operands);
  if (!strong) strong = promote_weak(operands);
  dtype have[kMaxInputs];
  // Beside floats and uint64, which no loop has with integers: also an int64, for ldexp(x, 2).
  bool weak_integer[kMaxInputs] = {};
  bool all_bool = true;
  bool all_integral = true;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const dtype own = strong_dtype(*operands[i]);
    have[i] = own ? own : weak_dtype(operands[i]->scalar(), strong);
    // Casting rules know more dtypes than the loops can read.
    if (static_cast<int>(have[i].code()) >= dtype::kComputeCount) {
      throw_no_loop(op, operands, wanted);
    }
    weak_integer[i] =
        !own && (strong.is_floating() || strong == uint64) && !operands[i]->scalar().is_inexact();
    all_bool = all_bool && have[i].is_bool();
    all_integral = all_integral && (have[i].is_bool() || have[i].is_integer());
  }
  if (op.no_bool && all_bool && !wanted) throw_no_loop(op, operands, wanted);
  if (op.integers_divide_to_double && all_integral && !wanted) wanted = float64;
  bool same = !wanted && static_cast<int>(have[0].code()) < dtype::kComputeCount;
  for (std::size_t i = 1; i < operands.size(); ++i) same = same && have[i] == have[0];
  if (same && op.same_loop[static_cast<int>(have[0].code())] >= 0) {
    return op.same_loop[static_cast<int>(have[0].code())];
  }
  const auto find = [&](Casting rule) {
    for (int loop = 0; loop < op.nloops; ++loop) {
      const LoopInfo& info = op.loops[loop];
      if (wanted && info.out[0] != wanted) continue;
      bool fits = true;
      for (std::size_t i = 0; i < operands.size() && fits; ++i) {
        fits = can_cast(have[i], info.in[i], rule) || (weak_integer[i] && info.in[i] == int64);
      }
      if (fits) return loop;
    }
    return -1;
  };
  // Many loops may give the dtype that is asked for: comparisons are all bool. One that keeps the
  // operands' values comes first.
  int found = find(Casting::safe);
  if (found < 0 && wanted) found = find(casting);
  if (found >= 0) {
    check_operand_casts(op, op.loops[found], operands, casting);
    return found;
  }
  throw_no_loop(op, operands, wanted);
}

}  // namespace cupyxx::internal
