// SPDX-License-Identifier: MIT
// Compiled programs by key: in the bundle, on disk, or from NVRTC.
#pragma once

#include <string>
#include <string_view>

#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/hash.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

/// What a program is compiled from: its text, the embedded headers it includes and all options. Its
/// name and entry do not count.
Hash128 source_key(const Program& program, std::string_view architecture);
/// The key in a bundle; whoever made the bundle chose the compiler.
Hash128 bundle_key(const Program& program, std::string_view architecture);
/// The name in the disk cache, which depends on the compiler too; empty without NVRTC.
std::string disk_name(const Program& program, std::string_view architecture);

/// The cubin of a program, from the bundle, the disk cache or NVRTC, and counted. `storage` holds
/// what the result points to unless that is the bundle. Throws CompileError, Error.
std::string_view find_cubin(const Program& program, std::string_view architecture,
                            const Bundle& bundle, DiskCache& cache, std::string& storage);

}  // namespace cupyxx::internal::jit
