// SPDX-License-Identifier: MIT
// Device-safe. Batch normalisation of (outer, channels, inner) arrays: per channel, sums over outer
// and inner in parts, which one warp puts together, then a pass over the elements.
// Two layouts of work: "planes", where a group of threads takes the `inner` neighbours of a
// channel, and "rows", for inner == 1, where neighbouring threads take neighbouring channels.
// A sum and a ReLU that follow come along.
//
// Sums are those of the distances from the channel's first element, so that a large mean does not
// cancel the variance; parts are kept in double.
#pragma once

#include "chainerxx/internal/kernels/row.h"

namespace chainerxx::internal::kernels {

struct BatchNormArgs {
  const void* x;
  const void* gy;      // for the gradient
  void* out;           // y, or gx
  const void* gamma;   // (channels,), as the others below
  const void* beta;    // forward only
  void* running_mean;  // updated by training; the statistics of fixed normalisation; or null
  void* running_var;
  void* ggamma;      // added to; or null
  void* gbeta;       // added to; or null
  double* moments;   // 2 x channels: mean and 1 / sqrt(var + eps); training writes, gradients read
  double* partials;  // channels x splits x 2
  double* sums;      // channels x 2: the parts put together, for the gradient
  long outer;
  long channels;
  long inner;
  long splits;
  double eps;
  double decay;
  int fixed;          // the moments do not depend on x
  const void* added;  // like x, added to what is normalised; or null
  int relu;           // negative results become 0, or have no gradient
  const void* y;      // the result, where the gradient of ReLU reads it, ...
  void* masked;       // ... and the gradient that passes ReLU, written by the sums' pass
};

/// A channel's scale and shift.
struct ChannelMoments {
  double mean;
  double inv_std;
};

/// The mean and 1 / sqrt(var + eps) from a shift and the sums of distances from it.
CUPYXX_FN ChannelMoments moments_of(double shift, double sum, double squares, double count,
                                    double eps, double* variance) {
  const double mean = sum / count;
  const double var = squares / count - mean * mean;
  *variance = var > 0 || var != var ? var : 0;
  return {shift + mean, 1 / m::sqrt(*variance + eps)};
}

/// A running statistic after one more batch.
template <class T>
CUPYXX_FN T updated(T running, double decay, double value) {
  const double old = static_cast<double>(static_cast<Compute<T>>(running));
  return T(static_cast<Compute<T>>(decay * old + (1 - decay) * value));
}

/// Writes what training leaves for a channel: moments for the gradient and running statistics.
template <class T>
CUPYXX_FN void finish_channel(const BatchNormArgs& args, long c, const ChannelMoments& at,
                              double variance) {
  const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
  args.moments[2 * c] = at.mean;
  args.moments[2 * c + 1] = at.inv_std;
  if (args.running_mean == nullptr) return;
  T* const mean = static_cast<T*>(args.running_mean);
  T* const var = static_cast<T*>(args.running_var);
  mean[c] = updated(mean[c], args.decay, at.mean);
  var[c] = updated(var[c], args.decay, variance * (count / (count > 2 ? count - 1 : 1)));
}

/// The moments of fixed normalisation.
template <class T>
CUPYXX_FN ChannelMoments fixed_moments(const BatchNormArgs& args, long c) {
  using C = Compute<T>;
  const double var =
      static_cast<double>(static_cast<C>(static_cast<const T*>(args.running_var)[c]));
  return {static_cast<double>(static_cast<C>(static_cast<const T*>(args.running_mean)[c])),
          1 / m::sqrt(var + args.eps)};
}

/// y = x * scale + shift with the two parts of a channel; distances first, for large means.
template <class T>
struct Normalise {
  using C = Compute<T>;
  C mean = 0, scale = 0, beta = 0;
  Normalise() = default;
  CUPYXX_FN Normalise(const BatchNormArgs& args, long c, const ChannelMoments& at)
      : mean(static_cast<C>(at.mean)),
        scale(static_cast<C>(
            static_cast<double>(static_cast<C>(static_cast<const T*>(args.gamma)[c])) *
            at.inv_std)),
        beta(static_cast<C>(static_cast<const T*>(args.beta)[c])) {}
  CUPYXX_FN T operator()(T x) const { return T((static_cast<C>(x) - mean) * scale + beta); }
};

/// gx of one element from the sums of gy and of gy times the normalised x.
template <class T>
struct NormaliseGrad {
  using C = Compute<T>;
  C mean = 0, inv_std = 0, scale = 0, mean_gy = 0, mean_gy_x = 0;
  NormaliseGrad() = default;
  CUPYXX_FN NormaliseGrad(const BatchNormArgs& args, long c, double sum_gy, double sum_gy_x) {
    const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
    mean = static_cast<C>(args.moments[2 * c]);
    inv_std = static_cast<C>(args.moments[2 * c + 1]);
    scale = static_cast<C>(static_cast<const T*>(args.gamma)[c]) * inv_std;
    mean_gy = args.fixed ? C(0) : static_cast<C>(sum_gy / count);
    mean_gy_x = args.fixed ? C(0) : static_cast<C>(sum_gy_x / count);
  }
  CUPYXX_FN T operator()(T x, T gy) const {
    const C normalised = (static_cast<C>(x) - mean) * inv_std;
    return T(scale * (static_cast<C>(gy) - mean_gy - normalised * mean_gy_x));
  }
};

/// Adds the gradients of gamma and beta.
template <class T>
CUPYXX_FN void finish_gradients(const BatchNormArgs& args, long c, double sum_gy, double sum_gy_x) {
  using C = Compute<T>;
  T* const ggamma = static_cast<T*>(args.ggamma);
  T* const gbeta = static_cast<T*>(args.gbeta);
  if (ggamma != nullptr) {
    ggamma[c] = T(static_cast<C>(static_cast<double>(static_cast<C>(ggamma[c])) + sum_gy_x));
  }
  if (gbeta != nullptr) {
    gbeta[c] = T(static_cast<C>(static_cast<double>(static_cast<C>(gbeta[c])) + sum_gy));
  }
}

/// What is summed of an element: its distance and squared distance, or gy and gy times the
/// normalised x.
template <class T, bool kGradient>
struct Summand {
  using C = Compute<T>;
  C shift = 0, inv_std = 1;
  C a = 0, b = 0;
  Summand() = default;
  CUPYXX_FN Summand(const BatchNormArgs& args, long c) {
    if (kGradient) {
      shift = static_cast<C>(args.moments[2 * c]);
      inv_std = static_cast<C>(args.moments[2 * c + 1]);
    } else {
      shift = static_cast<C>(static_cast<const T*>(args.x)[c * args.inner]);
    }
  }
  CUPYXX_FN void add(C x, C gy) {
    const C distance = x - shift;
    a += kGradient ? gy : distance;
    b += kGradient ? gy * distance * inv_std : distance * distance;
  }
};

#if defined(__CUDACC__)
/// The gradient that passes ReLU: where the result was positive. The result is made again from x by
/// the arithmetic of the forward pass, or read where something was added.
template <class T>
struct ReluMask {
  using C = Compute<T>;
  Normalise<T> f;
  bool from_x = false;

