// SPDX-License-Identifier: MIT
// Device-safe. Local response normalisation across the channels of (outer, channels, inner) arrays:
// y = x * s^-beta where s = k + alpha * (the sum of the squares of the channels up to `half` away).
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

struct ResponseNormArgs {
  const void* x;
  const void* gy;  // for the gradient
  void* out;       // y, or gx
  void* scale;     // s, in the compute type; the forward pass writes it unless inner is 1
  void* terms;     // gy * x * s^(-beta - 1), in the compute type, between the two gradient passes
  long outer;
  long channels;
  long inner;
  long half;
  double k;
  double alpha;
  double beta;
};

/// s^-beta; the usual exponents without a logarithm.
template <class C>
CUPYXX_FN C inverse_power(C s, C beta) {
  if (beta == C(0.75)) {
    const C root = m::sqrt(s);
    return C(1) / (root * m::sqrt(root));
  }
  if (beta == C(0.5)) return C(1) / m::sqrt(s);
  return m::pow(s, -beta);
}

/// s^-beta and s^(-beta - 1).
template <class C>
struct InversePowers {
  C power, next;
  CUPYXX_FN InversePowers(C s, C beta) : power(inverse_power(s, beta)), next(power / s) {}
};
#if defined(__CUDA_ARCH__)
/// The usual exponents by the instruction for 1 / sqrt, which is right to 2 ulp, without divisions.
template <>
CUPYXX_FN InversePowers<float>::InversePowers(float s, float beta) {
  if (beta != 0.75f && beta != 0.5f) {
    power = inverse_power(s, beta);
    next = power / s;
    return;
  }
  const float root = ::rsqrtf(s);
  power = beta == 0.5f ? root : m::isinf(s) ? 0.0f : root * ::rsqrtf(s * root);
  next = power * root * root;
}
#endif

/// The channels [begin, end) around channel c.
struct Neighbours {
  long begin, end;
  CUPYXX_FN Neighbours(long c, long half, long channels) {
    begin = c > half ? c - half : 0;
    end = c + half < channels ? c + half + 1 : channels;
  }
};

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void response_norm(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const T* const x = static_cast<const T*>(args.x);
  const C k = static_cast<C>(args.k), alpha = static_cast<C>(args.alpha);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const long c = i / args.inner % args.channels;
    const Neighbours near(c, args.half, args.channels);
    C sum = 0;
    for (long j = near.begin; j < near.end; ++j) {
      const C value = static_cast<C>(x[i + (j - c) * args.inner]);
      sum += value * value;
    }
    const C s = k + alpha * sum;
    static_cast<C*>(args.scale)[i] = s;
    static_cast<T*>(args.out)[i] =
        T(static_cast<C>(x[i]) * InversePowers<C>(s, static_cast<C>(args.beta)).power);
  }
}

template <class T>
CUPYXX_FN void response_norm_terms(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const C* const s = static_cast<const C*>(args.scale);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const C product = static_cast<C>(static_cast<const T*>(args.gy)[i]) *
                      static_cast<C>(static_cast<const T*>(args.x)[i]);
    static_cast<C*>(args.terms)[i] =
        product * InversePowers<C>(s[i], static_cast<C>(args.beta)).next;
  }
}

template <class T>
CUPYXX_FN void response_norm_grad(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const C* const terms = static_cast<const C*>(args.terms);
  const C beta = static_cast<C>(args.beta), factor = static_cast<C>(2 * args.alpha * args.beta);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const long c = i / args.inner % args.channels;
    const Neighbours near(c, args.half, args.channels);
    C sum = 0;
    for (long j = near.begin; j < near.end; ++j) sum += terms[i + (j - c) * args.inner];
    const C gy = static_cast<C>(static_cast<const T*>(args.gy)[i]);
    const C x = static_cast<C>(static_cast<const T*>(args.x)[i]);
    const C power = InversePowers<C>(static_cast<const C*>(args.scale)[i], beta).power;
    static_cast<T*>(args.out)[i] = T(gy * power - factor * x * sum);
  }
}

