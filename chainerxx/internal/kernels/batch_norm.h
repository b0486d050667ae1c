// SPDX-License-Identifier: MIT
// Device-safe. Batch normalisation of (outer, channels, inner) arrays: per channel, sums over outer
// and inner in parts, which one warp puts together, then a pass over the elements.
// Two layouts of work: "planes", where a group of threads takes the `inner` neighbours of a
// channel, and "rows", for inner == 1 (matrices, and images that lie channels last), where
// neighbouring threads take neighbouring channels.
// A sum and a ReLU that follow come along.
//
// Sums are those of the distances from the channel's first element, so that a large mean does not
// cancel the variance; parts are kept in double.
#pragma once

#include "chainerxx/internal/kernels/channel_rows.h"
#include "chainerxx/internal/kernels/parameters.h"
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
  void* lines;       // channels: ForwardLine<T> or GradientLine<T>, what the pass computes
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
  int wide;           // whether gamma, beta, statistics and their gradients are float32 beside a
                      // narrower x
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

/// Writes what training leaves for a channel: moments for the gradient and running statistics, into
/// which it takes one more batch. All is read before anything is written, so that the waits
/// overlap.
template <class T>
CUPYXX_FN void finish_channel(const BatchNormArgs& args, long c, const ChannelMoments& at,
                              double variance) {
  const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
  const bool runs = args.running_mean != nullptr;
  double mean = 0, var = 0;
  if (runs) {
    mean = static_cast<double>(parameter_at<T>(args.running_mean, c, args.wide));
    var = static_cast<double>(parameter_at<T>(args.running_var, c, args.wide));
  }
  args.moments[2 * c] = at.mean;
  args.moments[2 * c + 1] = at.inv_std;
  if (!runs) return;
  const double unbiased = variance * (count / (count > 2 ? count - 1 : 1));
  const double weight = 1 - args.decay;
  set_parameter<T>(args.running_mean, c, args.wide, args.decay * mean + weight * at.mean);
  set_parameter<T>(args.running_var, c, args.wide, args.decay * var + weight * unbiased);
}

