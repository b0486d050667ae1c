// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/passes.h"

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {

const Passes& passes(Arch arch) {
  switch (arch) {
    case Arch::avx512:
      return PassesOf<Arch::avx512>::table;
    case Arch::avx2:
      return PassesOf<Arch::avx2>::table;
    default:
      return PassesOf<Arch::baseline>::table;
  }
}

const Passes& passes() { return passes(arch()); }

}  // namespace cupyxx::internal::cpu
