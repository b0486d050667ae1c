// SPDX-License-Identifier: MIT
// Methods of layers' arrays that have gradients: `layer.W.T()`.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

class ParameterTerm;
template <class Base>
class ParameterPart;

namespace internal {

/// What stands between the parentheses of `layer.W(...)`, as a list.
template <class... I>
std::vector<cupyxx::Index> entries(const I&... index) {
  std::vector<cupyxx::Index> list;
  const auto append = [&list](const auto& entry) {
    using Entry = std::remove_cvref_t<decltype(entry)>;
    if constexpr (std::same_as<Entry, cupyxx::Shape> || cupyxx::internal::ArrayPerAxis<Entry>) {
      for (const auto& one : entry) list.emplace_back(one);
    } else {
      list.emplace_back(entry);
    }
  };
  (append(index), ...);
  return list;
}
template <class Of, class Base>
ParameterPart<Base> part(const Of& of, Base value, std::vector<cupyxx::Index> index);
/// What a method without a gradient made of `self`.
template <class Self>
ParameterTerm array_of(const char* name, const Self& self, cupyxx::ndarray value);

/// Goes over the parts of a layer's array, or of what was made of one, along its first axis:
/// `for (auto row : layer.W) loss += F::sum(row * row);`. The array must live as long.
template <class Of>
class ParameterRows : public cupyxx::ndarray::Iterator {
 public:
  using Row = ParameterPart<cupyxx::View>;

  ParameterRows() = default;
  ParameterRows(const Of& of, std::int64_t row)
      : cupyxx::ndarray::Iterator(of, row), of_(&of), row_(row) {}
  /// Stays until the next one is asked for.
  Row& operator*() const {
    here_ = std::make_shared<Row>((*of_)(row_));
    return *here_;
  }
  ParameterRows& operator++() { return *this = {*of_, row_ + 1}; }
  ParameterRows operator++(int) { return std::exchange(*this, {*of_, row_ + 1}); }
  friend ParameterRows operator+(const ParameterRows& x, std::ptrdiff_t n) {
    return {*x.of_, x.row_ + n};
  }
  friend ParameterRows operator-(const ParameterRows& x, std::ptrdiff_t n) {
    return {*x.of_, x.row_ - n};
  }

 private:
  const Of* of_ = nullptr;
  std::int64_t row_ = 0;
  mutable std::shared_ptr<Row> here_;
};

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

