// SPDX-License-Identifier: MIT
// Parameters of a model, one by one.
//
//   for (const auto& p : model.params()) std::cout << p.name << ' ' << p.shape() << '\n';
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/other_names.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

class Variable;

/// A parameter of a set, where it stands: its array, its gradient and its path, "l1/W". The set
/// must live as long.
class CUPYXX_API SetParameter {
 public:
  SetParameter(std::string path, cupyxx::ndarray* array, cupyxx::ndarray* gradient)
      : name(std::move(path)), array_(array), gradient_(gradient) {}

  std::string name;

  /// Where a variable is expected it is the layer's parameter, `F::square(p)`, as `layer.W` is.
  operator Variable() const;  // NOLINT(google-explicit-constructor)
  template <class A>
  requires std::same_as<A, cupyxx::Operand>
  operator A() const {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNever<A>,
                  "a parameter is no array here: write F::square(p) and not cupyxx::square(p); its "
                  "array is p.data()");
  }

  /// The elements, and the gradient beside them, which has their shape.
  const cupyxx::ndarray& data() const { return *array_; }
  const cupyxx::ndarray& array() const { return *array_; }
  const cupyxx::ndarray& grad() const { return *gradient_; }
  /// Writes elements into the parameter or its gradient, from any device. Throw ShapeError for
  /// another shape.
  void set_data(const cupyxx::ndarray& data) const;
  void set_grad(const cupyxx::ndarray& grad) const;
  /// Fills the gradient with 0.
  void cleargrad() const { gradient_->fill(0); }
  void zerograd() const { cleargrad(); }

  cupyxx::Shape shape() const { return array_->shape(); }
  cupyxx::dtype dtype() const { return array_->dtype(); }
  std::int64_t size() const { return array_->size(); }
  int ndim() const { return array_->ndim(); }

 private:
  void write(const char* operation, const cupyxx::ndarray& to, const cupyxx::ndarray& from) const;

  cupyxx::ndarray* array_;
  cupyxx::ndarray* gradient_;
};

struct GradOptions;  // see grad.h

/// grad() by all parameters of a model, in their order: `grad({loss}, model.params())`.
template <std::same_as<SetParameter> P, std::same_as<GradOptions> O = GradOptions>
std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<P>& parameters,
                           const O& options = {}) {
  return grad(outputs, std::vector<Variable>(parameters.begin(), parameters.end()), options);
}

}  // namespace chainerxx
