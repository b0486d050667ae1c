// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/dropout_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {
namespace {

using kernels::DropoutArgs;

constexpr int kSpan = kDropoutSpan;
constexpr int kLanes = kSpan / 4;  // blocks of random words at a time

/// The factors of kSpan elements: 0 or the scale.
template <class C>
inline __attribute__((always_inline)) void dropout_factors(const DropoutArgs& args,
                                                           std::int64_t span, C (&factor)[kSpan]) {
  const auto scale = static_cast<C>(args.scale);
  unsigned words[4][kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const cupyxx::random::Words block =
        cupyxx::random::philox_block(args.state, static_cast<unsigned long>(span * kLanes + l));
    for (int k = 0; k < 4; ++k) words[k][l] = block.w[k];
  }
  for (int l = 0; l < kLanes; ++l) {
    for (int k = 0; k < 4; ++k) {
      const bool keep = cupyxx::random::uniform_float(words[k][l]) >= args.ratio;
      factor[4 * l + k] = keep ? scale : C(0);
    }
  }
}

}  // namespace

template <cupyxx::extension::Arch kArch, class T>
void DropoutLoops<kArch, T>::run(const DropoutArgs& args, std::int64_t begin, std::int64_t end) {
  using C = kernels::Compute<T>;
  for (std::int64_t span = begin; span < end; ++span) {
    C factor[kSpan];
    dropout_factors(args, span, factor);
    const T* const x = static_cast<const T*>(args.x) + span * kSpan;
    T* const y = static_cast<T*>(args.y) + span * kSpan;
    const std::int64_t n = args.size - span * kSpan;
    if (n >= kSpan) {
      for (int i = 0; i < kSpan; ++i) {
        const C scaled = static_cast<C>(x[i]) * factor[i];
        y[i] = T(factor[i] != C(0) ? scaled : C(0));
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        y[i] = T(factor[i] != C(0) ? static_cast<C>(x[i]) * factor[i] : C(0));
      }
    }
  }
}

CHAINERXX_FOR_ELEMENT_TYPES(DropoutLoops)

}  // namespace chainerxx::internal::cpu
