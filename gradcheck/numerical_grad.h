// SPDX-License-Identifier: MIT
// Gradients by finite differences.
#pragma once

#include <memory>
#include <vector>

#include "cupyxx/ndarray.h"
#include "gradcheck/array_list.h"

namespace gradcheck {

namespace internal {

/// A reference to a callable without arguments that returns arrays.
class Forward {
 public:
  template <class F>
  explicit Forward(F& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object) {
          std::vector<cupyxx::ndarray> ys;
          for_each_result<cupyxx::ndarray>((*static_cast<F*>(object))(),
                                           [&](const cupyxx::ndarray& y) { ys.push_back(y); });
          return ys;
        }) {}

  std::vector<cupyxx::ndarray> operator()() const { return call_(object_); }

 private:
  void* object_;
  std::vector<cupyxx::ndarray> (*call_)(void*);
};

/// d(sum of gy * f()) / d(each element of x), by changing the elements of x in place; they are as
/// before afterwards, also when f throws.
CUPYXX_API std::vector<double> differentiate(const Forward& f, const cupyxx::ndarray& x,
                                             const ArrayList& grad_outputs, double eps);

CUPYXX_API std::vector<cupyxx::ndarray> numerical_grad(const Forward& f, const ArrayList& inputs,
                                                       const ArrayList& grad_outputs, double eps);

}  // namespace internal

/// The gradients of the sum of `grad_outputs[i] * f()[i]` with respect to each input, by central
/// differences with step `eps`. `f` takes nothing, reads the inputs (whose elements are changed in
/// place, one at a time, and restored) and returns an array, or several in a vector or tuple. A
/// null gradient leaves its output out. The results have the shapes, dtypes and devices of the
/// inputs.
///
/// All arrays are on the host, or all on devices: else TypeError. Inputs that are not floating are
/// a DtypeError, an `eps` that is not finite or changes no element a ValueError. Calls f twice for
/// each element; synchronises.
template <class F>
std::vector<cupyxx::ndarray> numerical_grad(F&& f, const ArrayList& inputs,
                                            const ArrayList& grad_outputs, double eps = 1e-3) {
  return internal::numerical_grad(internal::Forward(f), inputs, grad_outputs, eps);
}

}  // namespace gradcheck
