// SPDX-License-Identifier: MIT
// NVRTC, opened on first use; it needs no device and no driver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

/// Options of every program, then the program's own; of two that set the same thing, the program's.
std::vector<std::string> compile_options(const Program& program, std::string_view architecture);

/// Whether a program is compiled for the architecture that is asked for, and not for one that its
/// own options name, of which `__CUDA_ARCH__` may be older than the device.
bool runs_as_compiled_for(const Program& program, std::string_view architecture);

/// The file that NVRTC would be loaded from; empty without it. Loads nothing.
std::string nvrtc_path();

class DiskCache;

/// Which NVRTC compiles here, "13.0+104857600" (version and size of the library), for keys of the
/// disk cache; empty without NVRTC. A warm disk cache answers without opening the library: it
/// remembers the version beside the size and time of every file that the search could find.
/// This asks anew; nvrtc_identity() asks once, of the process's cache.
std::string find_nvrtc_identity(DiskCache& cache);
const std::string& nvrtc_identity();

}  // namespace cupyxx::internal::jit
