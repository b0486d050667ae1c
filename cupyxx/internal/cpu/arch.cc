// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/arch.h"

#include <cpuid.h>

#include <algorithm>

#include "cupyxx/error.h"
#include "cupyxx/export.h"
#include "cupyxx/extension/environment.h"

namespace cupyxx::internal::cpu {

namespace {

// Clang's __builtin_cpu_supports does not know it.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

Arch detect() {
  Arch best = Arch::baseline;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
      __builtin_cpu_supports("bmi2")) {
    best = Arch::avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      best = Arch::avx512;
    }
  }
  if (const auto wanted = extension::environment_choice(
          "CUPYXX_CPU",
          {arch_name(Arch::baseline), arch_name(Arch::avx2), arch_name(Arch::avx512)})) {
    best = std::min(best, static_cast<Arch>(*wanted));
  }
#ifdef CUPYXX_ONLY_ARCH
  constexpr Arch only = Arch::CUPYXX_ONLY_ARCH;
  if (best < only) {
    throw Error(message("this program was compiled for ", arch_name(only), " alone, and ",
                        arch_name(best), " is what this processor or CUPYXX_CPU allows"));
  }
  best = only;
#endif
  return best;
}

}  // namespace

CUPYXX_API Arch arch() {
  static const Arch best = detect();
  return best;
}

CUPYXX_API const char* arch_name(Arch arch) {
  constexpr const char* kNames[] = {"baseline", "avx2", "avx512"};
  return kNames[static_cast<int>(arch)];
}

}  // namespace cupyxx::internal::cpu
