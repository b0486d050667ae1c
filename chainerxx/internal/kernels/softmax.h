// SPDX-License-Identifier: MIT
// Device-safe. Softmax over the classes of (outer, classes, inner) arrays, cross entropy through
// log-softmax, and accuracy. An instance is one (outer, inner) place; its classes lie `inner`
// apart. A warp takes an instance when its classes are neighbours, else a thread does, so that
// neighbouring threads read neighbouring elements.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/error_word.h"

namespace chainerxx::internal::kernels {

struct SoftmaxArgs {
  const void* x;   // logits; for the gradient the softmax
  const void* gy;  // for the gradient
  void* out;
  long outer;
  long classes;
  long inner;
};

struct CrossEntropyArgs {
  const void* x;
  const void* labels;     // (outer, inner), int32 or int64
  void* loss;             // 0-d; null where the gradient alone is wanted
  void* grad;             // like x, or null
  double* instance_loss;  // (outer, inner), or null when one block does everything
  double* factor;         // 0-d, the weight of one instance; null likewise
  long outer;
  long classes;
  long inner;
  int normalize;
  int wide_labels;  // int64
  cupyxx::extension::ErrorWord* error;
  unsigned operation;
  int wide_loss = 0;           // the loss is of the type of the computation
  const double* gy = nullptr;  // 0-d, what the gradient is multiplied by; null for 1
};

template <class T>
CUPYXX_FN void store_loss(const CrossEntropyArgs& args, double loss) {
  const auto rounded = static_cast<Compute<T>>(loss);
  if (args.loss == nullptr) return;
  if (args.wide_loss) {
    *static_cast<Compute<T>*>(args.loss) = rounded;
  } else {
    *static_cast<T*>(args.loss) = T(rounded);
  }
}

struct AccuracyArgs {
  const void* y;
  const void* labels;
  void* out;
  long outer;
  long classes;
  long inner;
  int wide_labels;
  int ignores;  // whether `ignored` is a label that does not count
  long ignored;
};

CUPYXX_FN long label_at(const void* labels, int wide, long i) {
  return wide ? static_cast<const long*>(labels)[i] : static_cast<const int*>(labels)[i];
}

#if defined(__CUDACC__)
/// The threads that share one instance.
template <int kLanes>
struct Group {
  static CUPYXX_FN long lane() { return threadIdx.x % kLanes; }
  template <class T>
  static CUPYXX_FN T max(T value) {
    return kLanes == 32 ? warp_max(value) : value;
  }
  template <class T>
  static CUPYXX_FN T sum(T value) {
    return kLanes == 32 ? warp_sum(value) : value;
  }
};

/// One instance as its group sees it: where it starts and the largest logit and the sum of the
/// exponentials relative to it.
template <class T, int kLanes>
struct Instance {
  using C = Compute<T>;
  long offset;
  C max;
  C sum;

