// SPDX-License-Identifier: MIT
// Device-safe. The cell of a long short-term memory: x holds for every unit four numbers side by
// side, the update a and the gates i, f and o.
#pragma once

#include "chainerxx/internal/kernels/sigmoid.h"
#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

/// `size` cells; those of one unit lie `inner` apart in x, one after the other elsewhere.
struct LstmArgs {
  const void* c_prev;
  const void* x;
  void* c;
  void* h;
  long size;
  long inner;
};

/// Gradients of the results may be null.
struct LstmGradArgs {
  const void* c_prev;
  const void* x;
  const void* c;
  const void* gc;
  const void* gh;
  void* gc_prev;
  void* gx;
  long size;
  long inner;
};

/// Where the update of cell k stands in x.
CUPYXX_FN long lstm_place(long k, long inner) { return k / inner * 4 * inner + k % inner; }

template <class T>
CUPYXX_FN void lstm_cell(const LstmArgs& args, long k) {
  using C = Compute<T>;
  const T* const x = static_cast<const T*>(args.x) + lstm_place(k, args.inner);
  const C a = m::tanh(static_cast<C>(x[0]));
  const C i = sigmoid(static_cast<C>(x[args.inner]));
  const C f = sigmoid(static_cast<C>(x[2 * args.inner]));
  const C o = sigmoid(static_cast<C>(x[3 * args.inner]));
  const C c = a * i + f * static_cast<C>(static_cast<const T*>(args.c_prev)[k]);
  static_cast<T*>(args.c)[k] = T(c);
  static_cast<T*>(args.h)[k] = T(o * m::tanh(c));
}

template <class T>
CUPYXX_FN void lstm_grad_cell(const LstmGradArgs& args, long k) {
  using C = Compute<T>;
  const long place = lstm_place(k, args.inner);
  const T* const x = static_cast<const T*>(args.x) + place;
  const C a = m::tanh(static_cast<C>(x[0]));
  const C i = sigmoid(static_cast<C>(x[args.inner]));
  const C f = sigmoid(static_cast<C>(x[2 * args.inner]));
  const C o = sigmoid(static_cast<C>(x[3 * args.inner]));
  const C c_prev = static_cast<C>(static_cast<const T*>(args.c_prev)[k]);
  const C tanh_c = m::tanh(static_cast<C>(static_cast<const T*>(args.c)[k]));
  const C gh = args.gh == nullptr ? C(0) : static_cast<C>(static_cast<const T*>(args.gh)[k]);
  C gc = gh * o * (C(1) - tanh_c * tanh_c);
  if (args.gc != nullptr) gc += static_cast<C>(static_cast<const T*>(args.gc)[k]);
  T* const gx = static_cast<T*>(args.gx) + place;
  gx[0] = T(gc * i * (C(1) - a * a));
  gx[args.inner] = T(gc * a * i * (C(1) - i));
  gx[2 * args.inner] = T(gc * c_prev * f * (C(1) - f));
  gx[3 * args.inner] = T(gh * tanh_c * o * (C(1) - o));
  static_cast<T*>(args.gc_prev)[k] = T(gc * f);
}

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void lstm(const LstmArgs& args) {
  for (long k = global_thread(); k < args.size; k += global_threads()) lstm_cell<T>(args, k);
}

template <class T>
CUPYXX_FN void lstm_grad(const LstmGradArgs& args) {
  for (long k = global_thread(); k < args.size; k += global_threads()) lstm_grad_cell<T>(args, k);
}
#endif

}  // namespace chainerxx::internal::kernels
