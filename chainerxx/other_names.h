// SPDX-License-Identifier: MIT
// Methods of variables that PyTorch calls otherwise than NumPy and Chainer: each says at compile
// time what it is called here.
#pragma once

#include <concepts>

namespace chainerxx::internal {

/// False, once it is asked: for functions whose only purpose is what their compile error says.
template <class...>
inline constexpr bool kNever = false;

/// What shape() and size() take: nothing. With one declaration of each, compilers say in a line
/// that the parentheses of `x.shape` are missing.
class NoAxis {
 public:
  constexpr NoAxis() = default;
  template <std::integral Axis>
  constexpr NoAxis(Axis) {  // NOLINT(google-explicit-constructor)
    static_assert(kNever<Axis>, "write x.shape()[axis]");
  }
};

/// A base of V, which has no other names for what these mean.
template <class V>
class OtherNames {
 public:
#define CHAINERXX_OTHER_NAME(name) \
  template <class... A>            \
  V name(const A&...) const
  CHAINERXX_OTHER_NAME(view) {
    static_assert(kNever<A...>, "write x.reshape(2, -1)");
    return V();
  }
  CHAINERXX_OTHER_NAME(resize) {
    static_assert(kNever<A...>, "write x.reshape(2, -1)");
    return V();
  }
  CHAINERXX_OTHER_NAME(permute) {
    static_assert(kNever<A...>, "write x.transpose(0, 2, 1)");
    return V();
  }
  CHAINERXX_OTHER_NAME(t) {
    static_assert(kNever<A...>, "write x.T()");
    return V();
  }
  CHAINERXX_OTHER_NAME(unsqueeze) {
    static_assert(kNever<A...>, "write functions::expand_dims(x, axis)");
    return V();
  }
  CHAINERXX_OTHER_NAME(clamp) {
    static_assert(kNever<A...>, "write x.clip(low, high)");
    return V();
  }
  CHAINERXX_OTHER_NAME(mm) {
    static_assert(kNever<A...>,
                  "write functions::matmul(x, y), where a vector is a matrix of one column, or "
                  "functions::batch_matmul(x, y)");
    return V();
  }
  CHAINERXX_OTHER_NAME(matmul) {
    static_assert(kNever<A...>,
                  "write functions::matmul(x, y), where a vector is a matrix of one column, or "
                  "functions::batch_matmul(x, y)");
    return V();
  }
  CHAINERXX_OTHER_NAME(bmm) {
    static_assert(kNever<A...>,
                  "write functions::matmul(x, y), where a vector is a matrix of one column, or "
                  "functions::batch_matmul(x, y)");
    return V();
  }
  CHAINERXX_OTHER_NAME(dot) {
    static_assert(kNever<A...>,
                  "write functions::matmul(x, y), where a vector is a matrix of one column, or "
                  "functions::batch_matmul(x, y)");
    return V();
  }
  CHAINERXX_OTHER_NAME(expand) {
    static_assert(kNever<A...>, "write functions::broadcast_to(x, shape)");
    return V();
  }
  CHAINERXX_OTHER_NAME(broadcast_to) {
    static_assert(kNever<A...>, "write functions::broadcast_to(x, shape)");
    return V();
  }
  CHAINERXX_OTHER_NAME(repeat) {
    static_assert(kNever<A...>,
                  "write functions::tile(x, reps) as PyTorch repeats, functions::repeat(x, n, "
                  "axis) as NumPy does");
    return V();
  }
  CHAINERXX_OTHER_NAME(dim) {
    static_assert(kNever<A...>, "write x.ndim()");
    return V();
  }
  CHAINERXX_OTHER_NAME(numel) {
    static_assert(kNever<A...>, "write x.size()");
    return V();
  }
  CHAINERXX_OTHER_NAME(to) {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  CHAINERXX_OTHER_NAME(cpu) {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  CHAINERXX_OTHER_NAME(cuda) {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  CHAINERXX_OTHER_NAME(to_gpu) {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  CHAINERXX_OTHER_NAME(to_cpu) {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  CHAINERXX_OTHER_NAME(requires_grad) {
    static_assert(kNever<A...>,
                  "a variable has a gradient unless it is a constant, x.detach() or an array: "
                  "write x.volatile_() to ask whether a graph is recorded");
    return V();
  }
  CHAINERXX_OTHER_NAME(requires_grad_) {
    static_assert(kNever<A...>,
                  "a variable has a gradient unless it is a constant: write x = x.detach()");
    return V();
  }
  CHAINERXX_OTHER_NAME(zero_grad) {
    static_assert(kNever<A...>, "write x.cleargrad()");
    return V();
  }
  CHAINERXX_OTHER_NAME(numpy) {
    static_assert(kNever<A...>,
                  "write x.data(), an array, and cupyxx::asnumpy or to_cpu() for one on the host");
    return V();
  }
#undef CHAINERXX_OTHER_NAME
};

}  // namespace chainerxx::internal
