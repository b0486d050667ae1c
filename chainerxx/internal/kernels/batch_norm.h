// SPDX-License-Identifier: MIT
// Device-safe. Batch normalisation of (outer, channels, inner) arrays: per channel, sums over outer
// and inner in parts, then one pass over the elements whose threads first put the parts together.
// Two layouts of work: "planes", where a group of threads takes the `inner` neighbours of a
// channel, and "rows", for inner == 1, where neighbouring threads take neighbouring channels.
//
// Sums are those of the distances from the channel's first element, so that a large mean does not
// cancel the variance; parts are kept in double.
#pragma once

#include "chainerxx/internal/kernels/types.h"

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
  long outer;
  long channels;
  long inner;
  long splits;
  double eps;
  double decay;
  int fixed;  // the moments do not depend on x
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
  C mean, scale, beta;
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
  C mean, inv_std, scale, mean_gy, mean_gy_x;
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
  C shift, inv_std;
  C a = 0, b = 0;
  CUPYXX_FN Summand(const BatchNormArgs& args, long c) {
    if (kGradient) {
      shift = static_cast<C>(args.moments[2 * c]);
      inv_std = static_cast<C>(args.moments[2 * c + 1]);
    } else {
      shift = static_cast<C>(static_cast<const T*>(args.x)[c * args.inner]);
      inv_std = 1;
    }
  }
  CUPYXX_FN void add(T x, T gy) {
    const C distance = static_cast<C>(x) - shift;
    a += kGradient ? static_cast<C>(gy) : distance;
    b += kGradient ? static_cast<C>(gy) * distance * inv_std : distance * distance;
  }
};

