// SPDX-License-Identifier: MIT
// Preambles that define what a host's headers define, too.
#pragma once

#include <string>
#include <string_view>

namespace cupyxx::internal::user_kernel {

/// A preamble whose typedefs of standard names ("typedef long long int64_t;") compile beside a
/// host's headers, where the type may be another of the same size: from there on the name means the
/// text's own type. NVRTC has no such headers.
std::string with_own_typedefs(std::string_view preamble);

}  // namespace cupyxx::internal::user_kernel
