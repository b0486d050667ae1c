// SPDX-License-Identifier: MIT
// The program that makes a library's kernel bundle, the `maker` of cx_kernel_bundle.
#pragma once

#include <span>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ops/prelude.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::extension {

struct KernelLibrary;

/// The ufuncs of a list of operations.
template <class... Op>
std::vector<const ufunc*> ufuncs_of(ops::OpList<Op...> /*list*/) {
  return {&internal::ufunc_of<Op>()...};
}

/// Compiles all kernels of a library, for all its types, and the kernels of its operations into one
/// file, the bundle. The kernels must be linked into this program. The arguments are OUTPUT
/// [ARCHITECTURE ...]; returns what main() is to return.
CUPYXX_API int make_bundle(int argc, char** argv, const KernelLibrary& library,
                           std::span<const ufunc* const> operations = {});

}  // namespace cupyxx::extension
