// SPDX-License-Identifier: MIT
// Loops on the host that are compiled for several instruction sets, of which the best is chosen
// when they are called. The functions are members of a template over the instruction set:
//
//   // sum_loops.h
//   template <cupyxx::extension::Arch kArch>
//   struct SumLoops {
//     static float sum(const float* x, std::int64_t n);
//   };
//
//   // sum_loops.cc, which is compiled for each
//   template <>
//   float SumLoops<Arch::CUPYXX_ARCH>::sum(const float* x, std::int64_t n) { ... }
//
// The linker must not share anything of such a file between instruction sets: the rest of it is in
// the unnamed namespace or always inlined, and no function of the standard library is instantiated.
//
//   # BUILD.bazel
//   load("@cupyxx//cupyxx/extension:loops.bzl", "cpu_loops")
//   cpu_loops(
//       name = "sum_loops",
//       srcs = ["sum_loops.cc", "sum_loops.h"],
//       deps = ["@cupyxx//cupyxx/extension:instruction_set"],
//   )
//
//   // sum.cc, which depends on the loops
//   with_arch([&]<Arch kArch>() { return SumLoops<kArch>::sum(x, n); });
#pragma once

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::extension {

/// The instruction sets for which loops are compiled: baseline (SSE2), avx2 (x86-64-v3) and avx512
/// (x86-64-v4).
using internal::Arch;
/// The best of this CPU; CUPYXX_CPU=baseline|avx2|avx512 in the environment lowers it. Throws Error
/// where this build is for one alone (--//bazel:instruction_set) and that is beyond it.
using internal::cpu::arch;
/// Its name, "avx512".
using internal::cpu::arch_name;
/// Whether this build has loops for it.
using internal::cpu::is_compiled;
/// `with_arch(arch, f)` returns f.operator()<kArch>() of an instruction set that was compiled.
using internal::cpu::with_arch;

/// The same of the best one.
template <class F>
decltype(auto) with_arch(const F& f) {
  return with_arch(arch(), f);
}

}  // namespace cupyxx::extension
