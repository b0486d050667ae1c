// SPDX-License-Identifier: MIT
#include "cupyxx/internal/sorting.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/routine_loops.h"
#include "cupyxx/internal/cpu/sorting/key_order.h"
#include "cupyxx/internal/cpu/sorting/search_loops.h"
#include "cupyxx/internal/cpu/sorting/sort_loops.h"
#include "cupyxx/internal/cpu/with_type.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::cpu {

namespace {

using kernels::SortKey;

/// Sorts the rows [begin, end) by keys, which bring their places along.
template <class T>
void sort_typed(const SortCall& call, std::int64_t begin, std::int64_t end) {
  const auto* source = static_cast<const T*>(call.source->elements());
  auto* values = call.values == nullptr ? nullptr : static_cast<T*>(call.values->elements());
  auto* places =
      call.places == nullptr ? nullptr : static_cast<std::int64_t*>(call.places->elements());
  const std::int64_t n = call.n;
  const std::unique_ptr<std::int64_t[]> spare(
      places == nullptr ? new std::int64_t[static_cast<std::size_t>(n)] : nullptr);
  KeyOrder<typename SortKey<T>::type> order(n);
  for (std::int64_t row = begin; row < end; ++row) {
    const T* from = source + row * n;
    std::int64_t* to = places == nullptr ? spare.get() : places + row * n;
    order.sort(
        n, [from](std::int64_t i) { return SortKey<T>::of(from[i]); }, to);
    if (values == nullptr) continue;
    for (std::int64_t i = 0; i < n; ++i) values[row * n + i] = from[to[i]];
  }
}

/// Sorts n chosen numbers, the ascending `places`, by both parts; `spare` is room for as many.
template <class T>
void sort_pairs(KeyOrder<typename SortKey<T>::type>& by_key, const complex<T>* from,
                std::int64_t* places, std::int64_t n, std::int64_t* spare) {
  const auto re = [&](std::int64_t i) { return SortKey<T>::of(from[i].re); };
  const auto im = [&](std::int64_t i) { return SortKey<T>::of(from[i].im); };
  const auto sort_by = [&](auto part, std::int64_t* some, std::int64_t count) {
    by_key.sort(
        count, [&](std::int64_t i) { return part(some[i]); }, spare);
    for (std::int64_t i = 0; i < count; ++i) spare[i] = some[spare[i]];
    std::copy(spare, spare + count, some);
  };
  sort_by(re, places, n);
  for (std::int64_t first = 0; first + 1 < n;) {
    std::int64_t end = first + 1;
    const auto key = re(places[first]);
    while (end < n && re(places[end]) == key) ++end;
    if (end - first > 1) sort_by(im, places + first, end - first);
    first = end;
  }
}

/// By the real parts, then by the imaginary ones, and those with a NaN behind all others, those
/// with a real one last.
template <class T>
void sort_complex(const SortCall& call, std::int64_t begin, std::int64_t end) {
  using Key = typename SortKey<T>::type;
  const auto* source = static_cast<const complex<T>*>(call.source->elements());
  auto* values =
      call.values == nullptr ? nullptr : static_cast<complex<T>*>(call.values->elements());
  auto* places =
      call.places == nullptr ? nullptr : static_cast<std::int64_t*>(call.places->elements());
  const std::int64_t n = call.n;
  const auto length = static_cast<std::size_t>(n);
  std::vector<std::int64_t> chosen(length), order(length);
  KeyOrder<Key> by_key(n);
  for (std::int64_t row = begin; row < end; ++row) {
    const complex<T>* from = source + row * n;
    const auto kind = [from](std::int64_t i) {
      return (from[i].re != from[i].re ? 2 : 0) + (from[i].im != from[i].im ? 1 : 0);
    };
    std::int64_t counts[5] = {};
    for (std::int64_t i = 0; i < n; ++i) ++counts[kind(i) + 1];
    for (int k = 1; k < 5; ++k) counts[k] += counts[k - 1];
    std::int64_t next[4] = {counts[0], counts[1], counts[2], counts[3]};
    for (std::int64_t i = 0; i < n; ++i) chosen[static_cast<std::size_t>(next[kind(i)]++)] = i;
    for (int k = 0; k < 4; ++k) {
      const std::int64_t size = counts[k + 1] - counts[k];
      if (size > 0) sort_pairs<T>(by_key, from, chosen.data() + counts[k], size, order.data());
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t place = chosen[static_cast<std::size_t>(i)];
      if (values != nullptr) values[row * n + i] = from[place];
      if (places != nullptr) places[row * n + i] = place;
    }
  }
}

void sort_with_places(const SortCall& call, std::int64_t begin, std::int64_t end) {
  if (call.source->dtype() == complex64) return sort_complex<float>(call, begin, end);
  if (call.source->dtype() == complex128) return sort_complex<double>(call, begin, end);
  with_type(call.source->dtype(), [&](auto* element) {
    using T = std::remove_pointer_t<decltype(element)>;
    sort_typed<T>(call, begin, end);
  });
}

void search_range(const SearchLoop& loop) {
  with_arch(arch(), [&]<Arch kArch>() { SearchLoops<kArch>::search_sorted(loop); });
}

void running_sums(const kernels::i64* in, kernels::i64* out, std::int64_t n) {
  static_assert(sizeof(kernels::i64) == sizeof(std::int64_t));
  with_arch(arch(), [&]<Arch kArch>() {
    RoutineLoops<kArch>::running_sums(reinterpret_cast<const std::int64_t*>(in),
                                      reinterpret_cast<std::int64_t*>(out), n);
  });
}

template <class Op, class T>
void scan_typed(const ScanCall& call) {
  const auto* in = static_cast<const T*>(call.in->elements());
  auto* out = static_cast<T*>(call.out->elements());
  const std::int64_t n = call.n;
  const auto grain = std::max<std::int64_t>(1, kGrain / (n + 1));
  parallel_for(call.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      if constexpr (std::is_same_v<Op, kernels::ScanSum> && std::is_same_v<T, kernels::i64>) {
        running_sums(in + row * n, out + row * n, n);
        continue;
      }
      T sum = in[row * n];
      out[row * n] = sum;
      for (std::int64_t i = row * n + 1; i < (row + 1) * n; ++i) {
        sum = Op::join(sum, in[i]);
        out[i] = sum;
      }
    }
  });
}

