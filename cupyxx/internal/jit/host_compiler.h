// SPDX-License-Identifier: MIT
// Programs for the host: compiled by the system's C++ compiler, kept in the disk cache, loaded as
// shared objects. The compiler is that of CUPYXX_CXX, else CXX, else `c++`.
#pragma once

#include <string>
#include <vector>

namespace cupyxx::internal::jit {

/// A program for the host. The text may include the embedded device-safe headers by name; the
/// names of CUDA's C++ that mean nothing on a host (`__device__`) are empty, `min`, `max`, `rsqrt`
/// and `atomicAdd` exist.
struct HostProgram {
  std::string name;  // for messages
  std::string text;
  std::string entry;  // extern "C", of default visibility
  std::vector<std::string> options = {};
};

/// The address of a program's entry, which stays loaded for ever. Throws CompileError with the log
/// and the numbered source, or when there is no compiler.
void* load_host(const HostProgram& program);

}  // namespace cupyxx::internal::jit
