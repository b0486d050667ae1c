// SPDX-License-Identifier: MIT
// What texts find on a device or in a header of C, added on the host where a text names it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace cupyxx::internal::user_kernel {

/// Definitions for the names that the preamble and the texts mention: CUDA's vectors (`float4`,
/// `make_int2`), its inverse functions (`erfinv`, `normcdfinv`), the limits of C (`FLT_MAX`). What
/// the preamble defines itself is left to it.
std::string host_texts(std::string_view preamble, std::initializer_list<std::string_view> texts);

}  // namespace cupyxx::internal::user_kernel
