// SPDX-License-Identifier: MIT
// A build without CUDA compiles no kernels.
#include "cupyxx/error.h"
#include "cupyxx/internal/jit/module.h"
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {

bool nvrtc_available() { return false; }

std::string compile(const Program& program, std::string_view) {
  throw Error(message(program.name, ": kernels cannot be compiled; this build has no CUDA"));
}

ModuleImage compile_module(const ModuleSource& source, std::string_view) {
  throw Error(message(source.name, ": kernels cannot be compiled; this build has no CUDA"));
}

std::string nvrtc_path() { return ""; }

std::string find_nvrtc_identity(DiskCache&) { return ""; }

const std::string& nvrtc_identity() {
  static const std::string none;
  return none;
}

}  // namespace cupyxx::internal::jit