  ReluMask() = default;
  CUPYXX_FN ReluMask(const BatchNormArgs& args, long c) {
    if (args.relu == 0 || args.y != nullptr) return;
    from_x = true;
    f = Normalise<T>(args, c, {args.moments[2 * c], args.moments[2 * c + 1]});
  }
  CUPYXX_FN C operator()(C x, C gy) const {
    return from_x && !(static_cast<C>(f(T(x))) > C(0)) ? C(0) : gy;
  }
};

/// Four packs a thread, as planes are short.
template <class T, bool kWarp>
using PlaneTile = RowTile<T, kWarp, 4>;

/// Lets the gradient pass where the result was positive, and keeps it for the next pass.
template <class T, bool kWarp>
CUPYXX_FN void mask_by_result(const BatchNormArgs& args, long plane, const RowCut<T>& cut, int tile,
                              PlaneTile<T, kWarp>& grad) {
  using C = Compute<T>;
  PlaneTile<T, kWarp> y;
  y.load(static_cast<const T*>(args.y) + plane, cut, tile, C(0));
  grad.for_each_with(y, [](C& g, C& result) { g = result > C(0) ? g : C(0); });
  grad.store(static_cast<T*>(args.masked) + plane, cut, tile);
}

/// One split of one channel's sums: blockIdx.x is the split, blockIdx.y walks over the channels. A
/// warp or a block takes one plane after another.
template <class T, bool kGradient, bool kWarp>
CUPYXX_FN void batch_norm_sums_planes(const BatchNormArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  const long groups = blockDim.x / G::size(), group = threadIdx.x / G::size();
  for (long c = blockIdx.y; c < args.channels; c += gridDim.y) {
    Summand<T, kGradient> sum(args, c);
    ReluMask<T> mask;
    if constexpr (kGradient) mask = ReluMask<T>(args, c);
    double a = 0, b = 0;
    for (long o = blockIdx.x * groups + group; o < args.outer; o += args.splits * groups) {
      const long plane = (o * args.channels + c) * args.inner;
      const T* const x = static_cast<const T*>(args.x) + plane;
      const RowCut<T> cut(x, args.inner);
      PlaneTile<T, kWarp> own;
      sum.a = sum.b = 0;
#pragma unroll 1
      for (int t = 0; t < own.count(cut); ++t) {
        own.load(x, cut, t, kGradient ? C(0) : sum.shift);
        if constexpr (kGradient) {
          PlaneTile<T, kWarp> grad;
          grad.load(static_cast<const T*>(args.gy) + plane, cut, t, C(0));
          if (args.y != nullptr) mask_by_result(args, plane, cut, t, grad);
          own.for_each_with(grad, [&](C& v, C& g) { sum.add(v, mask(v, g)); });
        } else {
          own.for_each([&](C& v) { sum.add(v, C(0)); });
        }
      }
      a += static_cast<double>(sum.a);
      b += static_cast<double>(sum.b);
    }
    a = block_sum(a);
    b = block_sum(b);
    if (threadIdx.x == 0) {
      args.partials[2 * (c * args.splits + blockIdx.x)] = a;
      args.partials[2 * (c * args.splits + blockIdx.x) + 1] = b;
    }
  }
}

/// The same neighbouring channels of several rows, loaded at once.
template <class T, int kWidth>
struct RowPacks {
  static constexpr int kRows = 4;
  Pack<T, kWidth> row[kRows] = {};
  CUPYXX_FN RowPacks(const BatchNormArgs& args, const void* from, long first, long step, long c) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const long o = first + k * step;
      if (o < args.outer) row[k] = pack_at<T, kWidth>(from, o * args.channels + c);
    }
  }
  /// Calls `body(k, i, place)` for row k and channel i of those that exist.
  template <class Body>
  static CUPYXX_FN void for_each(const BatchNormArgs& args, long first, long step, Body&& body) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (first + k * step >= args.outer) continue;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) body(k, i);
    }
  }
  CUPYXX_FN void store(const BatchNormArgs& args, void* to, long first, long step, long c) const {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const long o = first + k * step;
      if (o < args.outer) store_pack(to, o * args.channels + c, row[k]);
    }
  }
};

