// SPDX-License-Identifier: MIT
// Parts of layers' arrays: `layer.W(0)`, `layer.W(rows)`.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/parameter_methods.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

class ParameterArray;

namespace internal {

class TermSide;

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

/// Of what array a part is, and which.
struct PartPlace {
  cupyxx::ndarray parameter, gradient;
  bool has_gradient;  // false for a part of a copy of the handle
  std::vector<cupyxx::Index> index;
  std::uint64_t version;        // of the parameter's elements
  std::uint64_t index_version;  // of the arrays of the index

  CUPYXX_API PartPlace(const ParameterArray& of, std::vector<cupyxx::Index> entries);
};

}  // namespace internal

/// A part of a layer's array: a View or a Selection as of other arrays, and where a variable is
/// expected the same part of the parameter, with a gradient:
///
///   layer.W(0) = 0;
///   loss += 0.01 * layer.W(slice(0, 3)).sum();              // adds to layer.gW in backward()
///
/// As a variable it throws ValueError where the part, the parameter or the index have been changed
/// since, and as ParameterArray does.
template <class Base>
class ParameterPart : public internal::ParameterMethods<ParameterPart<Base>, Base> {
 public:
  ParameterPart(Base part, internal::PartPlace place)
      : internal::ParameterMethods<ParameterPart, Base>(std::move(part)),
        place_(std::move(place)) {}
  ParameterPart(const ParameterPart&) = default;
  ParameterPart(ParameterPart&&) noexcept = default;
  ~ParameterPart() = default;

  using Base::operator=;
  const ParameterPart& operator=(const ParameterPart& value) const&& {
    static_cast<const Base&&>(*this) = static_cast<const Base&>(value);
    return *this;
  }
  ParameterPart& operator=(const ParameterPart& write_to_the_view_at_ellipsis) & = delete;

 private:
  friend class internal::TermSide;

  internal::PartPlace place_;
};

namespace internal {
template <class Base>
ParameterPart<Base> part(const ParameterArray& of, Base value, std::vector<cupyxx::Index> index) {
  return {std::move(value), PartPlace(of, std::move(index))};
}
}  // namespace internal

}  // namespace chainerxx
