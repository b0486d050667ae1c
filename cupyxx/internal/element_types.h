// SPDX-License-Identifier: MIT
// The element types with loops as C++ types, in the order of dtype::Code: tables with a place for
// each are made of these lists.
#pragma once

#include <cstddef>

#include "cupyxx/dtype.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal {

template <class... T>
struct TypeList {
  static constexpr std::size_t kCount = sizeof...(T);
};

using RealTypes = TypeList<bool, ops::i8, ops::i16, ops::i32, ops::i64, ops::u8, ops::u16, ops::u32,
                           ops::u64, half, float, double, bfloat16>;

template <class... Real>
auto with_complex(TypeList<Real...>) -> TypeList<Real..., complex<float>, complex<double>>;
using ElementTypes = decltype(with_complex(RealTypes{}));

template <class... T>
constexpr bool is_in_order_of_codes(TypeList<T...>) {
  int code = 0;
  return ((static_cast<int>(dtype_of<T>().code()) == code++) && ...);
}
static_assert(is_in_order_of_codes(ElementTypes{}));
static_assert(RealTypes::kCount == static_cast<std::size_t>(dtype::Code::complex64));
static_assert(ElementTypes::kCount == dtype::kComputeCount);

/// The type in which the host computes with elements of T: float for 16-bit floating ones.
template <class T>
using Computed = ops::ComputeType<ops::OpBase, T>;
/// Whether that is float instead of the type itself.
constexpr bool is_narrow(dtype type) { return type.is_floating() && type.itemsize() < 4; }

template <class... T, class F>
bool with_type_of(TypeList<T...>, dtype type, F&& f) {
  int code = 0;
  return ((static_cast<int>(type.code()) == code++ && (f.template operator()<T>(), true)) || ...);
}
/// Calls `f.operator()<T>()` with the element type; false for a dtype without loops.
template <class F>
bool with_element_type(dtype type, F&& f) {
  return with_type_of(ElementTypes{}, type, f);
}

}  // namespace cupyxx::internal
