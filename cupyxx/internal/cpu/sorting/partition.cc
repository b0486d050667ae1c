// SPDX-License-Identifier: MIT
#include "cupyxx/internal/partition.h"

#include <algorithm>
#include <type_traits>

#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/sorting/selector.h"
#include "cupyxx/internal/cpu/with_type.h"

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

template <class T>
void partition_values(const PartitionCall& call) {
  const auto* from = static_cast<const T*>(call.source->data());
  auto* to = static_cast<T*>(call.values->data());
  const i64 n = call.n;
  parallel_for(call.rows, std::max<i64>(1, kGrain / 4 / n), [&](i64 begin, i64 end) {
    Selector<Values<T>> selector(n);
    for (i64 row = begin; row < end; ++row) {
      copy_bytes(to + row * n, from + row * n, static_cast<std::size_t>(n) * sizeof(T));
      selector.select(to + row * n, 0, n, call.kth);
    }
  });
}

template <class T>
void partition_places(const PartitionCall& call) {
  const auto* from = static_cast<const T*>(call.source->data());
  auto* to = static_cast<i64*>(call.places->data());
  const i64 n = call.n;
  parallel_for(call.rows, std::max<i64>(1, kGrain / 4 / n), [&](i64 begin, i64 end) {
    Selector<Positions<T>> selector(n);
    for (i64 row = begin; row < end; ++row) {
      selector.set_source({from + row * n});
      for (i64 i = 0; i < n; ++i) to[row * n + i] = i;
      selector.select(to + row * n, 0, n, call.kth);
    }
  });
}

template <class T>
void partition_typed(const PartitionCall& call) {
  call.values != nullptr ? partition_values<T>(call) : partition_places<T>(call);
}

}  // namespace

void partition_rows(const PartitionCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  with_type(call.source->dtype(), [&](auto* element) {
    partition_typed<std::remove_pointer_t<decltype(element)>>(call);
  });
}

}  // namespace cupyxx::internal::cpu
