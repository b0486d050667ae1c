// SPDX-License-Identifier: MIT
// The host's batches of samples. Compiled once per instruction set (CUPYXX_ARCH); all code is in
// the unnamed namespace or always inlined, so that the linker mixes none.
#include "cupyxx/internal/random/sample_batches.h"

namespace cupyxx::internal::cpu {
namespace {

#define CUPYXX_INLINED inline __attribute__((always_inline))

constexpr int kLanes = 16;  // elements at a time, lane by lane, so that compilers vectorise

/// Block `step` of the elements from `first` on.
struct LaneWords {
  unsigned w[4][kLanes];

  CUPYXX_INLINED LaneWords(const random::PhiloxStream& stream, std::int64_t first, unsigned step) {
    for (int l = 0; l < kLanes; ++l) {
      const random::Words block = stream.block(static_cast<unsigned long>(first + l), step);
      for (int k = 0; k < 4; ++k) w[k][l] = block.w[k];
    }
  }
};

/// random::Draws::open.
CUPYXX_INLINED double open_of(unsigned word0, unsigned word1) {
  return random::word_to_double(word1) * 0x1p-32 +
         random::word_to_double(word0 >> 11 | 1) * 0x1p-53;
}

void inversion_batches(const BatchCall& call, std::int64_t begin, std::int64_t end) {
  const random::PhiloxStream stream = call.args.stream;
  const InversionTable& table = *call.table;
  long* const out = static_cast<long*>(call.args.out);
  constexpr int kAtOnce = 4;  // sums between looks at whether all lanes have ended
  std::int64_t i = begin;
  for (; end - i >= kLanes; i += kLanes) {
    const LaneWords words(stream, i, 0);
    double u[kLanes], most = 0;
    for (int l = 0; l < kLanes; ++l) u[l] = random::uniform_double(words.w[0][l], words.w[1][l]);
    for (int l = 0; l < kLanes; ++l) most = u[l] > most ? u[l] : most;
    long number[kLanes] = {};
    int k = 0;
    for (; k + kAtOnce <= table.count; k += kAtOnce) {
      for (int j = 0; j < kAtOnce; ++j) {
        const double sum = table.sums[k + j];
        for (int l = 0; l < kLanes; ++l) number[l] += u[l] >= sum;
      }
      if (most < table.sums[k + kAtOnce - 1]) break;
    }
    if (k + kAtOnce > table.count) {
      for (; k < table.count; ++k) {
        for (int l = 0; l < kLanes; ++l) number[l] += u[l] >= table.sums[k];
      }
    }
    for (int l = 0; l < kLanes; ++l) out[i + l] = table.values[number[l]];
  }
  if (i < end) call.body(call.args, i, end);
}

/// First tries of gammas of one shape of at least 1: dist::gamma_above_one.
struct GammaTries {
  double value[kLanes];
  unsigned char good[kLanes];

  /// From the elements' blocks `step` and `step` + 1.
  CUPYXX_INLINED GammaTries(const random::PhiloxStream& stream, std::int64_t first, unsigned step,
                            double shape) {
    namespace m = random::m;
    const double b = shape - 1.0 / 3.0, c = 1.0 / m::square_root(9.0 * b);
    const LaneWords radii(stream, first, step), rest(stream, first, step + 1);
    double x2[kLanes], v[kLanes], u[kLanes];
    int all = 1;
    for (int l = 0; l < kLanes; ++l) {
      const double e = -m::log<false>(open_of(radii.w[0][l], radii.w[1][l]));
      const double radius = m::square_root(2.0 * e);
      double cosine, sine;
      m::cos_sin_pi<false>(random::uniform_double(radii.w[2][l], radii.w[3][l]) - 0.5, cosine,
                           sine);
      const double x = (rest.w[1][l] >> 31 != 0 ? -radius : radius) * cosine;
      const double t = 1.0 + c * x;
      v[l] = t * t * t;
      x2[l] = x * x;
      u[l] = open_of(rest.w[2][l], rest.w[3][l]);
      value[l] = b * v[l];
      const bool quick = (t > 0) & (u[l] < 1.0 - 0.0331 * (x2[l] * x2[l]));
      good[l] = quick;
      all &= quick;
    }
    if (all != 0) return;
    for (int l = 0; l < kLanes; ++l) {
      if (good[l] != 0 || !(v[l] > 0)) continue;
      good[l] = m::log<false>(u[l]) < 0.5 * x2[l] + b * (1.0 - v[l] + m::log<false>(v[l]));
    }
  }
};

template <class T>
void gamma_batches(const BatchCall& call, std::int64_t begin, std::int64_t end) {
  const random::PhiloxStream stream = call.args.stream;
  T* const out = static_cast<T*>(call.args.out);
  const double shape = call.shape, factor = call.factor;
  std::int64_t i = begin;
  for (; end - i >= kLanes; i += kLanes) {
    const GammaTries tries(stream, i, 0, shape);
    for (int l = 0; l < kLanes; ++l) out[i + l] = static_cast<T>(factor * tries.value[l]);
    for (int l = 0; l < kLanes; ++l) {
      if (tries.good[l] == 0) call.body(call.args, i + l, i + l + 1);
    }
  }
  if (i < end) call.body(call.args, i, end);
}

template <class T>
void beta_batches(const BatchCall& call, std::int64_t begin, std::int64_t end) {
  const random::PhiloxStream stream = call.args.stream;
  T* const out = static_cast<T*>(call.args.out);
  const double a = call.args.values[0], b = call.args.values[1];
  std::int64_t i = begin;
  for (; end - i >= kLanes; i += kLanes) {
    const GammaTries x(stream, i, 0, a), y(stream, i, 2, b);
    for (int l = 0; l < kLanes; ++l) {
      out[i + l] = static_cast<T>(x.value[l] / (x.value[l] + y.value[l]));
    }
    for (int l = 0; l < kLanes; ++l) {
      if ((x.good[l] & y.good[l]) == 0) call.body(call.args, i + l, i + l + 1);
    }
  }
  if (i < end) call.body(call.args, i, end);
}

}  // namespace

template <>
BatchFn BatchLoops<Arch::CUPYXX_ARCH>::inversion() {
  return &inversion_batches;
}
template <>
BatchFn BatchLoops<Arch::CUPYXX_ARCH>::gamma(dtype type) {
  return type == float32 ? &gamma_batches<float> : &gamma_batches<double>;
}
template <>
BatchFn BatchLoops<Arch::CUPYXX_ARCH>::beta(dtype type) {
  return type == float32 ? &beta_batches<float> : &beta_batches<double>;
}

}  // namespace cupyxx::internal::cpu
