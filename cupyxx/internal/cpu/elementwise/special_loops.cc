// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/special_loops.h"

#include <atomic>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "cupyxx/complex.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"

namespace cupyxx::internal::cpu {

namespace {

std::optional<Exponent> exponent_of(double value) {
  constexpr double kValues[] = {0, 1, -1, 0.5, 2, 3};
  static_assert(std::size(kValues) == kExponentCount);
  for (int i = 0; i < kExponentCount; ++i) {
    if (value == kValues[i]) return static_cast<Exponent>(i);
  }
  return {};
}

// A complex exponent as a real one; NaN where it is none.
double number(const char* value, dtype type) {
  if (type == complex128 || type == complex64) {
    const auto z = type == complex128
                       ? *reinterpret_cast<const complex<double>*>(value)
                       : complex<double>(*reinterpret_cast<const complex<float>*>(value));
    return z.im == 0 ? z.re : std::numeric_limits<double>::quiet_NaN();
  }
  if (type == float64) return *reinterpret_cast<const double*>(value);
  double result;
  char* const pair[] = {reinterpret_cast<char*>(&result), const_cast<char*>(value)};
  const std::int64_t strides[] = {8, 0};
  cast_loop(type, float64)(pair, strides, 1);
  return result;
}

bool is_power(const OpInfo& op) {
  return op.checks_negative_power || std::string_view(op.name) == "float_power";
}

LoopFn power(Arch arch, dtype compute, const char* constant, dtype type) {
  const std::optional<Exponent> exponent = exponent_of(number(constant, type));
  if (!exponent) return nullptr;
  return with_arch(arch,
                   [&]<Arch kArch>() { return SpecialLoops<kArch>::power(compute, *exponent); });
}

template <Arch kArch>
LoopFn find_in(const OpInfo& op, dtype type) {
  using Loops = SpecialLoops<kArch>;
  // Truths first: those of complex128 are another's entries, too.
  for (const auto find : {&Loops::truth, &Loops::find, &Loops::integer, &Loops::extreme,
                          &Loops::quotient, &Loops::short_quotient, &Loops::function}) {
    if (const LoopFn loop = find(op, type); loop != nullptr) return loop;
  }
  return nullptr;
}

// Whether all operands are read as the dtype they have, which is one: special loops are found by
// it.
bool has_one_dtype(const OpInfo& op, const LoopInfo& info) {
  for (int i = 0; i < op.nin; ++i) {
    if (info.in[i] != info.in[0] || info.compute_in[i] != info.in[0]) return false;
  }
  return true;
}

// What an operation's loops are, once looked up.
constexpr int kLoops = 24;
std::atomic<LoopFn> g_loops[kArchCount][kMaxOps][kLoops];

LoopFn look_up(const OpInfo& op, int loop, Arch arch) {
  const LoopInfo& info = op.loops[loop];
  LoopFn special = nullptr;
  if (has_one_dtype(op, info)) {
    special = with_arch(arch, [&]<Arch kArch>() { return find_in<kArch>(op, info.in[0]); });
  }
  return special != nullptr ? special : cpu_loop(op, loop, arch);
}

}  // namespace

LoopFn best_loop(const OpInfo& op, int loop, Arch arch, const char* constant, dtype type) {
  // Memory that is seen as bool, or was never written, may hold any byte: copied as it is.
  if (op.copies && type.is_bool() && op.loops[loop].out[0].is_bool()) {
    loop = op.same_loop[static_cast<int>(uint8.code())];
  }
  if (constant != nullptr && op.nin == 2 && is_power(op)) {
    const dtype compute = op.loops[loop].compute_in[0];
    const LoopFn special = power(arch, compute, constant, type);
    if (special != nullptr) return special;
  }
  if (loop >= kLoops) return look_up(op, loop, arch);
  std::atomic<LoopFn>& known = g_loops[static_cast<int>(arch)][op.id][loop];
  LoopFn found = known.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = look_up(op, loop, arch);
    known.store(found, std::memory_order_relaxed);
  }
  return found;
}

}  // namespace cupyxx::internal::cpu
