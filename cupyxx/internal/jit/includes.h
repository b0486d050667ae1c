// SPDX-License-Identifier: MIT
// Files that a user's source includes from disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {

/// The folders of the CUDA toolkit's headers; none when there is no toolkit.
std::vector<std::string> toolkit_headers();

/// A hash of the contents of all files that a source includes, and that those include, found in the
/// folders of `-I` options. The toolkit's own are left out: the compiler's version stands for them.
Hash128 hash_of_includes(std::string_view text, const std::vector<std::string>& options);

}  // namespace cupyxx::internal::jit