/// The moments of fixed normalisation.
template <class T>
CUPYXX_FN ChannelMoments fixed_moments(const BatchNormArgs& args, long c) {
  const auto var = static_cast<double>(parameter_at<T>(args.running_var, c, args.wide));
  return {static_cast<double>(parameter_at<T>(args.running_mean, c, args.wide)),
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
        scale(static_cast<C>(static_cast<double>(parameter_at<T>(args.gamma, c, args.wide)) *
                             at.inv_std)),
        beta(parameter_at<T>(args.beta, c, args.wide)) {}
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
    scale = parameter_at<T>(args.gamma, c, args.wide) * inv_std;
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
  double ggamma = sum_gy_x, gbeta = sum_gy;  // both are read before one is written
  if (args.ggamma != nullptr) {
    ggamma += static_cast<double>(parameter_at<T>(args.ggamma, c, args.wide));
  }
  if (args.gbeta != nullptr)
    gbeta += static_cast<double>(parameter_at<T>(args.gbeta, c, args.wide));
  if (args.ggamma != nullptr) set_parameter<T>(args.ggamma, c, args.wide, ggamma);
  if (args.gbeta != nullptr) set_parameter<T>(args.gbeta, c, args.wide, gbeta);
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

/// What the pass over the elements needs of a channel, made once.
template <class T>
struct alignas(4 * sizeof(Compute<T>)) ForwardLine {
  Compute<T> mean, scale, beta, unused;
};
template <class T>
struct alignas(4 * sizeof(Compute<T>)) GradientLine {
  Compute<T> mean, scale, slope, offset;  // gx = scale * gy - slope * (x - mean) - offset
};

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void set_line(const BatchNormArgs& args, long c, const Normalise<T>& f) {
  static_cast<ForwardLine<T>*>(args.lines)[c] = {f.mean, f.scale, f.beta, 0};
}
template <class T>
CUPYXX_FN void set_gradient_line(const BatchNormArgs& args, long c, double sum_gy,
                                 double sum_gy_x) {
  using C = Compute<T>;
  const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
  const double inv_std = args.moments[2 * c + 1];
  const double scale = static_cast<double>(parameter_at<T>(args.gamma, c, args.wide)) * inv_std;
  const double slope = args.fixed ? 0 : scale * inv_std * (sum_gy_x / count);
  const double offset = args.fixed ? 0 : scale * (sum_gy / count);
  static_cast<GradientLine<T>*>(args.lines)[c] = {static_cast<C>(args.moments[2 * c]),
                                                  static_cast<C>(scale), static_cast<C>(slope),
                                                  static_cast<C>(offset)};
}

/// The gradient that passes ReLU: where the result was positive. The result is made again from x by
/// the arithmetic of the forward pass, or read where something was added.
template <class T>
struct ReluMask {
  using C = Compute<T>;
  C scale = 0, beta = 0;

  ReluMask() = default;
  CUPYXX_FN ReluMask(const BatchNormArgs& args, long c) {
    if (!from_x(args)) return;
    const Normalise<T> f(args, c, {args.moments[2 * c], args.moments[2 * c + 1]});
    scale = f.scale;
    beta = f.beta;
  }
  static CUPYXX_FN bool from_x(const BatchNormArgs& args) {
    return args.relu != 0 && args.y == nullptr;
  }
  /// Takes the distance of x from the mean.
  CUPYXX_FN C operator()(bool from_x, C distance, C gy) const {
    // All operands are cheap: no branches.
    const bool passes = !from_x | (static_cast<C>(T(distance * scale + beta)) > C(0));
    return passes ? gy : C(0);
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
  const bool from_x = ReluMask<T>::from_x(args);
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
          own.for_each_with(grad, [&](C& v, C& g) { sum.add(v, mask(from_x, v - sum.shift, g)); });
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

/// Sums of rows: each thread of a block's x axis has kWidth channels, those of its y axis have
/// rows.
template <class T, int kWidth>
CUPYXX_FN void distance_sums(const BatchNormArgs& args, long c, BlockSums<kWidth, 2>& sums) {
  using C = Compute<T>;
  constexpr int kRows = 8;
  C shift[kWidth], a[kWidth] = {}, b[kWidth] = {};
  const Pack<T, kWidth> first = pack_at<T, kWidth>(args.x, c);
  for (int i = 0; i < kWidth; ++i) shift[i] = static_cast<C>(first.x[i]);
  int pending = 0;
  const auto finish_run = [&] {
    sums.take(0, a);
    sums.take(1, b);
    pending = 0;
  };
  for_strips<kRows, false>(args.outer, args.channels, args.splits * blockDim.y, c,
                           [&](const auto& strip) {
                             const RowPacks<T, kWidth, kRows> x(args.x, strip);
                             x.for_each(strip, [&](int k, int i) {
                               const C distance = static_cast<C>(x.row[k].x[i]) - shift[i];
                               a[i] += distance;
                               b[i] += distance * distance;
                             });
                             if ((pending += kRows) >= kRowsPerSum) finish_run();
                           });
  finish_run();
}

/// Sums of gy and of gy times the distance from the mean. kReadsResult: ReLU reads its result, and
/// what passes it is kept for the next pass.
template <class T, bool kReadsResult, int kWidth>
CUPYXX_FN void gradient_sums(const BatchNormArgs& args, long c, BlockSums<kWidth, 2>& sums) {
  using C = Compute<T>;
  constexpr int kRows = 4;
  using Rows = RowPacks<T, kWidth, kRows>;
  const bool from_x = !kReadsResult && ReluMask<T>::from_x(args);
  C mean[kWidth], a[kWidth] = {}, b[kWidth] = {};
  ReluMask<T> masks[kWidth];
  for (int i = 0; i < kWidth; ++i) {
    mean[i] = static_cast<C>(args.moments[2 * (c + i)]);
    if constexpr (!kReadsResult) masks[i] = ReluMask<T>(args, c + i);
  }
  int pending = 0;
  const auto finish_run = [&] {
    sums.take(0, a);
    sums.take(1, b);
    pending = 0;
  };
  for_strips<kRows, false>(
      args.outer, args.channels, args.splits * blockDim.y, c, [&](const auto& strip) {
        const Rows x(args.x, strip);
        Rows gy(args.gy, strip);
        if constexpr (kReadsResult) {
          const Rows y(args.y, strip);
          gy.for_each(strip, [&](int k, int i) {
            const C whole = static_cast<C>(gy.row[k].x[i]);
            gy.row[k].x[i] = T(static_cast<C>(y.row[k].x[i]) > C(0) ? whole : C(0));
          });
          gy.store(args.masked, strip);
        }
        x.for_each(strip, [&](int k, int i) {
          const C distance = static_cast<C>(x.row[k].x[i]) - mean[i];
          const C passed = masks[i](from_x, distance, static_cast<C>(gy.row[k].x[i]));
          a[i] += passed;
          b[i] += passed * distance;
        });
        if ((pending += kRows) >= kRowsPerSum) finish_run();
      });
  finish_run();
}

template <class T, bool kGradient, int kWidth>
CUPYXX_FN void batch_norm_sums_rows(const BatchNormArgs& args) {
  __shared__ BlockSums<kWidth, 2> sums;
  sums.clear();
  const long c = first_channel<kWidth>();
  if (c < args.channels) {
    if constexpr (!kGradient) {
      distance_sums<T>(args, c, sums);
    } else if (args.y != nullptr) {
      gradient_sums<T, true>(args, c, sums);
    } else {
      gradient_sums<T, false>(args, c, sums);
    }
  }
  sums.finish([&](long channel, const double(&sum)[2]) {
    if (channel >= args.channels) return;
    const double unit = kGradient ? args.moments[2 * channel + 1] : 1;
    const long at = 2 * (channel * args.splits + blockIdx.x);
    store_pack(args.partials, at, Pack<double, 2>{{sum[0], sum[1] * unit}});
  });
}

/// Calls `body(channel, sum, sum)` in one lane of the warp that puts the parts of a channel
/// together, in a fixed order.
template <class Body>
CUPYXX_FN void for_channels(const BatchNormArgs& args, Body&& body) {
  for (long c = global_thread() / 32; c < args.channels; c += global_threads() / 32) {
    double a = 0, b = 0;
#pragma unroll 8
    for (long s = threadIdx.x % 32; s < args.splits; s += 32) {
      const auto part = pack_at<double, 2>(args.partials, 2 * (c * args.splits + s));
      a += part.x[0];
      b += part.x[1];
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
      set_line<T>(args, c, Normalise<T>(args, c, at));
      return;
    }
    const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
    const auto shift = static_cast<Compute<T>>(static_cast<const T*>(args.x)[c * args.inner]);
    double variance;
    const ChannelMoments at =
        moments_of(static_cast<double>(shift), a, b, count, args.eps, &variance);
    const Normalise<T> f(args, c, at);  // reads before the others write
    finish_channel<T>(args, c, at, variance);
    set_line<T>(args, c, f);
  });
}

/// What the gradient by x computes of every channel, and the gradients of gamma and beta.
template <class T>
CUPYXX_FN void batch_norm_totals(const BatchNormArgs& args) {
  for_channels(args, [&](long c, double a, double b) {
    set_gradient_line<T>(args, c, a, b);
    finish_gradients<T>(args, c, a, b);
  });
}

/// What a pass does with the elements of a channel.
template <class T, bool kGradient>
struct ChannelPass;

template <class T>
struct ChannelPass<T, false> {
  using C = Compute<T>;
  ForwardLine<T> line = {};
  ChannelPass() = default;
  CUPYXX_FN ChannelPass(const BatchNormArgs& args, long c)
      : line(static_cast<const ForwardLine<T>*>(args.lines)[c]) {}
  /// `other` is what is added to the result.
  CUPYXX_FN C operator()(bool relu, C x, C other) const {
    const C sum = static_cast<C>(T((x - line.mean) * line.scale + line.beta)) + other;
    return relu & (sum < C(0)) ? C(0) : sum;
  }
};
template <class T>
struct ChannelPass<T, true> {
  using C = Compute<T>;
  GradientLine<T> line = {};
  C beta = 0;
  ChannelPass() = default;
  CUPYXX_FN ChannelPass(const BatchNormArgs& args, long c)
      : line(static_cast<const GradientLine<T>*>(args.lines)[c]) {
    if (args.relu != 0) beta = parameter_at<T>(args.beta, c, args.wide);
  }
  /// `gy` is the gradient of the result. ReLU's mask is ReluMask's.
  CUPYXX_FN C operator()(bool relu, C x, C gy) const {
    const C distance = x - line.mean;
    const bool passes = !relu | (static_cast<C>(T(distance * line.scale + beta)) > C(0));
    return line.scale * (passes ? gy : C(0)) - line.slope * distance - line.offset;
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
  const bool relu = args.relu != 0;
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
        own.for_each_with(second, [&](C& v, C& w) { v = pass(relu, v, w); });
      } else {
        own.for_each([&](C& v) { v = pass(relu, v, C(0)); });
      }
      own.store(static_cast<T*>(args.out) + p * args.inner, cut, t);
    }
  }
}

/// A thread takes kWidth channels of some rows. The sums' pass read the last rows last, so that
/// they may still be in the cache: they come first.
template <class T, bool kGradient, bool kOther, int kWidth>
CUPYXX_FN void pass_over_rows(const BatchNormArgs& args, long c) {
  using C = Compute<T>;
  constexpr int kRows = kOther ? 4 : 8;
  using Rows = RowPacks<T, kWidth, kRows>;
  const bool relu = args.relu != 0;
  ChannelPass<T, kGradient> pass[kWidth];
  for (int i = 0; i < kWidth; ++i) pass[i] = ChannelPass<T, kGradient>(args, c + i);
  const long step = static_cast<long>(gridDim.x) * blockDim.y;
  for_strips<kRows, true>(args.outer, args.channels, step, c, [&](const auto& strip) {
    Rows x(args.x, strip);
    if constexpr (kOther) {
      const Rows second(other_array<kGradient>(args), strip);
      x.for_each(strip, [&](int k, int i) {
        x.row[k].x[i] =
            T(pass[i](relu, static_cast<C>(x.row[k].x[i]), static_cast<C>(second.row[k].x[i])));
      });
    } else {
      x.for_each(strip, [&](int k, int i) {
        x.row[k].x[i] = T(pass[i](relu, static_cast<C>(x.row[k].x[i]), C(0)));
      });
    }
    x.store(args.out, strip);
  });
}

template <class T, bool kGradient, int kWidth>
CUPYXX_FN void batch_norm_rows(const BatchNormArgs& args) {
  const long c = first_channel<kWidth>();
  if (c >= args.channels) return;
  if (kGradient || args.added != nullptr) {
    pass_over_rows<T, kGradient, true, kWidth>(args, c);
  } else {
    pass_over_rows<T, kGradient, false, kWidth>(args, c);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
