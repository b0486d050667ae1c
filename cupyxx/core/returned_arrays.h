// SPDX-License-Identifier: MIT
// Arrays that a routine returns, as many as its argument wants: nonzero(a). Included by ndarray.h.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Arrays whose number follows from what they were made of: a std::vector of them. An element of a
/// temporary is an array of its own, so that `for (auto i : nonzero(a)[0])` walks over what is
/// there.
class Arrays : public std::vector<ndarray> {
 public:
  using Vector = std::vector<ndarray>;
  using Vector::Vector;
  Arrays() = default;
  Arrays(Vector arrays) : Vector(std::move(arrays)) {}  // NOLINT(google-explicit-constructor)
  ndarray& operator[](std::size_t i) & { return Vector::operator[](i); }
  const ndarray& operator[](std::size_t i) const& { return Vector::operator[](i); }
  ndarray operator[](std::size_t i) && { return Vector::operator[](i); }
  ndarray& at(std::size_t i) & { return Vector::at(i); }
  const ndarray& at(std::size_t i) const& { return Vector::at(i); }
  ndarray at(std::size_t i) && { return Vector::at(i); }
  ndarray& front() & { return Vector::front(); }
  const ndarray& front() const& { return Vector::front(); }
  ndarray front() && { return Vector::front(); }
  ndarray& back() & { return Vector::back(); }
  const ndarray& back() const& { return Vector::back(); }
  ndarray back() && { return Vector::back(); }
};

}  // namespace cupyxx
