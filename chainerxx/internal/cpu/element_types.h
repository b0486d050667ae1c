// SPDX-License-Identifier: MIT
// What the files of loops that are compiled once per instruction set have in common. They include
// nothing of the standard library with code: the linker would share it among the instruction sets.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/instruction_set.h"

/// Instantiates `template <Arch kArch, class T> struct Loops` for the instruction set that is
/// compiled and all element types.
#define CHAINERXX_FOR_ELEMENT_TYPES(Loops)                                       \
  template struct Loops<cupyxx::extension::Arch::CUPYXX_ARCH, cupyxx::half>;     \
  template struct Loops<cupyxx::extension::Arch::CUPYXX_ARCH, cupyxx::bfloat16>; \
  template struct Loops<cupyxx::extension::Arch::CUPYXX_ARCH, float>;            \
  template struct Loops<cupyxx::extension::Arch::CUPYXX_ARCH, double>;