  CUPYXX_FN Instance(const T* x, long i, long classes, long inner)
      : offset(i / inner * classes * inner + i % inner) {
    using G = Group<kLanes>;
    max = static_cast<C>(x[offset]);
    for (long c = G::lane(); c < classes; c += kLanes) {
      const C value = static_cast<C>(x[offset + c * inner]);
      max = value > max || value != value ? value : max;
    }
    max = G::max(max);
    sum = 0;
    for (long c = G::lane(); c < classes; c += kLanes) {
      sum += m::exp(static_cast<C>(x[offset + c * inner]) - max);
    }
    sum = G::sum(sum);
  }
};

template <class T, int kLanes>
CUPYXX_FN void softmax(const SoftmaxArgs& args) {
  using C = Compute<T>;
  const T* const x = static_cast<const T*>(args.x);
  T* const out = static_cast<T*>(args.out);
  const long instances = args.outer * args.inner;
  for (long i = global_thread() / kLanes; i < instances; i += global_threads() / kLanes) {
    const Instance<T, kLanes> at(x, i, args.classes, args.inner);
    for (long c = Group<kLanes>::lane(); c < args.classes; c += kLanes) {
      const long k = at.offset + c * args.inner;
      out[k] = T(m::exp(static_cast<C>(x[k]) - at.max) / at.sum);
    }
  }
}

template <class T, int kLanes>
CUPYXX_FN void softmax_grad(const SoftmaxArgs& args) {
  using C = Compute<T>;
  const T* const y = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(args.gy);
  T* const out = static_cast<T*>(args.out);
  const long instances = args.outer * args.inner;
  for (long i = global_thread() / kLanes; i < instances; i += global_threads() / kLanes) {
    const long offset = i / args.inner * args.classes * args.inner + i % args.inner;
    C dot = 0;
    for (long c = Group<kLanes>::lane(); c < args.classes; c += kLanes) {
      const long k = offset + c * args.inner;
      dot += static_cast<C>(y[k]) * static_cast<C>(gy[k]);
    }
    dot = Group<kLanes>::sum(dot);
    for (long c = Group<kLanes>::lane(); c < args.classes; c += kLanes) {
      const long k = offset + c * args.inner;
      out[k] = T(static_cast<C>(y[k]) * (static_cast<C>(gy[k]) - dot));
    }
  }
}

/// The weight of one instance, computed by a whole block.
CUPYXX_FN double instance_factor(const CrossEntropyArgs& args) {
  long count = args.outer;
  if (args.normalize) {
    count = 0;
    const long instances = args.outer * args.inner;
    for (long i = threadIdx.x; i < instances; i += blockDim.x) {
      count += label_at(args.labels, args.wide_labels, i) != -1;
    }
    count = block_sum(count);
  }
  const double factor = 1.0 / static_cast<double>(count > 0 ? count : 1);
  return args.gy != nullptr ? *args.gy * factor : factor;
}

/// The label, or -1, which does not count, for one outside of the classes; that is reported by the
/// thread for which `reports` is true.
CUPYXX_FN long checked_label(const CrossEntropyArgs& args, long label, bool reports) {
  if (label == -1 || (label >= 0 && label < args.classes)) return label;
  if (reports) {
    report(args.error, cupyxx::extension::kIndexOutOfRange, args.operation, label, args.classes);
  }
  return -1;
}

/// Writes the gradient of instance i and returns its loss.
template <class T, int kLanes>
CUPYXX_FN double cross_entropy_of(const CrossEntropyArgs& args, long i, double factor) {
  using C = Compute<T>;
  using G = Group<kLanes>;
  const T* const x = static_cast<const T*>(args.x);
  T* const grad = static_cast<T*>(args.grad);
  const long label =
      checked_label(args, label_at(args.labels, args.wide_labels, i), G::lane() == 0);
  const Instance<T, kLanes> at(x, i, args.classes, args.inner);
  if (grad != nullptr) {
    const C scale = label == -1 ? C(0) : static_cast<C>(factor);
    for (long c = G::lane(); c < args.classes; c += kLanes) {
      const long k = at.offset + c * args.inner;
      const C y = m::exp(static_cast<C>(x[k]) - at.max) / at.sum;
      grad[k] = T(label == -1 ? C(0) : (c == label ? y - C(1) : y) * scale);
    }
  }
  if (label == -1) return 0;
  const C logit = static_cast<C>(x[at.offset + label * args.inner]);
  return static_cast<double>(m::log(at.sum) - (logit - at.max));
}

/// The sum of the losses of the block's instances when a warp holds all classes of one: each logit
/// is read once, and those of four instances are under way together, with the labels that
/// `instance_factor` counts. The arithmetic is that of cross_entropy_of.
template <class T>
CUPYXX_FN double cross_entropy_of_few_classes(const CrossEntropyArgs& args) {
  using C = Compute<T>;
  constexpr int kAtOnce = 4;
  const T* const x = static_cast<const T*>(args.x);
  T* const grad = static_cast<T*>(args.grad);
  const long warps = blockDim.x / 32, lane = threadIdx.x % 32;
  const bool inside = lane < args.classes;
  double factor = 0, loss = 0;
  for (long first = 0; first < args.outer; first += kAtOnce * warps) {
    C value[kAtOnce];
    long label[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const long i = first + k * warps + threadIdx.x / 32;
      if (i >= args.outer) continue;
      label[k] = label_at(args.labels, args.wide_labels, i);
      // A lane beyond the classes repeats the first one.
      value[k] = static_cast<C>(x[i * args.classes + (inside ? lane : 0)]);
    }
    if (first == 0) factor = instance_factor(args);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const long i = first + k * warps + threadIdx.x / 32;
      if (i >= args.outer) continue;
      label[k] = checked_label(args, label[k], lane == 0);
      const C max = warp_max(value[k]);
      const C power = m::exp(value[k] - max);
      const C sum = warp_sum(inside ? power : C(0));
      const bool ignored = label[k] == -1;
      if (grad != nullptr && inside) {
        const C y = power / sum;
        grad[i * args.classes + lane] =
            T(ignored ? C(0) : (lane == label[k] ? y - C(1) : y) * static_cast<C>(factor));
      }
      if (!ignored && lane == label[k]) {
        loss += static_cast<double>(m::log(sum) - (value[k] - max));
      }
    }
  }
  return block_sum(loss) * factor;
}

