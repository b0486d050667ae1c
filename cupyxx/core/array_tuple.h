// SPDX-License-Identifier: MIT
// A known number of arrays that a routine returns: `auto [xx, yy] = cupyxx::meshgrid(x, y)`.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// N arrays for `auto [first, second] = ...`, indexed like a std::array; Arrays, and so a
/// std::vector of them, wherever one is wanted. An element of a temporary is an array of its own:
/// `for (auto x : meshgrid(x, y)[0])` walks over what is there.
template <std::size_t N>
struct ArrayTuple : std::array<ndarray, N> {
  using Base = std::array<ndarray, N>;
  ndarray& operator[](internal::Int64 i) & {
    return Base::operator[](internal::place_in_list(i, N));
  }
  const ndarray& operator[](internal::Int64 i) const& {
    return Base::operator[](internal::place_in_list(i, N));
  }
  ndarray operator[](internal::Int64 i) && {
    return Base::operator[](internal::place_in_list(i, N));
  }
  ndarray& at(std::size_t i) & { return Base::at(i); }
  const ndarray& at(std::size_t i) const& { return Base::at(i); }
  ndarray at(std::size_t i) && { return Base::at(i); }
  ndarray& front() & { return Base::front(); }
  const ndarray& front() const& { return Base::front(); }
  ndarray front() && { return Base::front(); }
  ndarray& back() & { return Base::back(); }
  const ndarray& back() const& { return Base::back(); }
  ndarray back() && { return Base::back(); }
  operator Arrays() const {  // NOLINT(google-explicit-constructor)
    return Arrays(this->begin(), this->end());
  }
};

namespace internal {
template <std::size_t N>
ArrayTuple<N> tuple_of(const std::vector<ndarray>& arrays) {
  check_unpacked(N, arrays.size());
  ArrayTuple<N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = arrays[i];
  return result;
}
}  // namespace internal

/// Python's unpacking of a list of arrays, `auto [rows, columns] = unpack<2>(nonzero(a));`, or of
/// an array along its first axis, `auto [i, j] = unpack<2>(indices({2, 3}));`, whose parts are
/// views. Throws ValueError for another number of them.
template <std::size_t N>
ArrayTuple<N> unpack(const std::vector<ndarray>& arrays) {
  return internal::tuple_of<N>(arrays);
}
template <std::size_t N>
ArrayTuple<N> unpack(const ndarray& a) {
  internal::check_unpacked(N, static_cast<std::size_t>(a.len()));
  ArrayTuple<N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = a(static_cast<std::int64_t>(i));
  return result;
}

}  // namespace cupyxx

template <std::size_t N>
struct std::tuple_size<cupyxx::ArrayTuple<N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, std::size_t N>
struct std::tuple_element<I, cupyxx::ArrayTuple<N>> {
  /// Each of them is an array.
  using type = cupyxx::ndarray;
};

namespace std {
/// std::get of a temporary gives an array of its own, too.
template <size_t I, size_t N>
cupyxx::ndarray get(cupyxx::ArrayTuple<N>&& arrays) {  // NOLINT(cert-dcl58-cpp)
  return move(get<I>(static_cast<array<cupyxx::ndarray, N>&>(arrays)));
}
}  // namespace std
