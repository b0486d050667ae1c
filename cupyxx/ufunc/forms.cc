// SPDX-License-Identifier: MIT
// The methods of ufuncs with lists and numbers in the place of arrays, and those of the public
// objects. What is compiled here need not be in each user's file.
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "cupyxx/ufunc.h"

namespace cupyxx {

void ufunc::at(const ndarray& a, const Index& index, const Operand& b) const {
  at(a, internal::span_of(index), b);
}

void ufunc::at(const ndarray& a, std::span<const ndarray> index, const Operand& b) const {
  at(a, std::vector<Index>(index.begin(), index.end()), b);
}

void ufunc::at(const ndarray& a, std::initializer_list<ndarray> index, const Operand& b) const {
  at(a, internal::as_span(index), b);
}

void ufunc::at_numbers(const ndarray& a, std::initializer_list<std::int64_t> index,
                       const Operand& b) const {
  at(a, Index(std::vector<std::int64_t>(index)), b);
}

void ufunc::at(const ndarray& a, std::initializer_list<std::initializer_list<std::int64_t>> index,
               const Operand& b) const {
  std::vector<Index> lists;
  for (const auto& list : index) lists.emplace_back(std::vector<std::int64_t>(list));
  at(a, lists, b);
}

void ufunc::at(const ndarray& a, std::initializer_list<Index> index, const Operand& b) const {
  at(a, std::vector<Index>(index), b);
}

void ufunc::at_mask(const ndarray& a, std::initializer_list<bool> mask, const Operand& b) const {
  at(a, Index(std::vector<bool>(mask)), b);
}

// The same of the public objects.
namespace internal {

ndarray BinaryUfunc::reduce(const ndarray& a, const Axes& axis,
                            const ReduceOptions& options) const {
  return f().reduce(a, axis, options);
}

ndarray BinaryUfunc::reduce(const ArrayLike& a, const Axes& axis) const {
  return f().reduce(a.array(), axis);
}

ndarray BinaryUfunc::accumulate(const ndarray& a, Int axis,
                                const AccumulateOptions& options) const {
  return f().accumulate(a, axis, options);
}

ndarray BinaryUfunc::accumulate(const ArrayLike& a, Int axis) const {
  return f().accumulate(a.array(), axis);
}

ndarray BinaryUfunc::reduceat(const ndarray& a, const ndarray& indices, Int axis,
                              const AccumulateOptions& options) const {
  return f().reduceat(a, indices, axis, options);
}

ndarray BinaryUfunc::reduceat(const ArrayLike& a, const ArrayLike& indices, Int axis) const {
  return f().reduceat(a.beside(indices), indices.beside(a), axis);
}

ndarray BinaryUfunc::outer(const ndarray& a, const ndarray& b, const UfuncOptions& options) const {
  return f().outer(a, b, options);
}

ndarray BinaryUfunc::outer(const ArrayLike& a, const ArrayLike& b) const {
  return f().outer(a.beside(b), b.beside(a));
}

void UnaryUfunc::at(const ndarray& a, const Index& index) const { f().at(a, index); }

void UnaryUfunc::at(const ndarray& a, std::span<const Index> index) const { f().at(a, index); }

void UnaryUfunc::at(const ndarray& a, std::span<const ndarray> index) const { f().at(a, index); }

void UnaryUfunc::at(const ndarray& a, std::initializer_list<ndarray> index) const {
  f().at(a, index);
}

void UnaryUfunc::at(const ndarray& a,
                    std::initializer_list<std::initializer_list<std::int64_t>> index) const {
  f().at(a, index);
}

void UnaryUfunc::at(const ndarray& a, std::initializer_list<Index> index) const {
  f().at(a, index);
}

void BinaryUfunc::at(const ndarray& a, const Index& index, const Operand& b) const {
  f().at(a, index, b);
}

void BinaryUfunc::at(const ndarray& a, std::span<const Index> index, const Operand& b) const {
  f().at(a, index, b);
}

void BinaryUfunc::at(const ndarray& a, std::span<const ndarray> index, const Operand& b) const {
  f().at(a, index, b);
}

void BinaryUfunc::at(const ndarray& a, std::initializer_list<ndarray> index,
                     const Operand& b) const {
  f().at(a, index, b);
}

void BinaryUfunc::at(const ndarray& a,
                     std::initializer_list<std::initializer_list<std::int64_t>> index,
                     const Operand& b) const {
  f().at(a, index, b);
}

void BinaryUfunc::at(const ndarray& a, std::initializer_list<Index> index, const Operand& b) const {
  f().at(a, index, b);
}

}  // namespace internal

}  // namespace cupyxx
