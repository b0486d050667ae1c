// SPDX-License-Identifier: MIT
#include "cupyxx/core/parts.h"

#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/message.h"

namespace cupyxx::internal {

ndarray part_of(const char* operation, std::initializer_list<const ndarray*> parts, Int place) {
  std::vector<const ndarray*> made;
  for (const ndarray* part : parts) {
    if (!part->is_none()) made.push_back(part);
  }
  const int count = static_cast<int>(made.size());
  const int at = place < 0 ? place + count : int{place};
  if (at < 0 || at >= count) {
    throw IndexError(message(operation, ": there is no part ", int{place}, " among ", count));
  }
  return *made[static_cast<std::size_t>(at)];
}

}  // namespace cupyxx::internal
