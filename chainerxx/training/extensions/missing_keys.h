// SPDX-License-Identifier: MIT
// A word on standard error about keys under which nothing is reported.
#pragma once

#include <span>
#include <string>

#include "chainerxx/training/callback.h"

namespace chainerxx::training::internal {

/// Names the keys that `has` does not know, once all others, `there_is`; nothing where it knows
/// all. It is no error: what is reported every tenth epoch is missing in the first ones.
void warn_of_missing_keys(const char* operation, std::span<const std::string> keys,
                          const Callback<bool(const std::string&)>& has,
                          const std::string& there_is);

}  // namespace chainerxx::training::internal
