// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/passes.h"

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {

const Passes& passes(Arch arch) {
  return with_arch(arch, []<Arch kArch>() -> const Passes& { return PassesOf<kArch>::table; });
}

const Passes& passes() { return passes(arch()); }

}  // namespace cupyxx::internal::cpu
