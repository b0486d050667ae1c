// SPDX-License-Identifier: MIT
// Eight flags are read at once: words without a true one cost a comparison, and the positions
// within the others come from a table, without a branch for each element.
#include "cupyxx/internal/masks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/sorting.h"

namespace cupyxx::internal::cpu {

namespace {

using Byte = std::uint8_t;
using Eight = std::int64_t __attribute__((vector_size(64)));

constexpr std::int64_t kWord = 8;  // flags that are read at once

/// The places of the bits that are set in a byte, in order, and their number.
struct Places {
  std::int64_t of[256][kWord] = {};
  Byte count[256] = {};
  constexpr Places() {
    for (unsigned bits = 0; bits < 256; ++bits) {
      for (unsigned k = 0; k < 8; ++k) {
        if ((bits >> k & 1u) != 0) of[bits][count[bits]++] = k;
      }
    }
  }
};
alignas(64) constexpr Places kPlaces;

std::uint64_t word_at(const Byte* flags) {
  std::uint64_t word = 0;
  std::memcpy(&word, flags, sizeof(word));
  return word;
}

/// Bit k is set where byte k is not zero.
unsigned bits_of(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t ones = ((word | ((word & kLow) + kLow)) & ~kLow) >> 7;
  return static_cast<unsigned>(ones * 0x0102040810204080 >> 56);
}

const Byte* flags_of(const ndarray& mask) { return static_cast<const Byte*>(mask.elements()); }

/// Calls f(i) for each true flag.
template <class F>
void for_each_true(const Byte* flags, std::int64_t begin, std::int64_t end, F f) {
  std::int64_t i = begin;
  for (; end - i >= kWord; i += kWord) {
    const std::uint64_t word = word_at(flags + i);
    if (word == 0) continue;
    for (unsigned bits = bits_of(word); bits != 0; bits &= bits - 1) f(i + std::countr_zero(bits));
  }
  for (; i < end; ++i) {
    if (flags[i] != 0) f(i);
  }
}

/// Positions of the true ones of n flags, from `first` on, to `out`, which ends at `end`; returns
/// where they end.
std::int64_t* write_positions(const Byte* flags, std::int64_t n, std::int64_t first,
                              std::int64_t* out, const std::int64_t* end) {
  std::int64_t i = 0;
  for (; n - i >= kWord; i += kWord) {
    const std::uint64_t word = word_at(flags + i);
    if (word == 0) continue;
    const unsigned bits = bits_of(word);
    if (end - out < kWord) {
      for (unsigned left = bits; left != 0; left &= left - 1) {
        *out++ = first + i + std::countr_zero(left);
      }
      continue;
    }
    Eight places;
    std::memcpy(&places, kPlaces.of[bits], sizeof(places));
    places += first + i;
    std::memcpy(out, &places, sizeof(places));
    out += kPlaces.count[bits];
  }
  for (; i < n; ++i) {
    if (flags[i] != 0) *out++ = first + i;
  }
  return out;
}

template <class Unit>
void copy_chosen(const ndarray& source, const ndarray& mask, const ndarray& result) {
  const auto* from = static_cast<const Unit*>(source.elements());
  const Byte* flags = flags_of(mask);
  auto* to = static_cast<Unit*>(result.elements());
  const Unit* end = to + result.size();
  const std::int64_t n = mask.size();
  std::int64_t i = 0;
  // As long as there is room for eight, what follows a chosen element is written and overwritten.
  for (; n - i >= kWord && end - to >= kWord; i += kWord) {
    const std::uint64_t word = word_at(flags + i);
    if (word == 0) continue;
    const unsigned bits = bits_of(word);
    if (bits == 255) {
      std::memcpy(to, from + i, kWord * sizeof(Unit));
      to += kWord;
      continue;
    }
    for (unsigned k = 0; k < 8; ++k) {
      *to = from[i + k];
      to += bits >> k & 1u;
    }
  }
  for_each_true(flags, i, n, [&](std::int64_t at) { *to++ = from[at]; });
}

/// Calls `f` with a number of the size of an element; false for other sizes.
template <class F>
bool with_unit(std::int64_t size, F f) {
  switch (size) {
    case 1:
      f(std::uint8_t{});
      return true;
    case 2:
      f(std::uint16_t{});
      return true;
    case 4:
      f(std::uint32_t{});
      return true;
    case 8:
      f(std::uint64_t{});
      return true;
    case 16:
      f(std::array<std::uint64_t, 2>{});
      return true;
    default:
      return false;
  }
}

/// Calls write(begin, end) on ranges of the mask; what is written lies under it.
template <class F>
void in_parallel(const ndarray& mask, std::int64_t row_bytes, F write) {
  const auto grain = std::max<std::int64_t>(1, 4 * kGrain / (row_bytes + 1));
  parallel_for(mask.size(), grain, write);
}

}  // namespace

std::int64_t count_true(const ndarray& mask) {
  using Bytes = Byte __attribute__((vector_size(16)));
  constexpr std::int64_t kBytes = sizeof(Bytes);
  const Byte* flags = flags_of(mask);
  const std::int64_t n = mask.size();
  std::int64_t count = 0, i = 0;
  while (n - i >= kBytes) {
    Bytes counts = {};
    const std::int64_t end = std::min(n - kBytes + 1, i + 255 * kBytes);  // a byte holds no more
    for (; i < end; i += kBytes) {
      Bytes some;
      std::memcpy(&some, flags + i, sizeof(some));
      counts -= reinterpret_cast<Bytes>(some != 0);
    }
    for (std::int64_t k = 0; k < kBytes; ++k) count += counts[k];
  }
  for (; i < n; ++i) count += flags[i] != 0 ? 1 : 0;
  return count;
}

ndarray true_positions(const char* operation, const ndarray& mask) {
  ndarray result = make_array(operation, {count_true(mask)}, int64, mask.device());
  auto* out = static_cast<std::int64_t*>(result.elements());
  write_positions(flags_of(mask), mask.size(), 0, out, out + result.size());
  return result;
}

std::vector<ndarray> true_places(const char* operation, const ndarray& mask) {
  const Shape shape = mask.shape();
  const int last = shape.ndim() - 1;
  const std::int64_t count = count_true(mask), n = shape[last];
  std::vector<ndarray> result;
  std::vector<std::int64_t*> out;
  for (int axis = 0; axis <= last; ++axis) {
    result.push_back(make_array(operation, {count}, int64, mask.device()));
    out.push_back(static_cast<std::int64_t*>(result.back().elements()));
  }
  if (count == 0) return result;
  std::int64_t* const along = out.back();
  std::int64_t* next = along;
  std::vector<std::int64_t> at(static_cast<std::size_t>(last), 0);
  for (const Byte *row = flags_of(mask), *end = row + mask.size(); row < end; row += n) {
    std::int64_t* const from = next;
    next = write_positions(row, n, 0, from, along + count);
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      std::fill(out[axis] + (from - along), out[axis] + (next - along), at[axis]);
    }
    for (int axis = last; axis-- > 0;) {
      if (++at[static_cast<std::size_t>(axis)] < shape[axis]) break;
      at[static_cast<std::size_t>(axis)] = 0;
    }
  }
  return result;
}

