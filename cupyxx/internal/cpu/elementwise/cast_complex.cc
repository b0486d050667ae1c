// SPDX-License-Identifier: MIT
// Casts from and to complex types. They move memory more than they compute: one form serves all
// instruction sets.
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/ops/prelude.h"

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

using Single = complex<float>;
using Double = complex<double>;

/// From every type, in the order of dtype::Code, to one.
template <class To>
constexpr LoopFn kTo[] = {run<To, bool>,     run<To, ops::i8>, run<To, ops::i16>, run<To, ops::i32>,
                          run<To, ops::i64>, run<To, ops::u8>, run<To, ops::u16>, run<To, ops::u32>,
                          run<To, ops::u64>, run<To, half>,    run<To, float>,    run<To, double>,
                          run<To, bfloat16>, run<To, Single>,  run<To, Double>};
/// From one type to every real one.
template <class From>
constexpr LoopFn kFrom[] = {run<bool, From>,     run<ops::i8, From>,  run<ops::i16, From>,
                            run<ops::i32, From>, run<ops::i64, From>, run<ops::u8, From>,
                            run<ops::u16, From>, run<ops::u32, From>, run<ops::u64, From>,
                            run<half, From>,     run<float, From>,    run<double, From>,
                            run<bfloat16, From>};

}  // namespace

LoopFn complex_cast_loop(dtype from, dtype to) {
  if (to.is_complex()) {
    return (to == complex64 ? kTo<Single> : kTo<Double>)[static_cast<int>(from.code())];
  }
  return (from == complex64 ? kFrom<Single> : kFrom<Double>)[static_cast<int>(to.code())];
}

}  // namespace cupyxx::internal::cpu
