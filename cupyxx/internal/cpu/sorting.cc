// SPDX-License-Identifier: MIT
#include "cupyxx/internal/sorting.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::cpu {

namespace {

using kernels::SortKey;

/// Calls `f` with a null pointer to the element type; bool is sorted as uint8.
template <class F>
void with_type(dtype type, F&& f) {
  using C = dtype::Code;
  switch (type.code()) {
    case C::bool_:
    case C::uint8:
      return f(static_cast<std::uint8_t*>(nullptr));
    case C::int8:
      return f(static_cast<std::int8_t*>(nullptr));
    case C::int16:
      return f(static_cast<std::int16_t*>(nullptr));
    case C::int32:
      return f(static_cast<std::int32_t*>(nullptr));
    case C::int64:
      return f(static_cast<std::int64_t*>(nullptr));
    case C::uint16:
      return f(static_cast<std::uint16_t*>(nullptr));
    case C::uint32:
      return f(static_cast<std::uint32_t*>(nullptr));
    case C::uint64:
      return f(static_cast<std::uint64_t*>(nullptr));
    case C::float16:
      return f(static_cast<half*>(nullptr));
    case C::bfloat16:
      return f(static_cast<bfloat16*>(nullptr));
    case C::float32:
      return f(static_cast<float*>(nullptr));
    default:
      return f(static_cast<double*>(nullptr));
  }
}

/// A key and where it was. Places of 32 bits keep a pair of 4-byte keys in 8 bytes.
template <class Key, class Place>
struct Item {
  Key key;
  Place place;
};

/// Rows below this length are merged; longer ones are sorted digit by digit.
constexpr std::int64_t kRadixLength = 256;

/// Sorts n items by key, stably; returns where they are, `items` or `other`.
template <class T>
T* sort_items(T* items, T* other, std::int64_t n) {
  using Key = decltype(T::key);
  if (n < kRadixLength) {
    std::stable_sort(items, items + n, [](const T& a, const T& b) { return a.key < b.key; });
    return items;
  }
  constexpr int kPasses = sizeof(Key);
  std::vector<std::int64_t> counts(kPasses * kernels::kDigits);
  for (std::int64_t i = 0; i < n; ++i) {
    const Key key = items[i].key;
    for (int pass = 0; pass < kPasses; ++pass) {
      ++counts[static_cast<std::size_t>(pass * kernels::kDigits + (key >> (8 * pass) & 255))];
    }
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    std::int64_t* next = counts.data() + pass * kernels::kDigits;
    const int shift = 8 * pass;
    if (next[items[0].key >> shift & 255] == n) continue;  // one digit for all
    std::int64_t sum = 0;
    for (int digit = 0; digit < kernels::kDigits; ++digit) {
      const std::int64_t count = next[digit];
      next[digit] = sum;
      sum += count;
    }
    for (std::int64_t i = 0; i < n; ++i) other[next[items[i].key >> shift & 255]++] = items[i];
    std::swap(items, other);
  }
  return items;
}

template <class T, class Place>
void sort_typed(const SortCall& call) {
  using Entry = Item<typename SortKey<T>::type, Place>;
  const auto* source = static_cast<const T*>(call.source->elements());
  auto* values = call.values == nullptr ? nullptr : static_cast<T*>(call.values->elements());
  auto* places =
      call.places == nullptr ? nullptr : static_cast<std::int64_t*>(call.places->elements());
  const std::int64_t n = call.n;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / 16 / (n + 1));
  parallel_for(call.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    const auto length = static_cast<std::size_t>(n);
    const std::unique_ptr<Entry[]> items(new Entry[2 * length]);
    for (std::int64_t row = begin; row < end; ++row) {
      const T* from = source + row * n;
      for (std::int64_t i = 0; i < n; ++i) {
        items[static_cast<std::size_t>(i)] = {SortKey<T>::of(from[i]), static_cast<Place>(i)};
      }
      const Entry* sorted = sort_items(items.get(), items.get() + length, n);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto place = static_cast<std::int64_t>(sorted[i].place);
        if (values != nullptr) values[row * n + i] = from[place];
        if (places != nullptr) places[row * n + i] = place;
      }
    }
  });
}

template <class Op, class T>
void scan_typed(const ScanCall& call) {
  const auto* in = static_cast<const T*>(call.in->elements());
  auto* out = static_cast<T*>(call.out->elements());
  const std::int64_t n = call.n;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / (n + 1));
  parallel_for(call.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
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

void sort_rows(const SortCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  with_type(call.source->dtype(), [&](auto* element) {
    using T = std::remove_pointer_t<decltype(element)>;
    if (call.n >> 32 == 0) {
      sort_typed<T, std::uint32_t>(call);
    } else {
      sort_typed<T, std::uint64_t>(call);
    }
  });
}

void scan_rows(const ScanCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  call.product ? scan_any<kernels::ScanProduct>(call) : scan_any<kernels::ScanSum>(call);
}

void search_sorted(const SearchCall& call) {
  with_type(call.sorted->dtype(), [&](auto* element) {
    using T = std::remove_pointer_t<decltype(element)>;
    const auto* sorted = static_cast<const T*>(call.sorted->elements());
    const auto* values = static_cast<const T*>(call.values->elements());
    auto* out = static_cast<std::int64_t*>(call.out->elements());
    const std::int64_t n = call.sorted->size();
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