/// The gradient of some rows; where ReLU reads its result, masked and kept for the next pass.
template <class T, int kWidth>
CUPYXX_FN RowPacks<T, kWidth> gradient_rows(const BatchNormArgs& args, long first, long step,
                                            long c) {
  using C = Compute<T>;
  RowPacks<T, kWidth> gy(args, args.gy, first, step, c);
  if (args.y == nullptr) return gy;
  const RowPacks<T, kWidth> y(args, args.y, first, step, c);
  gy.for_each(args, first, step, [&](int k, int i) {
    if (!(static_cast<C>(y.row[k].x[i]) > C(0))) gy.row[k].x[i] = T(C(0));
  });
  gy.store(args, args.masked, first, step, c);
  return gy;
}

/// Sums of rows: blocks of 32 x 8 threads, each with kWidth channels.
template <class T, bool kGradient, int kWidth>
CUPYXX_FN void batch_norm_sums_rows(const BatchNormArgs& args) {
  using C = Compute<T>;
  using Rows = RowPacks<T, kWidth>;
  constexpr long kRowsPerSum = 64;  // in the elements' precision
  __shared__ double partial[2][8][32 * kWidth + 1];
  const long c = (static_cast<long>(blockIdx.y) * 32 + threadIdx.x) * kWidth;
  const long step = args.splits * 8;
  double a[kWidth] = {}, b[kWidth] = {};
  if (c < args.channels) {
    Summand<T, kGradient> sums[kWidth];
    ReluMask<T> masks[kWidth];
    for (int i = 0; i < kWidth; ++i) {
      sums[i] = Summand<T, kGradient>(args, c + i);
      if constexpr (kGradient) masks[i] = ReluMask<T>(args, c + i);
    }
    long pending = 0;
    for (long o = blockIdx.x * 8 + threadIdx.y; o < args.outer; o += Rows::kRows * step) {
      const Rows x(args, args.x, o, step, c);
      if constexpr (kGradient) {
        const Rows gy = gradient_rows<T, kWidth>(args, o, step, c);
        x.for_each(args, o, step, [&](int k, int i) {
          const C value = static_cast<C>(x.row[k].x[i]);
          sums[i].add(value, masks[i](value, static_cast<C>(gy.row[k].x[i])));
        });
      } else {
        x.for_each(args, o, step,
                   [&](int k, int i) { sums[i].add(static_cast<C>(x.row[k].x[i]), C(0)); });
      }
      pending += Rows::kRows;
      if (pending < kRowsPerSum && o + Rows::kRows * step < args.outer) continue;
      pending = 0;
      for (int i = 0; i < kWidth; ++i) {
        a[i] += static_cast<double>(sums[i].a);
        b[i] += static_cast<double>(sums[i].b);
        sums[i].a = sums[i].b = 0;
      }
    }
  }
  for (int i = 0; i < kWidth; ++i) {
    partial[0][threadIdx.y][threadIdx.x * kWidth + i] = a[i];
    partial[1][threadIdx.y][threadIdx.x * kWidth + i] = b[i];
  }
  __syncthreads();
  if (threadIdx.y >= 2 || c >= args.channels) return;
  for (int i = 0; i < kWidth; ++i) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += partial[threadIdx.y][k][threadIdx.x * kWidth + i];
    args.partials[2 * ((c + i) * args.splits + blockIdx.x) + threadIdx.y] = sum;
  }
}

