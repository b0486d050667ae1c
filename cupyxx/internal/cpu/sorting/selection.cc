// SPDX-License-Identifier: MIT
// Few places of long rows, without moving the rows: a pass counts what is below two pivots and
// keeps what is between them. Short rows are sorted.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/sorting/selector.h"
#include "cupyxx/internal/cpu/sorting/sort_loops.h"
#include "cupyxx/internal/cpu/with_type.h"
#include "cupyxx/internal/partition.h"

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

/// Rows up to this length are sorted, if there is a network for them.
constexpr i64 kNetwork = 256;
/// The pivots are that far from a place that it is hardly ever missed, which costs a second pass.
constexpr double kDeviations = 4;
/// Groups of neighbouring places that are worth a pass each.
constexpr int kPasses = 4;

template <class T>
class RowChooser {
  using Key = Comparable<T>;

 public:
  RowChooser(dtype type, i64 n)
      : type_(sort_type(type)), n_(n), room_(n / 2 + kBlock), selector_(n) {}

  /// The elements at `places`, which are ascending, each once, and lie in the row.
  void choose(const T* row, std::span<const i64> places, T* out) {
    if (type_ && n_ <= kNetwork && sort_values({*type_, row, all(), n_})) {
      for (const i64 place : places) *out++ = all()[place];
      return;
    }
    if (n_ <= kSmall || groups(places) > kPasses) return choose_moved(row, places, out);
    for (std::size_t i = 0; i < places.size();) {
      const std::size_t length = group(places.subspan(i));
      choose_group(row, places.subspan(i, length), out + i);
      i += length;
    }
  }

 private:
  static constexpr i64 kBlock = 1024;

  /// How many of the first places are neighbours.
  static std::size_t group(std::span<const i64> places) {
    std::size_t length = 1;
    while (length < places.size() && places[length] == places[length - 1] + 1) ++length;
    return length;
  }
  static int groups(std::span<const i64> places) {
    int count = 0;
    for (; !places.empty(); places = places.subspan(group(places))) ++count;
    return count;
  }

  void choose_group(const T* row, std::span<const i64> places, T* out) {
    if (places[0] == n_ - 1) {
      *out = largest(row);
      return;
    }
    const i64 middle = places[places.size() / 2];
    const auto pivots = selector_.choose(row, n_, middle, kDeviations);
    if (is_nan(pivots.high)) return choose_moved(row, places, out);
    if (pivots.low == pivots.high) {
      if (!choose_equal(row, pivots.low, places, out)) choose_moved(row, places, out);
      return;
    }
    i64 below = 0;
    const i64 between = collect(row, pivots.low, pivots.high, below);
    if (between < 0 || places.front() < below || places.back() >= below + between) {
      return choose_moved(row, places, out);
    }
    choose_from(kept_.get(), between, below, places, out);
  }

  /// Whether all places are those of one key.
  bool choose_equal(const T* row, Key key, std::span<const i64> places, T* out) const {
    i64 below = 0, equal = 0;
    const T* some = row;
    for (const T *x = row, *end = row + n_; x < end; ++x) {
      const Key other = comparable(*x);
      below += other < key ? 1 : 0;
      equal += other == key ? 1 : 0;
      some = other == key ? x : some;
    }
    if (places.front() < below || places.back() >= below + equal) return false;
    std::fill_n(out, places.size(), *some);
    return true;
  }

  /// Keeps what is from `low` to `high`, and counts what is below; -1 where it is too much.
  i64 collect(const T* row, Key low, Key high, i64& below) {
    if (kept_ == nullptr) kept_.reset(new T[static_cast<std::size_t>(room_)]);
    T* next = kept_.get();
    const T* const last = next + room_ - kBlock;
    for (i64 begin = 0; begin < n_; begin += kBlock) {
      if (next > last) return -1;
      const T* const end = row + std::min(begin + kBlock, n_);
      for (const T* x = row + begin; x < end; ++x) {
        const Key key = comparable(*x);
        below += key < low ? 1 : 0;
        *next = *x;
        next += static_cast<int>(key >= low) & static_cast<int>(key <= high);
      }
    }
    return next - kept_.get();
  }

