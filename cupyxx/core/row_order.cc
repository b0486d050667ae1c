// SPDX-License-Identifier: MIT
#include "cupyxx/core/row_order.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/math.h"

namespace cupyxx::internal {

RowOrder order_rows(const char* operation, const ndarray& rows, std::int64_t row_count) {
  // Sorting takes a pass for each byte, so the numbers are made as short as they can be.
  const dtype type = row_count <= INT16_MAX ? int16 : row_count <= INT32_MAX ? int32 : int64;
  const Device device = rows.device();
  const ndarray keys = type == int64 ? rows : maximum(rows, -1).astype(type);
  RowOrder order{make_array(operation, rows.shape(), type, device),
                 make_array(operation, rows.shape(), int64, device)};
  gpu::sort_rows({operation, &keys, &order.rows, &order.places, 1, rows.size()});
  order.rows = order.rows.astype(int64, false);
  return order;
}

}  // namespace cupyxx::internal
