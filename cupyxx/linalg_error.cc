// SPDX-License-Identifier: MIT
#include "cupyxx/linalg_error.h"

namespace cupyxx::linalg {

LinAlgError::LinAlgError(const std::string& what) : Error(what), ValueError(what) {}
LinAlgError::~LinAlgError() = default;

}  // namespace cupyxx::linalg