  /// The last one: NaN, if there is one.
  static T largest(const T* row_begin, const T* row_end) {
    const T* best = row_begin;
    for (const T* x = row_begin; x < row_end; ++x) {
      if (is_nan(comparable(*x))) return *x;
      best = comparable(*best) < comparable(*x) ? x : best;
    }
    return *best;
  }
  T largest(const T* row) const {
    if constexpr (std::is_arithmetic_v<T>) {  // without a chain through memory
      T best = row[0];
      bool nan = false;
      for (i64 i = 0; i < n_; ++i) {
        nan |= is_nan(row[i]);
        best = best < row[i] ? row[i] : best;
      }
      if (!nan) return best;
    }
    return largest(row, row + n_);
  }

  void choose_moved(const T* row, std::span<const i64> places, T* out) {
    std::copy(row, row + n_, all());
    choose_from(all(), n_, 0, places, out);
  }
  /// From elements before which `before` ones stand.
  void choose_from(T* elements, i64 n, i64 before, std::span<const i64> places, T* out) {
    kth_.assign(places.begin(), places.end());
    for (i64& k : kth_) k -= before;
    selector_.select(elements, 0, n, kth_);
    for (const i64 k : kth_) *out++ = elements[k];
  }

  T* all() {
    if (all_ == nullptr) all_.reset(new T[static_cast<std::size_t>(n_)]);
    return all_.get();
  }

  std::optional<SortType> type_;
  i64 n_;
  i64 room_;
  Selector<Values<T>> selector_;
  std::unique_ptr<T[]> all_, kept_;
  std::vector<i64> kth_;
};

template <class T>
i64 count_numbers(const T* row, i64 n) {
  if constexpr (std::is_integral_v<T>) return n;
  i64 count = 0;
  for (i64 i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      count += row[i] == row[i] ? 1 : 0;
    } else {
      count += kernels::SortKey<T>::of(row[i]) != 0xffff ? 1 : 0;
    }
  }
  return count;
}

template <class T>
void select_typed(const SelectCall& call) {
  const auto* from = static_cast<const T*>(call.source->data());
  auto* to = static_cast<T*>(call.values->data());
  const i64 n = call.n, wanted = call.count;
  parallel_for(call.rows, std::max<i64>(1, kGrain / 4 / n), [&](i64 begin, i64 end) {
    const auto size = static_cast<std::size_t>(wanted);
    RowChooser<T> chooser(call.source->dtype(), n);
    std::vector<i64> places(size), sorted;
    const std::unique_ptr<T[]> chosen(new T[size]);
    i64 known = -1;  // elements for which the places are there
    for (i64 row = begin; row < end; ++row) {
      const T* elements = from + row * n;
      i64 count = n;
      if (call.numbers != nullptr) count = call.numbers[row] = count_numbers(elements, n);
      if (count == 0) {
        std::fill_n(to + row * wanted, wanted, elements[0]);
        continue;
      }
      if (count != known) {
        call.places(count, places.data());
        sorted = places;
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        known = count;
      }
      chooser.choose(elements, sorted, chosen.get());
      for (std::size_t i = 0; i < size; ++i) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), places[i]);
        to[row * wanted + static_cast<i64>(i)] =
            chosen[static_cast<std::size_t>(at - sorted.begin())];
      }
    }
  });
}

}  // namespace

void select_from_rows(const SelectCall& call) {
  if (call.rows == 0 || call.count == 0) return;
  with_type(call.source->dtype(),
            [&](auto* element) { select_typed<std::remove_pointer_t<decltype(element)>>(call); });
}

}  // namespace cupyxx::internal::cpu
