// SPDX-License-Identifier: MIT
// Parts of layers' arrays: `layer.W(0)`, `layer.W(rows)`.
#pragma once

#include <cstdint>
#include <memory>
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

/// Of what array a part is, and which.
struct PartPlace {
  cupyxx::ndarray parameter, gradient;  // of a part of a term, the term's elements and none
  bool has_gradient;                    // false for a part of a copy of the handle
  std::vector<std::vector<cupyxx::Index>> index;  // of a part of a part, its list behind
  std::uint64_t version;                          // of the elements of `parameter`
  std::uint64_t index_version;                    // of the arrays of the index
  std::shared_ptr<const TermSide> term = {};      // of which it is a part; null of a parameter

  CUPYXX_API PartPlace(const ParameterArray& of, std::vector<cupyxx::Index> entries);
  CUPYXX_API PartPlace(const ParameterTerm& of, std::vector<cupyxx::Index> entries);
  template <class Base>
  PartPlace(const ParameterPart<Base>& of, std::vector<cupyxx::Index> entries)
      : PartPlace(of.place_, of, std::move(entries)) {}
  CUPYXX_API PartPlace(const PartPlace& of, const cupyxx::ndarray& part,
                       std::vector<cupyxx::Index> entries);
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
  friend struct internal::PartPlace;

  internal::PartPlace place_;
};

namespace internal {
template <class Of, class Base>
ParameterPart<Base> part(const Of& of, Base value, std::vector<cupyxx::Index> index) {
  return {std::move(value), PartPlace(of, std::move(index))};
}
}  // namespace internal

}  // namespace chainerxx
