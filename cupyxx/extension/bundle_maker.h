// SPDX-License-Identifier: MIT
// The program that makes a library's kernel bundle, the `maker` of cx_kernel_bundle.
#pragma once

namespace cupyxx::extension {

struct KernelLibrary;

/// Compiles the kernels of a library that are linked into this program, for all its types, into one
/// file; the arguments are OUTPUT [ARCHITECTURE ...]. What main() returns.
int make_bundle(int argc, char** argv, const KernelLibrary& library);

}  // namespace cupyxx::extension
