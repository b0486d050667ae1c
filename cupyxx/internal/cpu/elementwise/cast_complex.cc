// SPDX-License-Identifier: MIT
// Casts from and to complex types. They move memory more than they compute: one form serves all
// instruction sets.
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::cpu {
namespace {

template <class To, class From>
void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
  char* to = data[0];
  const char* from = data[1];
  if (strides[0] == sizeof(To) && strides[1] == sizeof(From)) {
    auto* out = reinterpret_cast<To*>(to);
    const auto* in = reinterpret_cast<const From*>(from);
    for (std::int64_t i = 0; i < n; ++i) out[i] = ops::cast<To>(in[i]);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i, to += strides[0], from += strides[1]) {
    *reinterpret_cast<To*>(to) = ops::cast<To>(*reinterpret_cast<const From*>(from));
  }
}

/// From every type to one.
template <class To, class... From>
LoopFn loop_to(TypeList<From...>, dtype from) {
  static constexpr LoopFn kLoops[] = {run<To, From>...};
  return kLoops[static_cast<int>(from.code())];
}
/// From one type to every real one.
template <class From, class... To>
LoopFn loop_from(TypeList<To...>, dtype to) {
  static constexpr LoopFn kLoops[] = {run<To, From>...};
  return kLoops[static_cast<int>(to.code())];
}

}  // namespace

LoopFn complex_cast_loop(dtype from, dtype to) {
  if (to == complex64) return loop_to<complex<float>>(ElementTypes{}, from);
  if (to == complex128) return loop_to<complex<double>>(ElementTypes{}, from);
  return from == complex64 ? loop_from<complex<float>>(RealTypes{}, to)
                           : loop_from<complex<double>>(RealTypes{}, to);
}

}  // namespace cupyxx::internal::cpu