  /// A part of it, as of any array; where a variable is expected it is that of the parameter.
  template <class... I>
  auto operator()(const I&... index) const {
    return internal::part(self(), ndarray::operator()(index...), internal::entries(index...));
  }
  auto operator()(std::initializer_list<cupyxx::internal::ListedIndex> index) const {
    return internal::part(self(), ndarray::operator()(index),
                          internal::entries(cupyxx::Index(index)));
  }
  template <std::same_as<bool> B>
  auto operator()(std::initializer_list<B> mask) const {
    return internal::part(self(), ndarray::operator()(mask),
                          internal::entries(std::vector<bool>(mask)));
  }
  auto operator()(const cupyxx::internal::Entry& first,
                  const cupyxx::internal::Entry& second) const {
    return internal::part(self(), ndarray::operator()(first, second),
                          internal::entries(first, second));
  }
  auto operator()(const cupyxx::internal::Entry& first, const cupyxx::internal::Entry& second,
                  const cupyxx::internal::Entry& third) const {
    return internal::part(self(), ndarray::operator()(first, second, third),
                          internal::entries(first, second, third));
  }
  auto operator()(const cupyxx::internal::Entry& first, const cupyxx::internal::Entry& second,
                  const cupyxx::internal::Entry& third,
                  const cupyxx::internal::Entry& fourth) const {
    return internal::part(self(), ndarray::operator()(first, second, third, fourth),
                          internal::entries(first, second, third, fourth));
  }
  /// Its rows, which are parts.
  ParameterRows<Self> begin() const { return {self(), 0}; }
  ParameterRows<Self> end() const { return {self(), this->len()}; }

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
  auto reshape(const cupyxx::Shape& shape, cupyxx::Choice<cupyxx::Order> order) const {
    return internal::array_of("reshape", self(), ndarray::reshape(shape, order));
  }
  template <std::same_as<cupyxx::OrderOptions> O = cupyxx::OrderOptions>
  auto reshape(const cupyxx::Shape& shape, const O& options) const {
    return internal::array_of("reshape", self(), ndarray::reshape(shape, options));
  }
  ParameterTerm flatten() const;
  ParameterTerm ravel() const;
  auto flatten(cupyxx::Choice<cupyxx::Order> order) const {
    return internal::array_of("flatten", self(), ndarray::flatten(order));
  }
  auto ravel(cupyxx::Choice<cupyxx::Order> order) const {
    return internal::array_of("ravel", self(), ndarray::ravel(order));
  }
  ParameterTerm squeeze(const cupyxx::Axes& axes = {}) const;
  ParameterTerm astype(cupyxx::dtype dtype, bool copy = true) const;
  template <std::same_as<cupyxx::AstypeOptions> O = cupyxx::AstypeOptions>
  auto astype(cupyxx::dtype dtype, const O& options) const {
    return internal::array_of("astype", self(), ndarray::astype(dtype, options));
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
  /// Between numbers, with gradients; bounds that are arrays have none.
  ParameterTerm clip(const cupyxx::Operand& min) const;
  ParameterTerm clip(const cupyxx::Operand& min, const cupyxx::Operand& max) const;
  template <std::same_as<cupyxx::ClipOptions> O = cupyxx::ClipOptions>
  ParameterTerm clip(const O& options) const;
  template <class... More>
  auto clip(const cupyxx::Operand& min, const cupyxx::Operand& max, const More&... more) const {
    return internal::array_of("clip", self(), ndarray::clip(min, max, more...));
  }
#define CHAINERXX_PARAMETER_SUMS(name)                                      \
  ParameterTerm name(const cupyxx::Axes& axis = {}) const;                  \
  template <std::same_as<cupyxx::CumsumOptions> O = cupyxx::CumsumOptions>  \
  ParameterTerm name(O options) const;                                      \
  template <std::same_as<cupyxx::CumsumOptions> O = cupyxx::CumsumOptions>  \
  auto name(const cupyxx::Axes& axis, const O& options) const {             \
    return internal::array_of(#name, self(), ndarray::name(axis, options)); \
  }
  CHAINERXX_PARAMETER_SUMS(cumsum)
  CHAINERXX_PARAMETER_SUMS(cumprod)
#undef CHAINERXX_PARAMETER_SUMS
  ParameterTerm mT() const;

  // Arrays, which as variables are refused with the function that has a gradient.
  using Base::compress, Base::diagonal, Base::dot, Base::ptp, Base::repeat, Base::round, Base::take,
      Base::trace;
  ParameterTerm compress(const ndarray& condition, const cupyxx::Axes& axis = {}) const;
  ParameterTerm compress(const cupyxx::ArrayLike& condition, const cupyxx::Axes& axis = {}) const;
  ParameterTerm diagonal(cupyxx::internal::Int offset = 0, cupyxx::internal::Int axis1 = 0,
                         cupyxx::internal::Int axis2 = 1) const;
  ParameterTerm dot(const ndarray& other) const;
  ParameterTerm dot(const cupyxx::ArrayLike& other) const;
  ParameterTerm ptp(const cupyxx::Axes& axes = {}) const;
  ParameterTerm repeat(cupyxx::internal::Int64 repeats, const cupyxx::Axes& axis = {}) const;
  ParameterTerm repeat(const ndarray& repeats, const cupyxx::Axes& axis = {}) const;
  ParameterTerm repeat(std::initializer_list<std::int64_t> repeats,
                       const cupyxx::Axes& axis = {}) const;
  ParameterTerm round(cupyxx::internal::Int decimals = 0) const;
  ParameterTerm take(const ndarray& indices) const;
  ParameterTerm take(const cupyxx::ArrayLike& indices) const;
  ParameterTerm take(const ndarray& indices, cupyxx::internal::Int axis) const;
  ParameterTerm take(const cupyxx::ArrayLike& indices, cupyxx::internal::Int axis) const;
  ParameterTerm trace(cupyxx::internal::Int offset = 0, cupyxx::internal::Int axis1 = 0,
                      cupyxx::internal::Int axis2 = 1) const;

  auto conj() const { return internal::array_of("conj", self(), ndarray::conj()); }
  auto conjugate() const { return internal::array_of("conjugate", self(), ndarray::conjugate()); }
  template <cupyxx::internal::ElementNumber N>
  auto dot(N number) const {
    return internal::array_of("dot", self(), ndarray::dot(number));
  }
  template <cupyxx::internal::ExtentNumber I>
  auto take(I index) const {
    return internal::array_of("take", self(), ndarray::take(index));
  }
  template <cupyxx::internal::ExtentNumber I>
  auto take(I index, cupyxx::internal::Int axis) const {
    return internal::array_of("take", self(), ndarray::take(index, axis));
  }
  auto take(const cupyxx::ArrayLike& indices, const cupyxx::TakeOptions& options) const {
    return internal::array_of("take", self(), ndarray::take(indices, options));
  }

  ParameterMethods() = default;  // deleted of parts, which are never empty

 protected:
  explicit ParameterMethods(Base array) noexcept : Base(std::move(array)) {}

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace internal
}  // namespace chainerxx

// As of arrays, whose iterators these are besides.
namespace std {
template <class Of>
void sort(chainerxx::internal::ParameterRows<Of> first,
          chainerxx::internal::ParameterRows<Of> last) {
  cupyxx::internal::sort_between(first, last);
}
template <class Of>
void stable_sort(chainerxx::internal::ParameterRows<Of> first,
                 chainerxx::internal::ParameterRows<Of> last) {
  cupyxx::internal::sort_between(first, last);
}
template <class Of>
void reverse(chainerxx::internal::ParameterRows<Of> first,
             chainerxx::internal::ParameterRows<Of> last) {
  cupyxx::internal::reverse_between(first, last);
}
}  // namespace std
