// SPDX-License-Identifier: MIT
#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/packing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

constexpr std::int64_t kBits = 8;

// How far each bit of a byte is shifted, in the order of the elements.
ndarray shifts(BitOrder order) {
  return order == BitOrder::big ? arange(kBits - 1, -1, -1, uint8) : arange(0, kBits, 1, uint8);
}

// A matrix of rows as `count` elements per row: cut, or with zeros behind them.
ndarray with_length(const ndarray& rows, std::int64_t count) {
  const std::int64_t missing = count - rows.shape()[1];
  if (missing <= 0) return rows(slice(), slice(0, count));
  return concatenate({rows, zeros({rows.shape()[0], missing}, rows.dtype())}, 1);
}

// Also of rows without elements.
std::int64_t row_count(const internal::Rows& rows) {
  Shape others = rows.array.shape();
  others.erase(others.ndim() - 1);
  return others.element_count();
}

// Puts the axis of a matrix of rows back in its place, with another extent.
ndarray restored(const internal::Rows& rows, const ndarray& matrix) {
  Shape shape = rows.array.shape();
  shape[shape.ndim() - 1] = matrix.shape()[1];
  return internal::restore_axis(rows, internal::contiguous(matrix).reshape(shape));
}

// Sixteen truth values become sixteen bits. `swapped` exchanges them within each byte.
std::uint16_t bits_of_sixteen(const std::uint8_t* from, bool swapped) {
  std::uint64_t halves[2];
  std::memcpy(halves, from, sizeof(halves));
  if (swapped) {
    for (std::uint64_t& half : halves) half = __builtin_bswap64(half);
  }
  const __m128i bytes =
      _mm_set_epi64x(static_cast<long long>(halves[1]), static_cast<long long>(halves[0]));
  const __m128i is_zero = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
  return static_cast<std::uint16_t>(~_mm_movemask_epi8(is_zero));
}

// Rows of n truth values as rows of bytes.
void pack_rows(const std::uint8_t* from, std::int64_t count, std::int64_t n, BitOrder order,
               std::uint8_t* to) {
  const bool swapped = order == BitOrder::big;
  if (n == 0) return;  // of any number of rows
  for (std::int64_t row = 0; row < count; ++row, from += n) {
    std::int64_t i = internal::cpu::pack_bits(from, n, swapped, to);
    to += i / kBits;
    for (; i + 2 * kBits <= n; i += 2 * kBits, to += 2) {
      const std::uint16_t bits = bits_of_sixteen(from + i, swapped);
      std::memcpy(to, &bits, sizeof(bits));
    }
    for (; i < n; i += kBits, ++to) {
      std::uint8_t rest[2 * kBits] = {};
      std::memcpy(rest, from + i, static_cast<std::size_t>(std::min(kBits, n - i)));
      *to = static_cast<std::uint8_t>(bits_of_sixteen(rest, swapped));
    }
  }
}

// The eight elements of each byte, in the order of memory.
std::array<std::uint64_t, 256> spread_bytes(BitOrder order) {
  std::array<std::uint64_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < kBits; ++bit) {
      const unsigned place = order == BitOrder::big ? kBits - 1 - bit : bit;
      table[byte] |= std::uint64_t{byte >> bit & 1u} << (8 * place);
    }
  }
  return table;
}

// Rows of n bytes as rows of `length` elements: cut, or with zeros behind them.
void unpack_rows(const std::uint8_t* from, std::int64_t count, std::int64_t n, std::int64_t length,
                 BitOrder order, std::uint8_t* to) {
  static const auto kBig = spread_bytes(BitOrder::big), kLittle = spread_bytes(BitOrder::little);
  const auto& table = order == BitOrder::big ? kBig : kLittle;
  if (length == 0) return;  // of any number of rows
  for (std::int64_t row = 0; row < count; ++row, from += n, to += length) {
    const std::int64_t whole = std::min(n, length / kBits);
    // Several at a time: a loop this short depends on where in memory it lies.
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < whole; ++i) std::memcpy(to + i * kBits, &table[from[i]], kBits);
    const std::int64_t done = whole * kBits, rest = length - done;
    if (rest == 0) continue;
    std::memset(to + done, 0, static_cast<std::size_t>(rest));
    if (whole < n) std::memcpy(to + done, &table[from[whole]], static_cast<std::size_t>(rest));
  }
}

// A matrix of rows on the host.
ndarray host_rows(const char* operation, std::int64_t count, std::int64_t n) {
  return internal::make_array(operation, {count, n}, uint8, Device::cpu());
}

}  // namespace

ndarray packbits(const ndarray& a, const Axes& axis, Choice<BitOrder> order) {
  internal::check_not_none("packbits", a);
  if (!a.dtype().is_integer() && !a.dtype().is_bool()) {
    throw TypeError(message("packbits: needs integers or bools, not ", a.dtype().name()));
  }
  const DeviceScope scope(a.device());
  const internal::Rows rows = internal::rows_along("packbits", a, axis);
  const std::int64_t count = row_count(rows), bytes = (rows.n + kBits - 1) / kBits;
  if (a.device().is_cpu()) {
    const bool is_byte = a.dtype().itemsize() == 1;
    const ndarray truth = is_byte ? rows.array : not_equal(rows.array, 0);
    const ndarray packed = host_rows("packbits", count, bytes);
    pack_rows(static_cast<const std::uint8_t*>(truth.elements()), count, rows.n, order,
              static_cast<std::uint8_t*>(packed.elements()));
    return restored(rows, packed);
  }
  const ndarray bits = not_equal(rows.array, 0).astype(uint8).reshape({count, rows.n});
  const ndarray groups = with_length(bits, bytes * kBits).reshape({count, bytes, kBits});
  const ndarray packed = sum(left_shift(groups, shifts(order)), -1, {.dtype = uint8});
  return restored(rows, packed);
}

ndarray unpackbits(const ndarray& a, const Axes& axis, const UnpackbitsOptions& options) {
  internal::check_axis_once("unpackbits", axis, options.axis);
  internal::check_not_none("unpackbits", a);
  if (a.dtype() != uint8) {
    throw TypeError(message("unpackbits: needs uint8, not ", a.dtype().name()));
  }
  internal::multiplied("unpackbits", a.size(), kBits);  // before rows are made
  const DeviceScope scope(a.device());
  const internal::Rows rows = internal::rows_along("unpackbits", a, axis);
  const std::int64_t all = internal::multiplied("unpackbits", rows.n, kBits);
  const std::int64_t given = options.count.value_or(all);
  const std::int64_t count = given < 0 ? all + given : given;
  if (count < 0) {
    throw ValueError(message("unpackbits: cannot cut off ", 0 - static_cast<std::uint64_t>(given),
                             " bits of ", all));
  }
  if (a.device().is_cpu()) {
    const ndarray bits = host_rows("unpackbits", row_count(rows), count);
    unpack_rows(static_cast<const std::uint8_t*>(rows.array.elements()), row_count(rows), rows.n,
                count, options.bitorder, static_cast<std::uint8_t*>(bits.elements()));
    return restored(rows, bits);
  }
  const ndarray bytes = rows.array.reshape({row_count(rows), rows.n, 1});
  const ndarray bits = bitwise_and(right_shift(bytes, shifts(options.bitorder)), 1);
  return restored(rows, with_length(bits.reshape({row_count(rows), all}), count));
}

}  // namespace cupyxx