/// Calls `body(channel, sum, sum)` in one lane of the warp that puts the parts of a channel
/// together, in a fixed order.
template <class Body>
CUPYXX_FN void for_channels(const BatchNormArgs& args, Body&& body) {
  for (long c = global_thread() / 32; c < args.channels; c += global_threads() / 32) {
    double a = 0, b = 0;
    for (long s = threadIdx.x % 32; s < args.splits; s += 32) {
      a += args.partials[2 * (c * args.splits + s)];
      b += args.partials[2 * (c * args.splits + s) + 1];
    }
    a = warp_sum(a);
    b = warp_sum(b);
    if (threadIdx.x % 32 == 0) body(c, a, b);
  }
}

/// The moments of every channel, of the batch or given, and the running statistics.
template <class T>
CUPYXX_FN void batch_norm_moments(const BatchNormArgs& args) {
  for_channels(args, [&](long c, double a, double b) {
    if (args.fixed) {
      const ChannelMoments at = fixed_moments<T>(args, c);
      args.moments[2 * c] = at.mean;
      args.moments[2 * c + 1] = at.inv_std;
      return;
    }
    const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
    const Compute<T> shift = static_cast<Compute<T>>(static_cast<const T*>(args.x)[c * args.inner]);
    double variance;
    const ChannelMoments at =
        moments_of(static_cast<double>(shift), a, b, count, args.eps, &variance);
    finish_channel<T>(args, c, at, variance);
  });
}

