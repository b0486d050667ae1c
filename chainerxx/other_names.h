// SPDX-License-Identifier: MIT
// Methods of variables that PyTorch calls otherwise than NumPy and Chainer: each says at compile
// time what it is called here.
#pragma once

#include <concepts>
#include <initializer_list>

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

/// A base of layers and sets, which have no other names for what these mean.
class OtherModelNames {
 public:
  template <class... A>
  void eval(const A&...) const {
    static_assert(kNever<A...>,
                  "write `const chainerxx::using_config test(\"train\", false);` in the scope that "
                  "evaluates");
  }
  template <class... A>
  void add_param(const A&...) const {
    static_assert(
        kNever<A...>,
        "write L::Parameter& W = add(\"W\", L::Parameter(array)) in a FunctionSet; it is a "
        "variable where one is expected");
  }
  template <class Extent, class... A>
  void add_param(const char* name, std::initializer_list<Extent>, const A&...) const {
    add_param(name, kNever<Extent>);
  }
  template <class... A>
  void requires_grad_(const A&...) const {
    static_assert(kNever<A...>, R"(write optimizer.add_group("frozen", {"l1"}, {.rate = 0}))");
  }
};

/// A base of layers, with names of layers alone.
class OtherLayerNames : public OtherModelNames {
 public:
  template <class... A>
  void to(const A&...) const {
    static_assert(kNever<A...>,
                  "write layer.to_gpu(0) or layer.to_cpu(); the dtype is an option of the layer, "
                  "L::Linear(3, 4, {.dtype = cupyxx::float64})");
  }
  template <class... A>
  void cuda(const A&...) const {
    static_assert(kNever<A...>, "write layer.to_gpu(0)");
  }
  template <class... A>
  void cpu(const A&...) const {
    static_assert(kNever<A...>, "write layer.to_cpu()");
  }
  template <class... A>
  void state_dict(const A&...) const {
    static_assert(kNever<A...>, "write layer.fields(), or chainerxx::save_npz(path, layer)");
  }
};

/// A base of V, which has no other names for what these mean.
template <class V>
class OtherNames {
 public:
  template <class... A>
  V view(const A&...) const {
    static_assert(kNever<A...>, "write x.reshape(2, -1)");
    return V();
  }
  template <class... A>
  V resize(const A&... a) const {
    return view(a...);
  }
  template <class... A>
  V permute(const A&...) const {
    static_assert(kNever<A...>, "write x.transpose(0, 2, 1)");
    return V();
  }
  template <class... A>
  V t(const A&...) const {
    static_assert(kNever<A...>, "write x.T()");
    return V();
  }
  template <class... A>
  V unsqueeze(const A&...) const {
    static_assert(kNever<A...>, "write functions::expand_dims(x, axis)");
    return V();
  }
  template <class... A>
  V clamp(const A&...) const {
    static_assert(kNever<A...>, "write x.clip(low, high)");
    return V();
  }
  template <class... A>
  V mm(const A&...) const {
    static_assert(kNever<A...>,
                  "write functions::matmul(x, y), where a vector is a matrix of one column, or "
                  "functions::batch_matmul(x, y)");
    return V();
  }
  template <class... A>
  V matmul(const A&... a) const {
    return mm(a...);
  }
  template <class... A>
  V bmm(const A&... a) const {
    return mm(a...);
  }
  template <class... A>
  V dot(const A&... a) const {
    return mm(a...);
  }
  template <class... A>
  V expand(const A&...) const {
    static_assert(kNever<A...>, "write functions::broadcast_to(x, shape)");
    return V();
  }
  template <class... A>
  V broadcast_to(const A&... a) const {
    return expand(a...);
  }
  template <class... A>
  V repeat(const A&...) const {
    static_assert(kNever<A...>,
                  "write functions::tile(x, reps) as PyTorch repeats, functions::repeat(x, n, "
                  "axis) as NumPy does");
    return V();
  }
  template <class... A>
  V dim(const A&...) const {
    static_assert(kNever<A...>, "write x.ndim()");
    return V();
  }
  template <class... A>
  V numel(const A&...) const {
    static_assert(kNever<A...>, "write x.size()");
    return V();
  }
  template <class... A>
  V to(const A&...) const {
    static_assert(kNever<A...>,
                  "write functions::copy(x, device) within a graph, or make the variable of "
                  "x.data().to(device)");
    return V();
  }
  template <class... A>
  V cpu(const A&... a) const {
    return to(a...);
  }
  template <class... A>
  V cuda(const A&... a) const {
    return to(a...);
  }
  template <class... A>
  V to_gpu(const A&... a) const {
    return to(a...);
  }
  template <class... A>
  V to_cpu(const A&... a) const {
    return to(a...);
  }
  template <class... A>
  V requires_grad(const A&...) const {
    static_assert(kNever<A...>,
                  "a variable has a gradient unless it is a constant, x.detach() or an array: "
                  "write x.volatile_() to ask whether a graph is recorded");
    return V();
  }
  template <class... A>
  V requires_grad_(const A&...) const {
    static_assert(kNever<A...>,
                  "a variable has a gradient unless it is a constant: write x = x.detach()");
    return V();
  }
  template <class... A>
  V zero_grad(const A&...) const {
    static_assert(kNever<A...>, "write x.cleargrad()");
    return V();
  }
  template <class... A>
  V zero_(const A&...) const {
    static_assert(kNever<A...>, "write x.data().fill(0), or x.cleargrad() for its gradient");
    return V();
  }
  template <class... A>
  V detach_(const A&...) const {
    static_assert(kNever<A...>, "write x = x.detach(), or x.unchain_backward()");
    return V();
  }
  template <class... A>
  V retain_grad(const A&...) const {
    static_assert(kNever<A...>, "write y.backward({.retain_grad = true})");
    return V();
  }
  template <class... A>
  V register_hook(const A&...) const {
    static_assert(kNever<A...>, "write a FunctionHook, or change x.grad() behind backward()");
    return V();
  }
  template <class... A>
  V contiguous(const A&...) const {
    static_assert(kNever<A...>, "write x: functions take any layout");
    return V();
  }
  template <class... A>
  V masked_fill(const A&...) const {
    static_assert(kNever<A...>, "write functions::where(mask, value, x)");
    return V();
  }
  template <class... A>
  V gather(const A&...) const {
    static_assert(kNever<A...>,
                  "write functions::select_item(x, t) for one of each row, or x(rows, columns)");
    return V();
  }
  template <class... A>
  V split(const A&...) const {
    static_assert(kNever<A...>, "write functions::split_axis(x, sections, axis)");
    return V();
  }
  template <class... A>
  V chunk(const A&... a) const {
    return split(a...);
  }
  template <class... A>
  V norm(const A&...) const {
    static_assert(kNever<A...>, "write functions::sqrt(functions::sum(functions::square(x)))");
    return V();
  }
  template <class... A>
  V numpy(const A&...) const {
    static_assert(kNever<A...>,
                  "write x.data(), an array, and cupyxx::asnumpy or to_cpu() for one on the host");
    return V();
  }
};

}  // namespace chainerxx::internal
