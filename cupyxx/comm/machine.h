// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cupyxx::comm::internal {

/// A name that only this machine has, at least until it starts again: ranks with one name are on
/// one machine. CUPYXX_COMM_MACHINE says another.
std::string machine_name();

}  // namespace cupyxx::comm::internal
