// SPDX-License-Identifier: MIT
// The instruction set that this machine's loops use.
#pragma once

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// Whether this build has loops for it: --//bazel:instruction_set=avx512 leaves the others out, and
/// defines CUPYXX_ONLY_ARCH.
constexpr bool is_compiled([[maybe_unused]] Arch arch) {
#ifdef CUPYXX_ONLY_ARCH
  return arch == Arch::CUPYXX_ONLY_ARCH;
#else
  return true;
#endif
}

/// Returns f.operator()<kArch>() of the instruction set `arch`, which must have been compiled.
template <class F>
decltype(auto) with_arch([[maybe_unused]] Arch arch, const F& f) {
#ifdef CUPYXX_ONLY_ARCH
  return f.template operator()<Arch::CUPYXX_ONLY_ARCH>();
#else
  switch (arch) {
    case Arch::avx512:
      return f.template operator()<Arch::avx512>();
    case Arch::avx2:
      return f.template operator()<Arch::avx2>();
    default:
      return f.template operator()<Arch::baseline>();
  }
#endif
}

/// The best compiled instruction set of this CPU; CUPYXX_CPU=baseline|avx2|avx512 lowers it. Throws
/// Error where the one of this build is beyond that.
Arch arch();
/// "avx512".
const char* arch_name(Arch arch);

}  // namespace cupyxx::internal::cpu
