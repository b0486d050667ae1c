// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/column_sums_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {

template <cupyxx::extension::Arch kArch, class T>
void ColumnSumsLoops<kArch, T>::add_rows(const T* __restrict matrix, C* __restrict sums,
                                         std::int64_t rows, std::int64_t stride,
                                         std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      sums[c] += static_cast<C>(matrix[r * stride + c]);
    }
  }
}

CHAINERXX_FOR_ELEMENT_TYPES(ColumnSumsLoops)

}  // namespace chainerxx::internal::cpu
