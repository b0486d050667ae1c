// SPDX-License-Identifier: MIT
// Environment variables that choose among words: CUPYXX_CPU=avx2.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// Which of `known` an environment variable says; none where it is unset or empty. Where it says
/// something else, none as well, with one line on stderr that names the variable, what it says and
/// what is known.
CUPYXX_API std::optional<std::size_t> environment_choice(
    const char* variable, std::initializer_list<std::string_view> known);

}  // namespace cupyxx::extension