template <class Op>
void scan_any(const ScanCall& call) {
  const dtype type = call.in->dtype();
  // Unsigned numbers wrap as the signed ones do.
  if (type == float64) return scan_typed<Op, double>(call);
  if (type == float32) return scan_typed<Op, float>(call);
  if (type == complex64) return scan_typed<Op, complex<float>>(call);
  if (type == complex128) return scan_typed<Op, complex<double>>(call);
  scan_typed<Op, kernels::i64>(call);
}

}  // namespace

std::optional<SortType> sort_type(dtype type) {
  using C = dtype::Code;
  switch (type.code()) {
    case C::int32:
      return SortType::i32;
    case C::uint32:
      return SortType::u32;
    case C::float32:
      return SortType::f32;
    case C::int64:
      return SortType::i64;
    case C::uint64:
      return SortType::u64;
    case C::float64:
      return SortType::f64;
    default:
      return {};
  }
}

bool sorts_values(std::int64_t n) { return arch() == Arch::avx512 || n <= 32; }

bool sort_values(const SortLoop& loop) {
  return with_arch(arch(), [&]<Arch kArch>() { return SortLoops<kArch>::sort_values(loop); });
}

void sort_rows(const SortCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  const std::optional<SortType> type = sort_type(call.source->dtype());
  const std::int64_t n = call.n, bytes = n * call.source->itemsize();
  const auto grain = std::max<std::int64_t>(1, kGrain / 16 / (n + 1));
  parallel_for(call.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    if (!type || call.places != nullptr) return sort_with_places(call, begin, end);
    const auto* from = static_cast<const char*>(call.source->elements());
    auto* to = static_cast<char*>(call.values->elements());
    for (std::int64_t row = begin; row < end; ++row) {
      if (sort_values({*type, from + row * bytes, to + row * bytes, n})) continue;
      sort_with_places(call, row, row + 1);
    }
  });
}

void scan_rows(const ScanCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  call.product ? scan_any<kernels::ScanProduct>(call) : scan_any<kernels::ScanSum>(call);
}

void search_sorted(const SearchCall& call) {
  const std::int64_t n = call.sorted->size();
  auto* out = static_cast<std::int64_t*>(call.out->elements());
  if (const std::optional<SortType> type = sort_type(call.sorted->dtype()); type && n > 0) {
    const auto* values = static_cast<const char*>(call.values->elements());
    const std::int64_t size = call.values->itemsize();
    return parallel_for(call.values->size(), kGrain / 4, [&](std::int64_t begin, std::int64_t end) {
      search_range({*type, call.sorted->elements(), values + begin * size, out + begin, n,
                    end - begin, call.right});
    });
  }
  with_type(call.sorted->dtype(), [&](auto* element) {
    using T = std::remove_pointer_t<decltype(element)>;
    const auto* sorted = static_cast<const T*>(call.sorted->elements());
    const auto* values = static_cast<const T*>(call.values->elements());
    parallel_for(call.values->size(), kGrain / 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        out[i] = kernels::search_row(sorted, n, SortKey<T>::of(values[i]), call.right);
      }
    });
  });
}

void bincount(const BincountCall& call) {
  const auto* positions = static_cast<const std::int64_t*>(call.positions->elements());
  const std::int64_t n = call.positions->size();
  std::memset(call.out->elements(), 0, static_cast<std::size_t>(call.out->nbytes()));
  if (call.weights == nullptr) {
    auto* out = static_cast<std::int64_t*>(call.out->elements());
    for (std::int64_t i = 0; i < n; ++i) ++out[positions[i]];
    return;
  }
  const auto* weights = static_cast<const double*>(call.weights->elements());
  auto* out = static_cast<double*>(call.out->elements());
  for (std::int64_t i = 0; i < n; ++i) out[positions[i]] += weights[i];
}

}  // namespace cupyxx::internal::cpu