ndarray true_rows(const char* operation, const ndarray& mask) {
  const std::vector<ndarray> places = true_places(operation, mask);
  const std::int64_t count = places[0].size(), ndim = mask.ndim();
  ndarray result = make_array(operation, {count, ndim}, int64, mask.device());
  auto* out = static_cast<std::int64_t*>(result.elements());
  for (std::int64_t axis = 0; axis < ndim; ++axis) {
    const auto* from =
        static_cast<const std::int64_t*>(places[static_cast<std::size_t>(axis)].elements());
    for (std::int64_t i = 0; i < count; ++i) out[i * ndim + axis] = from[i];
  }
  return result;
}

ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask) {
  ndarray result = make_array(operation, {count_true(mask)}, source.dtype(), mask.device());
  with_unit(source.dtype().itemsize(),
            [&](auto unit) { copy_chosen<decltype(unit)>(source, mask, result); });
  return result;
}

void fill_where(const ndarray& target, const ndarray& mask, const void* element) {
  if (target.size() == 0) return;
  const Byte* flags = flags_of(mask);
  const std::int64_t length = target.size() / mask.size();
  in_parallel(mask, length * target.itemsize(), [&](std::int64_t begin, std::int64_t end) {
    with_unit(target.itemsize(), [&](auto unit) {
      std::memcpy(&unit, element, sizeof(unit));
      auto* to = static_cast<decltype(unit)*>(target.elements());
      if (length == 1) return for_each_true(flags, begin, end, [&](auto i) { to[i] = unit; });
      for_each_true(flags, begin, end, [&](auto i) { std::fill_n(to + i * length, length, unit); });
    });
  });
}

void copy_where(const ndarray& target, const ndarray& mask, const ndarray& source) {
  if (target.size() == 0) return;
  const Byte* flags = flags_of(mask);
  const std::int64_t bytes = target.nbytes() / mask.size();
  in_parallel(mask, bytes, [&](std::int64_t begin, std::int64_t end) {
    const bool is_unit = with_unit(bytes, [&](auto unit) {
      auto* to = static_cast<decltype(unit)*>(target.elements());
      const auto* from = static_cast<const decltype(unit)*>(source.elements());
      for_each_true(flags, begin, end, [&](auto i) { to[i] = from[i]; });
    });
    if (is_unit) return;
    char* to = static_cast<char*>(target.elements());
    const char* from = static_cast<const char*>(source.elements());
    for_each_true(flags, begin, end,
                  [&](auto i) { copy_bytes(to + i * bytes, from + i * bytes, bytes); });
  });
}

void fill_chosen(const ndarray& target, const ndarray& mask, const ndarray& values) {
  if (target.size() == 0) return;
  const Byte* flags = flags_of(mask);
  const std::int64_t bytes = target.nbytes() / mask.size();
  const char* next = static_cast<const char*>(values.elements());
  const bool is_unit = with_unit(bytes, [&](auto unit) {
    auto* to = static_cast<decltype(unit)*>(target.elements());
    const auto* from = static_cast<const decltype(unit)*>(values.elements());
    for_each_true(flags, 0, mask.size(), [&](auto i) { to[i] = *from++; });
  });
  if (is_unit) return;
  char* to = static_cast<char*>(target.elements());
  for_each_true(flags, 0, mask.size(), [&](auto i) {
    copy_bytes(to + i * bytes, next, bytes);
    next += bytes;
  });
}

}  // namespace cupyxx::internal::cpu
