// SPDX-License-Identifier: MIT
// Device-safe. Softmax, its gradient and cross entropy of rows that are too long for registers:
// each logit is read from memory once, whatever fits into shared memory.
#pragma once

#include "chainerxx/internal/kernels/softmax_row.h"
#include "chainerxx/internal/kernels/staged_row.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
/// exp(x) for x <= 0, as exact as results of type T need it.
template <class T, class C>
CUPYXX_FN C power(C x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 2) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.44269504088896341f));
    return result;
  }
#endif
  return m::exp(x);
}

/// Adds what a thread has of a row to its sum of exponentials, which begins at nothing.
template <class T>
CUPYXX_FN Exponentials<Compute<T>> staged_exponentials(StagedRow<T>& row) {
  using C = Compute<T>;
  Exponentials<C> all;
  if (row.has_edge()) {
    all.max = row.edge > all.max ? row.edge : all.max;
    all.sum = power<T>(row.edge - all.max);
  }
  row.for_packs([&](C(&value)[StagedRow<T>::kWidth]) {
    C largest = value[0] > all.max ? value[0] : all.max;
#pragma unroll
    for (int i = 1; i < StagedRow<T>::kWidth; ++i)
      largest = value[i] > largest ? value[i] : largest;
    if (largest > all.max) {
      all.sum *= power<T>(all.max - largest);
      all.max = largest;
    }
    C part = 0;
#pragma unroll
    for (int i = 0; i < StagedRow<T>::kWidth; ++i) part += power<T>(value[i] - all.max);
    all.sum += part;
  });
  all.template combine<RowGroup<false>>();
  return all;
}

/// Writes scale * (softmax - 1 at the label) of a row, or nothing where `out` is null, and goes on
/// to the next row.
template <class T>
CUPYXX_FN void write_staged_softmax(StagedRow<T>& row, const Exponentials<Compute<T>>& all, T* out,
                                    Compute<T> scale, long label, const T* next, long n) {
  using C = Compute<T>;
  constexpr int kWidth = StagedRow<T>::kWidth;
  const C inverse = scale / all.sum;
  if (out != nullptr && row.has_edge()) {
    const int place = row.edge_place();
    const C y = power<T>(row.edge - all.max) * inverse;
    out[place] = T(place == label ? y - scale : y);
  }
  row.announce(next, n);
  for (int p = row.first(); p < row.cut.packs; p += row.step()) {
    if (out != nullptr) {
      C value[kWidth];
      row.read(p, value);
      const int begin = row.cut.pack_begin(p);
      const long at = label - begin;
      Pack<T, kWidth> pack;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const C y = power<T>(value[i] - all.max) * inverse;
        pack.x[i] = T(i == at ? y - scale : y);
      }
      store_pack(out, begin, pack);
    }
    row.leave(p);
  }
  row.go_on();
}

template <class T>
CUPYXX_FN void softmax_staged(const SoftmaxArgs& args) {
  const long n = args.classes;
  long row = blockIdx.x;
  if (row >= args.outer) return;
  const T* const x = static_cast<const T*>(args.x);
  StagedRow<T> own(shared_memory<Pack<T, kPackWidth<T>>>(), x + row * n, n);
  while (row < args.outer) {
    const long next = row + gridDim.x;
    const auto all = staged_exponentials(own);
    write_staged_softmax(own, all, static_cast<T*>(args.out) + row * n, Compute<T>(1), -1,
                         next < args.outer ? x + next * n : nullptr, n);
    row = next;
  }
}

template <class T>
CUPYXX_FN void softmax_grad_staged(const SoftmaxArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = kPackWidth<T>;
  const long n = args.classes;
  long row = blockIdx.x;
  if (row >= args.outer) return;
  const T* const y = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(args.gy);
  auto* const memory = shared_memory<Pack<T, kWidth>>();
  // Both rows lie alike: pack for pack of one stands beside that of the other.
  StagedRow<T> own(memory, y + row * n, n), grad(memory + n / kWidth, gy + row * n, n);
  while (row < args.outer) {
    const long next = row + gridDim.x;
    T* const out = static_cast<T*>(args.out) + row * n;
    C dot = own.edge * grad.edge;
    await_own_copies();
    for (int p = own.first(); p < own.cut.packs; p += own.step()) {
      C v[kWidth], g[kWidth];
      own.read(p, v);
      grad.read(p, g);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) dot += v[i] * g[i];
    }
    dot = RowGroup<false>::sum(dot);
    if (own.has_edge()) out[own.edge_place()] = T(own.edge * (grad.edge - dot));
    const bool goes_on = next < args.outer;
    own.announce(goes_on ? y + next * n : nullptr, n);
    grad.announce(goes_on ? gy + next * n : nullptr, n);
    for (int p = own.first(); p < own.cut.packs; p += own.step()) {
      C v[kWidth], g[kWidth];
      own.read(p, v);
      grad.read(p, g);
      Pack<T, kWidth> pack;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) pack.x[i] = T(v[i] * (g[i] - dot));
      store_pack(out, own.cut.pack_begin(p), pack);
      own.leave(p);
      grad.leave(p);
    }
    own.go_on();
    grad.go_on();
    row = next;
  }
}

/// The loss of each row and the gradient, as cross_entropy_of().
template <class T>
CUPYXX_FN void cross_entropy_staged(const CrossEntropyArgs& args) {
  using C = Compute<T>;
  const long n = args.classes;
  long row = blockIdx.x;
  if (row >= args.outer) return;
  const T* const x = static_cast<const T*>(args.x);
  const C weight = static_cast<C>(*args.factor);
  StagedRow<T> own(shared_memory<Pack<T, kPackWidth<T>>>(), x + row * n, n);
  while (row < args.outer) {
    const long next = row + gridDim.x;
    const bool is_first = threadIdx.x == 0;
    const long label = checked_label(args, label_at(args.labels, args.wide_labels, row), is_first);
    const C logit = is_first && label != -1 ? static_cast<C>(x[row * n + label]) : C(0);
    const auto all = staged_exponentials(own);
    if (is_first) {
      args.instance_loss[row] =
          label == -1 ? 0 : static_cast<double>(m::log(all.sum) - (logit - all.max));
    }
    T* const grad = args.grad != nullptr ? static_cast<T*>(args.grad) + row * n : nullptr;
    write_staged_softmax(own, all, grad, label == -1 ? C(0) : weight, label,
                         next < args.outer ? x + next * n : nullptr, n);
    row = next;
  }
}
#endif

}  // namespace chainerxx::internal::kernels
