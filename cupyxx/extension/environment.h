// SPDX-License-Identifier: MIT
// Environment variables that choose among words, CUPYXX_CPU=avx2, and switches, CUPYXX_TUNE=on.
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

/// Whether a word switches on (1, on, true, yes) or off (0, off, false, no), in capitals or not;
/// none of another word.
CUPYXX_API std::optional<bool> switch_of(std::string_view word);

/// What an environment variable switches: one of the words of switch_of. Where it is unset or empty
/// `otherwise`, and where it says something else, with one line on stderr as above.
CUPYXX_API bool environment_switch(const char* variable, bool otherwise);

}  // namespace cupyxx::extension
