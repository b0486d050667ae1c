// SPDX-License-Identifier: MIT
#include "cupyxx/extension/take_rows.h"

#include "cupyxx/internal/take.h"

namespace cupyxx::extension {

ndarray take_rows(const char* operation, const ndarray& table, const ndarray& indices) {
  return internal::take_in_name(operation, table, indices, 0, {}, /*refuses_negative=*/true);
}

}  // namespace cupyxx::extension
