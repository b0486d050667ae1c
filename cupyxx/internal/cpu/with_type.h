// SPDX-License-Identifier: MIT
// From a dtype to a C++ type, for loops over elements that have an order.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/half.h"

namespace cupyxx::internal::cpu {

/// Calls `f` with a null pointer to the element type; bool counts as uint8, whose order it has.
/// Types without an order are refused before, and would be read as double.
template <class F>
decltype(auto) with_type(dtype type, F&& f) {
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
    case C::float64:
    case C::complex64:
    case C::complex128:
    case C::float8_e4m3:
    case C::float8_e5m2:
    case C::unspecified:
      break;
  }
  return f(static_cast<double*>(nullptr));
}

}  // namespace cupyxx::internal::cpu