/// The channels of a thread that look `half` channels to both sides, and whose neighbours do.
template <class T>
CUPYXX_FN constexpr int response_width(int half) {
  return kPackWidth<T> < 2 * half ? 2 * half : kPackWidth<T>;
}

/// A pack of channels of a pixel and the packs on both sides, zeros beyond the ends: inner is 1,
/// and packs fill the channels.
template <class T, int kHalf>
struct PixelPacks {
  using C = Compute<T>;
  static constexpr int kWidth = response_width<T>(kHalf);
  C value[3 * kWidth];
  CUPYXX_FN PixelPacks(const void* from, long pack, int place, int packs) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      Pack<T, kWidth> own = {};
      const bool inside = place + k - 1 >= 0 && place + k - 1 < packs;
      if (inside) own = pack_at<T, kWidth>(from, (pack + k - 1) * kWidth);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        value[k * kWidth + i] = inside ? static_cast<C>(own.x[i]) : C(0);
      }
    }
  }
};

/// s of channel i of three packs; kHalf is the number of neighbours on each side.
template <class T, int kHalf>
CUPYXX_FN Compute<T> scale_at(const ResponseNormArgs& args, const PixelPacks<T, kHalf>& x, int i) {
  Compute<T> sum = 0;
#pragma unroll
  for (int j = -kHalf; j <= kHalf; ++j) sum += x.value[i + j] * x.value[i + j];
  return static_cast<Compute<T>>(args.k) + static_cast<Compute<T>>(args.alpha) * sum;
}

/// Calls `body(pack, place)` for all packs and their places in their pixel.
template <int kWidth, class Body>
CUPYXX_FN void for_pixel_packs(const ResponseNormArgs& args, Body&& body) {
  const long packs = args.channels / kWidth;
  for (long i = global_thread(); i < args.outer * packs; i += global_threads()) {
    body(i, static_cast<int>(i % packs), static_cast<int>(packs));
  }
}

template <class T, int kHalf>
CUPYXX_FN void pixel_response_norm(const ResponseNormArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = response_width<T>(kHalf);
  for_pixel_packs<kWidth>(args, [&](long pack, int place, int packs) {
    const PixelPacks<T, kHalf> x(args.x, pack, place, packs);
    Pack<T, kWidth> y;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const C s = scale_at<T, kHalf>(args, x, kWidth + i);
      y.x[i] = T(x.value[kWidth + i] * InversePowers<C>(s, static_cast<C>(args.beta)).power);
    }
    store_pack(args.out, pack * kWidth, y);
  });
}

/// The gradient in one pass, with s computed again.
template <class T, int kHalf>
CUPYXX_FN void pixel_response_norm_grad(const ResponseNormArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = response_width<T>(kHalf);
  const C beta = static_cast<C>(args.beta), factor = static_cast<C>(2 * args.alpha * args.beta);
  for_pixel_packs<kWidth>(args, [&](long pack, int place, int packs) {
    const PixelPacks<T, kHalf> x(args.x, pack, place, packs), gy(args.gy, pack, place, packs);
    C power[kWidth], terms[kWidth + 2 * kHalf];
#pragma unroll
    for (int i = 0; i < kWidth + 2 * kHalf; ++i) {
      const int at = kWidth - kHalf + i;
      const InversePowers<C> powers(scale_at<T, kHalf>(args, x, at), beta);
      const int channel = place * kWidth + i - kHalf;
      const bool inside = channel >= 0 && channel < packs * kWidth;
      terms[i] = inside ? gy.value[at] * x.value[at] * powers.next : C(0);
      if (i >= kHalf && i < kHalf + kWidth) power[i - kHalf] = powers.power;
    }
    Pack<T, kWidth> gx;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      C sum = 0;
#pragma unroll
      for (int j = 0; j <= 2 * kHalf; ++j) sum += terms[i + j];
      gx.x[i] = T(gy.value[kWidth + i] * power[i] - factor * x.value[kWidth + i] * sum);
    }
    store_pack(args.out, pack * kWidth, gx);
  });
}
#endif

}  // namespace chainerxx::internal::kernels