/// Everything in one block, for small batches.
template <class T, int kLanes>
CUPYXX_FN void cross_entropy_block(const CrossEntropyArgs& args) {
  if (kLanes == 32 && args.classes <= 32) {
    const double loss = cross_entropy_of_few_classes<T>(args);
    if (threadIdx.x == 0) store_loss<T>(args, loss);
    return;
  }
  const double factor = instance_factor(args);
  const long instances = args.outer * args.inner;
  double sum = 0;
  for (long i = threadIdx.x / kLanes; i < instances; i += blockDim.x / kLanes) {
    const double loss = cross_entropy_of<T, kLanes>(args, i, factor);
    if (Group<kLanes>::lane() == 0) sum += loss;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) store_loss<T>(args, sum * factor);
}

/// The three parts for large batches: the weight, the instances, the sum.
CUPYXX_FN void cross_entropy_factor(const CrossEntropyArgs& args) {
  const double factor = instance_factor(args);
  if (threadIdx.x == 0) *args.factor = factor;
}

template <class T, int kLanes>
CUPYXX_FN void cross_entropy_instances(const CrossEntropyArgs& args) {
  const double factor = *args.factor;
  const long instances = args.outer * args.inner;
  for (long i = global_thread() / kLanes; i < instances; i += global_threads() / kLanes) {
    const double loss = cross_entropy_of<T, kLanes>(args, i, factor);
    if (Group<kLanes>::lane() == 0) args.instance_loss[i] = loss;
  }
}

template <class T>
CUPYXX_FN void cross_entropy_sum(const CrossEntropyArgs& args) {
  const long instances = args.outer * args.inner;
  double sum = 0;
  for (long i = threadIdx.x; i < instances; i += blockDim.x) sum += args.instance_loss[i];
  sum = block_sum(sum) * *args.factor;
  if (threadIdx.x == 0) store_loss<T>(args, sum);
}

/// The share of instances that count whose first largest class is the label, 0 of none; one block.
template <class T>
CUPYXX_FN void accuracy(const AccuracyArgs& args) {
  using C = Compute<T>;
  const T* const y = static_cast<const T*>(args.y);
  const long instances = args.outer * args.inner;
  long hits = 0, counted = 0;
  for (long i = threadIdx.x; i < instances; i += blockDim.x) {
    const long label = label_at(args.labels, args.wide_labels, i);
    if (args.ignores && label == args.ignored) continue;
    ++counted;
    const long offset = i / args.inner * args.classes * args.inner + i % args.inner;
    long best = 0;
    C largest = static_cast<C>(y[offset]);
    for (long c = 1; c < args.classes; ++c) {
      const C value = static_cast<C>(y[offset + c * args.inner]);
      if (value > largest || (value != value && largest == largest)) {
        largest = value;
        best = c;
      }
    }
    hits += best == label;
  }
  hits = block_sum(hits);
  counted = block_sum(counted);
  if (threadIdx.x == 0) {
    const double share =
        counted == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(counted);
    *static_cast<T*>(args.out) = T(static_cast<C>(share));
  }
}
#endif

}  // namespace chainerxx::internal::kernels
