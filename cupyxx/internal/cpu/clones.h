// SPDX-License-Identifier: MIT
// A loop for several instruction sets in one source file.
#pragma once

#include "cupyxx/internal/cpu/arch.h"

/// CUPYXX_CLONES(avx512), before a function: one copy for each instruction set of the build, of
/// which the loader takes the best; `avx512` is the target of the widest, for instance "avx512f".
/// One copy under Clang, which has none of templates, and under sanitizers, which cannot run that
/// early.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CUPYXX_CLONES(avx512)
#elif defined(CUPYXX_ONLY_ARCH)
#define CUPYXX_TARGET_baseline
#define CUPYXX_TARGET_avx2 __attribute__((target("avx2")))
#define CUPYXX_TARGET_avx512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define CUPYXX_TARGET_JOIN(arch) CUPYXX_TARGET_##arch
#define CUPYXX_TARGET(arch) CUPYXX_TARGET_JOIN(arch)
#define CUPYXX_CLONES(avx512) CUPYXX_TARGET(CUPYXX_ONLY_ARCH)
#else
#define CUPYXX_CLONES(avx512) __attribute__((target_clones("default", "avx2", avx512)))
#endif
