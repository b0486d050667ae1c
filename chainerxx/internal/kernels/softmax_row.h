// SPDX-License-Identifier: MIT
// Device-safe. Softmax, its gradient and cross entropy of long rows, whose logits are neighbours:
// one read of each, in packs.
#pragma once

#include "chainerxx/internal/kernels/row.h"
#include "chainerxx/internal/kernels/softmax.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
template <class C>
inline constexpr C kLowest = C(-3.402823466e+38);
template <>
inline constexpr double kLowest<double> = -1.7976931348623157e308;

/// A sum of exponentials relative to the largest logit so far; finite, so that the padding of minus
/// infinity adds nothing to it. A NaN does not become the largest, but makes the sum NaN.
template <class C>
struct Exponentials {
  C max = kLowest<C>;
  C sum = 0;

  /// Takes the logits of a tile and leaves their exponentials there, relative to `max` as it is
  /// now.
  template <class Tile>
  CUPYXX_FN void take(Tile& tile) {
    C largest = max;
    tile.for_each([&](C& v) { largest = v > largest ? v : largest; });
    C part = 0;
    tile.for_each([&](C& v) {
      v = m::exp(v - largest);
      part += v;
    });
    sum = sum * m::exp(max - largest) + part;
    max = largest;
  }

  /// Those of all threads; returns what the exponentials of this thread's tile are multiplied with.
  template <class Group>
  CUPYXX_FN C combine() {
    const C own = max;
    max = Group::max(own);
    const C factor = m::exp(own - max);
    sum = Group::sum(sum * factor);
    return factor / sum;
  }
};

template <class T, bool kWarp>
CUPYXX_FN void softmax_row(const SoftmaxArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  const long n = args.classes;
#pragma unroll 1
  for (long row = G::first(); row < args.outer; row += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    T* const y = static_cast<T*>(args.out) + row * n;
    const RowCut<T> cut(x, n);
    RowTile<T, kWarp> tile;
    const int last = tile.count(cut) - 1;
    Exponentials<C> all;
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
      tile.load(x, cut, t, minus_infinity<C>());
      all.take(tile);
    }
    const C factor = all.template combine<G>();
    tile.for_each([&](C& v) { v *= factor; });
    tile.store(y, cut, last);
    const C inverse = C(1) / all.sum;
#pragma unroll 1
    for (int t = last - 1; t >= 0; --t) {
      tile.load(x, cut, t, C(0));
      tile.for_each([&](C& v) { v = m::exp(v - all.max) * inverse; });
      tile.store(y, cut, t);
    }
  }
}

template <class T, bool kWarp>
CUPYXX_FN void softmax_grad_row(const SoftmaxArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  using Tile = RowTile<T, kWarp>;
  const long n = args.classes;
#pragma unroll 1
  for (long row = G::first(); row < args.outer; row += G::count()) {
    const T* const y = static_cast<const T*>(args.x) + row * n;
    const T* const gy = static_cast<const T*>(args.gy) + row * n;
    T* const gx = static_cast<T*>(args.out) + row * n;
    const RowCut<T> cut(y, n);
    Tile own, grad;
    const int last = own.count(cut) - 1;
    C dot = 0;
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
      own.load(y, cut, t, C(0));
      grad.load(gy, cut, t, C(0));
      own.for_each_with(grad, [&](C& v, C& g) { dot += v * g; });
    }
    dot = G::sum(dot);
#pragma unroll 1
    for (int t = last; t >= 0; --t) {
      if (t != last) {
        own.load(y, cut, t, C(0));
        grad.load(gy, cut, t, C(0));
      }
      own.for_each_with(grad, [&](C& v, C& g) { v *= g - dot; });
      own.store(gx, cut, t);
    }
  }
}

/// The loss of each row and the gradient, as cross_entropy_of().
template <class T, bool kWarp>
CUPYXX_FN void cross_entropy_row(const CrossEntropyArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  const long n = args.classes;
  const C weight = static_cast<C>(*args.factor);
#pragma unroll 1
  for (long row = G::first(); row < args.outer; row += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    T* const grad = static_cast<T*>(args.grad) + row * n;
    const long label =
        checked_label(args, label_at(args.labels, args.wide_labels, row), G::lane() == 0);
    const RowCut<T> cut(x, n);
    RowTile<T, kWarp> tile;
    const int last = tile.count(cut) - 1;
    Exponentials<C> all;
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
      tile.load(x, cut, t, minus_infinity<C>());
      all.take(tile);
    }
    const C factor = all.template combine<G>();
    if (G::lane() == 0) {
      args.instance_loss[row] =
          label == -1 ? 0
                      : static_cast<double>(m::log(all.sum) - (static_cast<C>(x[label]) - all.max));
    }
    if (args.grad == nullptr) continue;
    const C scale = label == -1 ? C(0) : weight, inverse = scale / all.sum;
#pragma unroll 1
    for (int t = last; t >= 0; --t) {
      if (t == last) {
        tile.for_each([&](C& v) { v *= factor * scale; });
      } else {
        tile.load(x, cut, t, C(0));
        tile.for_each([&](C& v) { v = m::exp(v - all.max) * inverse; });
      }
      tile.add_at(cut, t, label, -scale);
      tile.store(grad, cut, t);
    }
  }
}
#endif

}  // namespace chainerxx::internal::kernels
