// SPDX-License-Identifier: MIT
// Methods of layers' arrays that have gradients: `layer.W.T()`.
#pragma once

#include <concepts>
#include <utility>

#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

class ParameterTerm;

namespace internal {

/// The methods of ParameterArray and of ParameterTerm that give a ParameterTerm: an array as of
/// other arrays, and where a variable is expected the same of the parameters. Defined in
/// chainerxx/parameter_term.h.
template <class Self>
class ParameterMethods : public cupyxx::ndarray {
 public:
  using ndarray::operator=;

  ParameterTerm T() const;
  ParameterTerm transpose() const;
  ParameterTerm transpose(const cupyxx::Shape& axes) const;
  template <cupyxx::internal::AxisNumber I, cupyxx::internal::AxisNumber... More>
  requires(sizeof...(More) > 0) ParameterTerm transpose(I first, More... more)
  const;
  ParameterTerm reshape(const cupyxx::Shape& shape) const;
  template <cupyxx::internal::OneExtent I, cupyxx::internal::OneExtent... More>
  requires(sizeof...(More) > 0) ParameterTerm reshape(I first, More... more)
  const;
  ndarray reshape(const cupyxx::Shape& shape, cupyxx::Choice<cupyxx::Order> order) const {
    return ndarray::reshape(shape, order);
  }
  template <std::same_as<cupyxx::OrderOptions> O = cupyxx::OrderOptions>
  ndarray reshape(const cupyxx::Shape& shape, const O& options) const {
    return ndarray::reshape(shape, options);
  }
  ParameterTerm sum(const cupyxx::Axes& axes = {}) const;
  ParameterTerm sum(const cupyxx::Axes& axes, const cupyxx::SumOptions& options) const;
  template <std::same_as<cupyxx::SumOptions> O = cupyxx::SumOptions>
  ParameterTerm sum(O options) const;
  ParameterTerm mean(const cupyxx::Axes& axes = {}) const;
  ParameterTerm mean(const cupyxx::Axes& axes, const cupyxx::MeanOptions& options) const;
  template <std::same_as<cupyxx::MeanOptions> O = cupyxx::MeanOptions>
  ParameterTerm mean(O options) const;

 protected:
  ParameterMethods() = default;
  explicit ParameterMethods(ndarray array) noexcept : ndarray(std::move(array)) {}
};

}  // namespace internal
}  // namespace chainerxx
