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

// Reductions of layers' arrays, each with the options that it has of arrays.
#define CHAINERXX_EACH_PARAMETER_REDUCTION(m)                                    \
  m(sum, SumOptions) m(prod, SumOptions) m(mean, MeanOptions) m(var, VarOptions) \
      m(std, VarOptions) m(max, MaxOptions) m(min, MaxOptions)

/// The methods of ParameterArray, of its parts and of ParameterTerm that give a ParameterTerm: an
/// array as of other arrays, and where a variable is expected the same of the parameters. `Base` is
/// the kind of array. Defined in chainerxx/parameter_term.h.
template <class Self, class Base = cupyxx::ndarray>
class ParameterMethods : public Base {
 public:
  using ndarray = cupyxx::ndarray;
  using Base::operator=;

  ParameterTerm T() const;
  ParameterTerm transpose() const;
  ParameterTerm transpose(const cupyxx::Shape& axes) const;
  template <cupyxx::internal::AxisNumber I, cupyxx::internal::AxisNumber... More>
  requires(sizeof...(More) > 0) ParameterTerm transpose(I first, More... more)
  const;
  ParameterTerm swapaxes(cupyxx::internal::Int axis1, cupyxx::internal::Int axis2) const;
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
  ParameterTerm flatten() const;
  ParameterTerm ravel() const;
  ndarray flatten(cupyxx::Choice<cupyxx::Order> order) const { return ndarray::flatten(order); }
  ndarray ravel(cupyxx::Choice<cupyxx::Order> order) const { return ndarray::ravel(order); }
  ParameterTerm squeeze(const cupyxx::Axes& axes = {}) const;
  ParameterTerm astype(cupyxx::dtype dtype, bool copy = true) const;
  template <std::same_as<cupyxx::AstypeOptions> O = cupyxx::AstypeOptions>
  ndarray astype(cupyxx::dtype dtype, const O& options) const {
    return ndarray::astype(dtype, options);
  }
  template <class T>
  ParameterTerm astype(bool copy = true) const;
#define CHAINERXX_PARAMETER_REDUCTION(name, Options)                    \
  ParameterTerm name(const cupyxx::Axes& axes = {}) const;              \
  template <std::same_as<cupyxx::Options> O = cupyxx::Options>          \
  ParameterTerm name(const cupyxx::Axes& axes, const O& options) const; \
  template <std::same_as<cupyxx::Options> O = cupyxx::Options>          \
  ParameterTerm name(O options) const;
  CHAINERXX_EACH_PARAMETER_REDUCTION(CHAINERXX_PARAMETER_REDUCTION)
#undef CHAINERXX_PARAMETER_REDUCTION

  ParameterMethods() = default;  // deleted of parts, which are never empty

 protected:
  explicit ParameterMethods(Base array) noexcept : Base(std::move(array)) {}
};

}  // namespace internal
}  // namespace chainerxx
