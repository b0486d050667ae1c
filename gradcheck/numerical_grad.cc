// SPDX-License-Identifier: MIT
#include "gradcheck/numerical_grad.h"

#include <cmath>
#include <exception>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "gradcheck/internal/compare.h"

namespace gradcheck::internal {

namespace {

using cupyxx::ndarray;

/// Sets one element, and sets it back at the end of its life.
class Element {
 public:
  Element(const ndarray& x, const cupyxx::Shape& index, double value)
      : view_(view(x, index)), shape_(x.shape()), value_(value) {}
  ~Element() {
    try {
      view_.fill(value_);
    } catch (const std::exception&) {
      // What made this fail has failed, and been reported, in `set` or in the function before.
    }
  }
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  /// Returns what was stored: `value` rounded to the dtype.
  double set(double value) {
    try {
      view_.fill(value);
    } catch (const cupyxx::ValueError&) {
      throw cupyxx::ValueError(cupyxx::message(
          "numerical_grad: inputs are changed in place, and this one is read-only, as what "
          "broadcast_to gives: take x.copy(); ",
          shape_, ", ", view_.dtype().name()));
    }
    return view_.to_vector<double>()[0];
  }

 private:
  static ndarray view(const ndarray& x, const cupyxx::Shape& index) {
    std::vector<cupyxx::internal::IndexItem> items(index.begin(), index.end());
    return x.getitem(items);
  }

  ndarray view_;
  cupyxx::Shape shape_;  // of x
  double value_;
};

std::vector<std::vector<double>> host_values(const std::vector<ndarray>& arrays,
                                             const ArrayList& grad_outputs) {
  if (arrays.size() != grad_outputs.size()) {
    throw cupyxx::ValueError(
        cupyxx::message("numerical_grad: one gradient for each output is needed; ", arrays.size(),
                        " outputs, ", grad_outputs.size(), " gradients"));
  }
  std::vector<std::vector<double>> values(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (grad_outputs[i].is_none()) continue;
    if (!(arrays[i].shape() == grad_outputs[i].shape())) {
      throw cupyxx::ShapeError(cupyxx::message("numerical_grad: the shapes of output ", i,
                                               " and its gradient differ; ", arrays[i].shape(),
                                               " and ", grad_outputs[i].shape()));
    }
    if (arrays[i].dtype().is_complex() || grad_outputs[i].dtype().is_complex()) {
      throw cupyxx::DtypeError(cupyxx::message(
          "numerical_grad: differences are of real outputs: return the real and the imaginary "
          "part; "
          "output ",
          i, " is ", arrays[i].dtype().name(), ", its gradient ", grad_outputs[i].dtype().name()));
    }
    values[i] = arrays[i].to_vector<double>();
  }
  return values;
}

void check_devices(const ArrayList& inputs, const ArrayList& grad_outputs) {
  const ndarray* first = nullptr;
  for (const ArrayList* list : {&inputs, &grad_outputs}) {
    for (const ndarray& a : list->arrays()) {
      if (a.is_none()) continue;
      if (first == nullptr) first = &a;
      if (a.device().is_cpu() != first->device().is_cpu()) {
        throw cupyxx::TypeError(
            cupyxx::message("numerical_grad: arrays on the host and on a device are mixed; ",
                            first->device().name(), " and ", a.device().name()));
      }
    }
  }
}

}  // namespace

std::vector<double> differentiate(const Forward& f, const ndarray& x, const ArrayList& grad_outputs,
                                  double eps) {
  if (!x.dtype().is_floating()) {
    throw cupyxx::DtypeError(
        cupyxx::message("numerical_grad: inputs must be floating; ", x.dtype().name()));
  }
  if (!std::isfinite(eps)) {
    throw cupyxx::ValueError(cupyxx::message("numerical_grad: eps must be finite; ", text_of(eps)));
  }
  std::vector<std::vector<double>> weights;
  for (const ndarray& gy : grad_outputs) {
    weights.push_back(gy.is_none() ? std::vector<double>() : gy.to_vector<double>());
  }
  const std::vector<double> values = x.to_vector<double>();
  std::vector<double> gradient(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    Element element(x, unravel(static_cast<std::int64_t>(i), x.shape()), values[i]);
    const double high = element.set(values[i] + eps);
    const auto above = host_values(f(), grad_outputs);
    const double low = element.set(values[i] - eps);
    const auto below = host_values(f(), grad_outputs);
    if (high == low) {
      throw cupyxx::ValueError(
          cupyxx::message("numerical_grad: eps does not change an element of this dtype; ",
                          text_of(eps), " and ", text_of(values[i]), ", ", x.dtype().name()));
    }
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      for (std::size_t j = 0; j < weights[k].size(); ++j) {
        sum += (above[k][j] - below[k][j]) * weights[k][j];
      }
    }
    gradient[i] = sum / (high - low);  // the step after rounding, not 2 eps
  }
  return gradient;
}

std::vector<ndarray> numerical_grad(const Forward& f, const ArrayList& inputs,
                                    const ArrayList& grad_outputs, double eps) {
  check_devices(inputs, grad_outputs);
  std::vector<ndarray> gradients;
  for (const ndarray& x : inputs) {
    const std::vector<double> g = differentiate(f, x, grad_outputs, eps);
    const cupyxx::DeviceScope scope(x.device());
    gradients.push_back(
        cupyxx::internal::from_host(g.data(), cupyxx::float64, x.shape(), x.dtype()));
  }
  return gradients;
}

}  // namespace gradcheck::internal