/// The sums of every channel for the gradient by x, and the gradients of gamma and beta.
template <class T>
CUPYXX_FN void batch_norm_totals(const BatchNormArgs& args) {
  for_channels(args, [&](long c, double a, double b) {
    args.sums[2 * c] = a;
    args.sums[2 * c + 1] = b;
    finish_gradients<T>(args, c, a, b);
  });
}

/// What a pass does with the elements of a channel.
template <class T, bool kGradient>
struct ChannelPass {
  using C = Compute<T>;
  Normalise<T> f;
  NormaliseGrad<T> g;
  ReluMask<T> mask;
  bool relu = false;

  ChannelPass() = default;
  CUPYXX_FN ChannelPass(const BatchNormArgs& args, long c) {
    if constexpr (kGradient) {
      g = NormaliseGrad<T>(args, c, args.sums[2 * c], args.sums[2 * c + 1]);
      mask = ReluMask<T>(args, c);
    } else {
      f = Normalise<T>(args, c, {args.moments[2 * c], args.moments[2 * c + 1]});
      relu = args.relu != 0;
    }
  }
  /// `other` is the gradient of the result, or what is added to it.
  CUPYXX_FN C operator()(C x, C other) const {
    if constexpr (kGradient) return static_cast<C>(g(T(x), T(mask(x, other))));
    const C sum = static_cast<C>(f(T(x))) + other;
    return relu && sum < C(0) ? C(0) : sum;
  }
};

/// The second array of a pass, or null.
template <bool kGradient>
CUPYXX_FN const void* other_array(const BatchNormArgs& args) {
  return kGradient ? args.gy : args.added;
}

/// A warp or a block takes one plane after another.
template <class T, bool kGradient, bool kWarp>
CUPYXX_FN void batch_norm_planes(const BatchNormArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  const T* const other = static_cast<const T*>(other_array<kGradient>(args));
  for (long p = G::first(); p < args.outer * args.channels; p += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + p * args.inner;
    const RowCut<T> cut(x, args.inner);
    const ChannelPass<T, kGradient> pass(args, p % args.channels);
#pragma unroll 1
    for (int t = 0; t < PlaneTile<T, kWarp>::count(cut); ++t) {
      PlaneTile<T, kWarp> own, second;
      own.load(x, cut, t, C(0));
      if (other != nullptr) {
        second.load(other + p * args.inner, cut, t, C(0));
        own.for_each_with(second, [&](C& v, C& w) { v = pass(v, w); });
      } else {
        own.for_each([&](C& v) { v = pass(v, C(0)); });
      }
      own.store(static_cast<T*>(args.out) + p * args.inner, cut, t);
    }
  }
}

/// A thread takes kWidth channels of some rows.
template <class T, bool kGradient, int kWidth>
CUPYXX_FN void batch_norm_rows(const BatchNormArgs& args) {
  using C = Compute<T>;
  using Rows = RowPacks<T, kWidth>;
  const void* const other = other_array<kGradient>(args);
  const long c = (static_cast<long>(blockIdx.y) * 32 + threadIdx.x) * kWidth;
  if (c >= args.channels) return;
  ChannelPass<T, kGradient> pass[kWidth];
  for (int i = 0; i < kWidth; ++i) pass[i] = ChannelPass<T, kGradient>(args, c + i);
  const long step = gridDim.x * 8L;
  for (long o = blockIdx.x * 8 + threadIdx.y; o < args.outer; o += Rows::kRows * step) {
    Rows x(args, args.x, o, step, c);
    if (other != nullptr) {
      const Rows second(args, other, o, step, c);
      x.for_each(args, o, step, [&](int k, int i) {
        x.row[k].x[i] =
            T(pass[i](static_cast<C>(x.row[k].x[i]), static_cast<C>(second.row[k].x[i])));
      });
    } else {
      x.for_each(args, o, step, [&](int k, int i) {
        x.row[k].x[i] = T(pass[i](static_cast<C>(x.row[k].x[i]), C(0)));
      });
    }
    x.store(args, args.out, o, step, c);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