#if defined(__CUDACC__)
/// One split of one channel's sums: blockIdx.x is the split, blockIdx.y walks over the channels. A
/// group of kLanes threads takes one plane after another.
template <class T, bool kGradient, int kLanes>
CUPYXX_FN void batch_norm_sums_planes(const BatchNormArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(kGradient ? args.gy : args.x);
  const long groups = blockDim.x / kLanes, lane = threadIdx.x % kLanes;
  for (long c = blockIdx.y; c < args.channels; c += gridDim.y) {
    double a = 0, b = 0;
    for (long o = blockIdx.x * groups + threadIdx.x / kLanes; o < args.outer;
         o += args.splits * groups) {
      Summand<T, kGradient> sum(args, c);
      const long plane = (o * args.channels + c) * args.inner;
      for (long i = plane + lane; i < plane + args.inner; i += kLanes) sum.add(x[i], gy[i]);
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

/// The same for rows: blocks of 32 channels x 8 rows.
template <class T, bool kGradient>
CUPYXX_FN void batch_norm_sums_rows(const BatchNormArgs& args) {
  __shared__ double partial[2][8][33];
  const T* const x = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(kGradient ? args.gy : args.x);
  const long c = static_cast<long>(blockIdx.y) * 32 + threadIdx.x;
  double a = 0, b = 0;
  if (c < args.channels) {
    Summand<T, kGradient> sum(args, c);
    long pending = 0;
    for (long o = blockIdx.x * 8 + threadIdx.y; o < args.outer; o += args.splits * 8) {
      sum.add(x[o * args.channels + c], gy[o * args.channels + c]);
      if (++pending % 64 == 0) {
        a += static_cast<double>(sum.a);
        b += static_cast<double>(sum.b);
        sum.a = sum.b = 0;
      }
    }
    a += static_cast<double>(sum.a);
    b += static_cast<double>(sum.b);
  }
  partial[0][threadIdx.y][threadIdx.x] = a;
  partial[1][threadIdx.y][threadIdx.x] = b;
  __syncthreads();
  if (threadIdx.y != 0 || c >= args.channels) return;
  for (int k = 1; k < 8; ++k) {
    a += partial[0][k][threadIdx.x];
    b += partial[1][k][threadIdx.x];
  }
  args.partials[2 * (c * args.splits + blockIdx.x)] = a;
  args.partials[2 * (c * args.splits + blockIdx.x) + 1] = b;
}

/// A channel's two sums, put together in a fixed order by one thread.
struct ChannelSums {
  double a = 0, b = 0;
  CUPYXX_FN ChannelSums(const BatchNormArgs& args, long c) {
    for (long s = 0; s < args.splits; ++s) {
      a += args.partials[2 * (c * args.splits + s)];
      b += args.partials[2 * (c * args.splits + s) + 1];
    }
  }
};

/// The moments of a channel; `writes` is true for one thread of all.
template <class T>
CUPYXX_FN ChannelMoments channel_moments(const BatchNormArgs& args, long c, bool writes) {
  if (args.fixed) {
    const ChannelMoments at = fixed_moments<T>(args, c);
    if (writes && args.moments != nullptr) {
      args.moments[2 * c] = at.mean;
      args.moments[2 * c + 1] = at.inv_std;
    }
    return at;
  }
  const ChannelSums sums(args, c);
  const double count = static_cast<double>(args.outer) * static_cast<double>(args.inner);
  const Compute<T> shift = static_cast<Compute<T>>(static_cast<const T*>(args.x)[c * args.inner]);
  double variance;
  const ChannelMoments at =
      moments_of(static_cast<double>(shift), sums.a, sums.b, count, args.eps, &variance);
  if (writes) finish_channel<T>(args, c, at, variance);
  return at;
}

/// A group of kLanes threads takes one plane after another.
template <class T, int kLanes>
CUPYXX_FN void batch_norm_planes(const BatchNormArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  T* const out = static_cast<T*>(args.out);
  const long groups = blockDim.x / kLanes, lane = threadIdx.x % kLanes;
  for (long p = blockIdx.x * groups + threadIdx.x / kLanes; p < args.outer * args.channels;
       p += gridDim.x * groups) {
    const long c = p % args.channels;
    const Normalise<T> f(args, c, channel_moments<T>(args, c, lane == 0 && p < args.channels));
    for (long i = p * args.inner + lane; i < (p + 1) * args.inner; i += kLanes) out[i] = f(x[i]);
  }
}

/// A thread takes a channel of some rows.
template <class T>
CUPYXX_FN void batch_norm_rows(const BatchNormArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  T* const out = static_cast<T*>(args.out);
  const long c = static_cast<long>(blockIdx.y) * 32 + threadIdx.x;
  if (c >= args.channels) return;
  const long first = blockIdx.x * 8 + threadIdx.y;
  const Normalise<T> f(args, c, channel_moments<T>(args, c, first == 0));
  for (long o = first; o < args.outer; o += gridDim.x * 8) {
    out[o * args.channels + c] = f(x[o * args.channels + c]);
  }
}

template <class T, int kLanes>
CUPYXX_FN void batch_norm_grad_planes(const BatchNormArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(args.gy);
  T* const out = static_cast<T*>(args.out);
  const long groups = blockDim.x / kLanes, lane = threadIdx.x % kLanes;
  for (long p = blockIdx.x * groups + threadIdx.x / kLanes; p < args.outer * args.channels;
       p += gridDim.x * groups) {
    const long c = p % args.channels;
    const ChannelSums sums(args, c);
    if (lane == 0 && p < args.channels) finish_gradients<T>(args, c, sums.a, sums.b);
    const NormaliseGrad<T> f(args, c, sums.a, sums.b);
    for (long i = p * args.inner + lane; i < (p + 1) * args.inner; i += kLanes) {
      out[i] = f(x[i], gy[i]);
    }
  }
}

template <class T>
CUPYXX_FN void batch_norm_grad_rows(const BatchNormArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(args.gy);
  T* const out = static_cast<T*>(args.out);
  const long c = static_cast<long>(blockIdx.y) * 32 + threadIdx.x;
  if (c >= args.channels) return;
  const long first = blockIdx.x * 8 + threadIdx.y;
  const ChannelSums sums(args, c);
  if (first == 0) finish_gradients<T>(args, c, sums.a, sums.b);
  const NormaliseGrad<T> f(args, c, sums.a, sums.b);
  for (long o = first; o < args.outer; o += gridDim.x * 8) {
    const long i = o * args.channels + c;
    out[i] = f(x[i], gy[i]);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
