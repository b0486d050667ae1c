// SPDX-License-Identifier: MIT
// Device-safe. Connectionist temporal classification: the probability that a sequence of class
// distributions spells a row of labels, over all alignments with blanks between them, by the
// forward-backward recursion in logarithms (Graves et al., 2006, section 4). A team of threads
// takes one sequence of the batch: a block on a device, a single thread on the host.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/error_word.h"

namespace chainerxx::internal::kernels {

struct CtcArgs {
  const void* log_y;         // (time, batch, classes): logarithms of a softmax
  const int* labels;         // (batch, most_labels)
  const int* input_lengths;  // (batch,), or null: all of the time
  const int* label_lengths;  // (batch,), or null: all of the labels
  double* alpha;             // (batch, time, 2 most_labels + 1)
  double* beta;              // (batch, 2, 2 most_labels + 1)
  double* loss;              // (batch,)
  void* grad;                // like log_y: of the loss by what the softmax was taken of; or null
  long time;
  long batch;
  long classes;
  long most_labels;
  int blank;
  cupyxx::extension::ErrorWord* error;
  unsigned operation;
};

CUPYXX_FN double ctc_never() { return -1.0 / 0.0; }

CUPYXX_FN double ctc_log_add(double a, double b) {
  if (a < b) {
    const double c = a;
    a = b;
    b = c;
  }
  return b == ctc_never() ? a : a + m::log1p(m::exp(b - a));
}

/// One sequence with its labels, blanks between them.
template <class T>
struct CtcSequence {
  const CtcArgs& args;
  long b;       // which one
  long steps;   // its time
  long places;  // its labels and the blanks around them
  const int* labels;

  /// A given length, kept inside of the arrays.
  CUPYXX_FN static long within(const int* lengths, long b, long most) {
    if (lengths == nullptr || lengths[b] > most) return most;
    return lengths[b] < 0 ? 0 : lengths[b];
  }
  CUPYXX_FN static CtcSequence at(const CtcArgs& args, long b) {
    const long steps = within(args.input_lengths, b, args.time);
    const long labels = within(args.label_lengths, b, args.most_labels);
    return {args, b, steps, 2 * labels + 1, args.labels + b * args.most_labels};
  }

  CUPYXX_FN int symbol(long place) const { return place % 2 ? labels[place / 2] : args.blank; }
  /// Whether a path may come to a place from the last label but one, over no blank.
  CUPYXX_FN bool may_skip(long place) const {
    return place >= 2 && place % 2 && symbol(place) != symbol(place - 2);
  }
  CUPYXX_FN double log_y(long t, long k) const {
    const T value = static_cast<const T*>(args.log_y)[(t * args.batch + b) * args.classes + k];
    return static_cast<double>(static_cast<Compute<T>>(value));
  }
  CUPYXX_FN double* alpha(long t) const {
    return args.alpha + (b * args.time + t) * (2 * args.most_labels + 1);
  }
  CUPYXX_FN double* beta(long t) const {
    return args.beta + (b * 2 + t % 2) * (2 * args.most_labels + 1);
  }
  CUPYXX_FN void put_grad(long t, long k, double value) const {
    static_cast<T*>(args.grad)[(t * args.batch + b) * args.classes + k] =
        T(static_cast<Compute<T>>(value));
  }
};

/// `Team` has rank(), size() and sync().
template <class T, class Team>
CUPYXX_FN void ctc_sequence(const CtcArgs& args, long b, const Team& team) {
  const CtcSequence<T> s = CtcSequence<T>::at(args, b);
  for (long t = 0; t < s.steps; ++t) {
    for (long j = team.rank(); j < s.places; j += team.size()) {
      double sum = ctc_never();
      if (t == 0) {
        if (j < 2) sum = 0;
      } else {
        const double* const before = s.alpha(t - 1);
        sum = before[j];
        if (j >= 1) sum = ctc_log_add(sum, before[j - 1]);
        if (s.may_skip(j)) sum = ctc_log_add(sum, before[j - 2]);
      }
      s.alpha(t)[j] = sum + s.log_y(t, s.symbol(j));
    }
    team.sync();
  }
  double total = s.places == 1 ? 0 : ctc_never();
  if (s.steps > 0) {
    const double* const last = s.alpha(s.steps - 1);
    total = last[s.places - 1];
    if (s.places >= 2) total = ctc_log_add(total, last[s.places - 2]);
  }
  if (team.rank() == 0) args.loss[b] = -total;
  if (args.grad == nullptr) return;

  for (long t = args.time - 1; t >= s.steps; --t) {
    for (long k = team.rank(); k < args.classes; k += team.size()) s.put_grad(t, k, 0);
  }
  for (long t = s.steps - 1; t >= 0; --t) {
    for (long j = team.rank(); j < s.places; j += team.size()) {
      double sum = ctc_never();
      if (t == s.steps - 1) {
        if (j >= s.places - 2) sum = 0;
      } else {
        const double* const after = s.beta(t + 1);
        sum = after[j] + s.log_y(t + 1, s.symbol(j));
        if (j + 1 < s.places) {
          sum = ctc_log_add(sum, after[j + 1] + s.log_y(t + 1, s.symbol(j + 1)));
        }
        if (j + 2 < s.places && s.may_skip(j + 2)) {
          sum = ctc_log_add(sum, after[j + 2] + s.log_y(t + 1, s.symbol(j + 2)));
        }
      }
      s.beta(t)[j] = sum;
    }
    team.sync();
    // The softmax less the share of the paths that are at a symbol now.
    for (long k = team.rank(); k < args.classes; k += team.size()) {
      double share = 0;
      for (long j = k == args.blank ? 0 : 1; j < s.places; j += k == args.blank ? 2 : 1) {
        if (s.symbol(j) != k) continue;
        const double path = s.alpha(t)[j] + s.beta(t)[j];
        if (path != ctc_never()) share += m::exp(path - total);
      }
      s.put_grad(t, k, m::exp(s.log_y(t, k)) - share);
    }
  }
}

#if defined(__CUDACC__)
struct CtcBlock {
  static CUPYXX_FN long rank() { return threadIdx.x; }
  static CUPYXX_FN long size() { return blockDim.x; }
  static CUPYXX_FN void sync() { __syncthreads(); }
};

/// Reports a symbol outside of the classes; such a sequence costs nothing.
template <class T>
CUPYXX_FN bool ctc_is_valid(const CtcArgs& args, long b) {
  __shared__ int wrong;
  if (threadIdx.x == 0) wrong = 0;
  __syncthreads();
  const long labels = CtcSequence<T>::within(args.label_lengths, b, args.most_labels);
  for (long i = threadIdx.x; i < labels; i += blockDim.x) {
    const int label = args.labels[b * args.most_labels + i];
    if (label >= 0 && label < args.classes) continue;
    report(args.error, cupyxx::extension::kIndexOutOfRange, args.operation, label, args.classes);
    wrong = 1;
  }
  __syncthreads();
  const bool is_valid = wrong == 0;
  __syncthreads();
  return is_valid;
}

template <class T>
CUPYXX_FN void ctc(const CtcArgs& args) {
  for (long b = blockIdx.x; b < args.batch; b += gridDim.x) {
    if (ctc_is_valid<T>(args, b)) {
      ctc_sequence<T>(args, b, CtcBlock());
    } else if (threadIdx.x == 0) {
      args.loss[b] = 0;
    }
    __syncthreads();
  }
}
#endif

}  // namespace chainerxx::internal::kernels
