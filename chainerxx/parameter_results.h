// SPDX-License-Identifier: MIT
// What cupyxx's routines make of layers' arrays: `cupyxx::split(layer.W, 2)`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/other_names.h"
#include "chainerxx/parameter_term.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {
template <std::size_t N>
struct ArrayTuple;
}  // namespace cupyxx

namespace chainerxx {

/// Arrays that a routine makes of a layer's array, as many as its argument wants. Where a variable
/// is expected each is a TypeError with the function of chainerxx to write, as ParameterTerm says.
/// Their number is fixed: `cupyxx::Arrays parts = cupyxx::split(layer.W, 2)` is a list that
/// changes.
class ParameterTerms : public cupyxx::Arrays {
 public:
  ParameterTerms() = default;
  ParameterTerms(std::string_view name, const internal::TermSide& x, cupyxx::Arrays::Vector arrays)
      : Arrays(std::move(arrays)) {
    terms_.reserve(size());
    for (const cupyxx::ndarray& array : static_cast<const Vector&>(*this)) {
      terms_.push_back(internal::array_term(name, x, array));
    }
  }
  const ParameterTerm& operator[](cupyxx::internal::Int64 i) const& {
    return terms_[cupyxx::internal::place_in_list(i, terms_.size())];
  }
  ParameterTerm operator[](cupyxx::internal::Int64 i) && { return std::as_const(*this)[i]; }
  const ParameterTerm& at(std::size_t i) const& { return terms_.at(i); }
  ParameterTerm at(std::size_t i) && { return terms_.at(i); }
  const ParameterTerm& front() const& { return terms_.front(); }
  ParameterTerm front() && { return terms_.front(); }
  const ParameterTerm& back() const& { return terms_.back(); }
  ParameterTerm back() && { return terms_.back(); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }
  auto cbegin() const { return terms_.begin(); }
  auto cend() const { return terms_.end(); }
  template <class V = std::vector<ParameterTerm>>
  auto rbegin() const {
    return static_cast<const V&>(terms_).rbegin();
  }
  template <class V = std::vector<ParameterTerm>>
  auto rend() const {
    return static_cast<const V&>(terms_).rend();
  }
  template <class V = std::vector<ParameterTerm>>
  auto crbegin() const {
    return static_cast<const V&>(terms_).rbegin();
  }
  template <class V = std::vector<ParameterTerm>>
  auto crend() const {
    return static_cast<const V&>(terms_).rend();
  }
  const ParameterTerm* data() const { return terms_.data(); }
#define CHAINERXX_NOT_OF_TERMS(name)                                                           \
  template <class... A>                                                                        \
  void name(const A&...) {                                                                     \
    static_assert(internal::kNever<A...>,                                                      \
                  "of a layer's array there are as many parts as there are: write "            \
                  "cupyxx::Arrays parts = cupyxx::split(layer.W, 2) for a list that changes"); \
  }
  CHAINERXX_NOT_OF_TERMS(assign)
  CHAINERXX_NOT_OF_TERMS(clear)
  CHAINERXX_NOT_OF_TERMS(emplace)
  CHAINERXX_NOT_OF_TERMS(emplace_back)
  CHAINERXX_NOT_OF_TERMS(erase)
  CHAINERXX_NOT_OF_TERMS(insert)
  CHAINERXX_NOT_OF_TERMS(pop_back)
  CHAINERXX_NOT_OF_TERMS(push_back)
  CHAINERXX_NOT_OF_TERMS(resize)
#undef CHAINERXX_NOT_OF_TERMS
  /// The one of two at a place, for `auto [first, second] = ...`.
  template <std::size_t kPlace>
  ParameterTerm get() const {
    cupyxx::internal::check_unpacked(2, size());
    return terms_[kPlace];
  }

 private:
  std::vector<ParameterTerm> terms_;
};

/// The same of a known number, `auto [x, y] = cupyxx::meshgrid(layer.W, layer.b)`.
template <std::size_t kCount>
struct ParameterTuple : std::array<ParameterTerm, kCount> {
  operator cupyxx::Arrays() const {  // NOLINT(google-explicit-constructor)
    return cupyxx::Arrays(this->begin(), this->end());
  }
  template <std::same_as<cupyxx::ArrayTuple<kCount>> T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    T arrays;
    for (std::size_t i = 0; i < kCount; ++i) arrays[i] = (*this)[i];
    return arrays;
  }
};

namespace internal {

template <class T>
concept OfParameters = ParameterLike<T> || std::same_as<T, ParameterTerms>;
/// Arguments of which one is made of parameters.
template <class... A>
concept WithParameters = (OfParameters<A> || ...);

/// A struct of results, with terms in the places of its arrays; see parameter_calls.h.
template <class R>
struct ResultOf;

/// The first argument that is made of parameters.
template <class A, class... More>
TermSide first_side(const A& a, const More&... more) {
  if constexpr (ParameterLike<A>) {
    return term_side(a);
  } else if constexpr (std::same_as<A, ParameterTerms>) {
    return a.empty() ? TermSide(cupyxx::Scalar(0)) : term_side(a.front());
  } else {
    return first_side(more...);
  }
}

/// An argument for arrays: what is made of parameters as `Of`, which finds the routine by its
/// namespace, all others as they are: functions may change what they hold.
template <class Of, class A>
decltype(auto) plain(A& a) {
  if constexpr (ParameterLike<std::remove_const_t<A>>) {
    return Of(a);
  } else if constexpr (std::same_as<std::remove_const_t<A>, ParameterTerms>) {
    return static_cast<const cupyxx::Arrays&>(a);
  } else {
    return (a);
  }
}

/// What a routine made of parameters, which as a variable says so.
template <class V, class... A>
auto made_of(std::string_view name, V value, const A&... a) {
  if constexpr (std::derived_from<V, cupyxx::ndarray>) {
    return array_term(name, first_side(a...), std::move(value));
  } else if constexpr (std::derived_from<V, std::vector<cupyxx::ndarray>>) {
    return ParameterTerms(name, first_side(a...), std::move(value));
  } else if constexpr (requires { std::tuple_size<V>::value; }) {
    const TermSide x = first_side(a...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ParameterTuple<sizeof...(I)>{{array_term(name, x, value[I])...}};
    }
    (std::make_index_sequence<std::tuple_size<V>::value>());
  } else {
    return ResultOf<V>(name, first_side(a...), value);
  }
}

}  // namespace internal
}  // namespace chainerxx

template <std::size_t kCount>
struct std::tuple_size<chainerxx::ParameterTuple<kCount>>
    : std::integral_constant<std::size_t, kCount> {};
template <std::size_t I, std::size_t kCount>
struct std::tuple_element<I, chainerxx::ParameterTuple<kCount>> {
  /// Each of them is an array.
  using type = chainerxx::ParameterTerm;
};
template <>
struct std::tuple_size<chainerxx::ParameterTerms> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, chainerxx::ParameterTerms> {
  /// Each of them is an array.
  using type = chainerxx::ParameterTerm;
};
