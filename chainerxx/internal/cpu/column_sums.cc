// SPDX-License-Identifier: MIT
#include <algorithm>

#include "chainerxx/internal/cpu/column_sums_loops.h"
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {

using namespace kernels;

void column_sums(cupyxx::dtype type, const ColumnSumsArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    constexpr std::int64_t kColumns = 256;
    const T* const matrix = static_cast<const T*>(args.matrix);
    T* const out = static_cast<T*>(args.out);
    const auto part = [&](std::int64_t begin) {
      const std::int64_t n = std::min(kColumns, args.columns - begin);
      Compute<T> sums[kColumns] = {};
      with_arch([&]<Arch kArch>() {
        ColumnSumsLoops<kArch, T>::add_rows(matrix + begin, sums, args.rows, args.columns, n);
      });
      for (std::int64_t c = 0; c < n; ++c) {
        out[begin + c] = T(static_cast<Compute<T>>(out[begin + c]) + sums[c]);
      }
    };
    const std::int64_t parts = (args.columns + kColumns - 1) / kColumns;
    const auto grain = std::max<std::int64_t>(1, kGrain / (args.rows * kColumns));
    parallel_for(parts, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) part(i * kColumns);
    });
  });
}

}  // namespace chainerxx::internal::cpu
