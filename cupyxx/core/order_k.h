// SPDX-License-Identifier: MIT
// NumPy's order K: new arrays lie in memory as those lie of which they are made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "cupyxx/core/body.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// The axes of a result from the outermost in memory to the innermost, as NumPy's iterator orders
/// them for operands that broadcast to `ndim` axes: longer steps stand outside, axes along which an
/// operand has one element do not count, and C order wins where operands disagree or are equal.
/// Null operands are left out. Returns false, and sets nothing, where that is C order.
bool kept_axes(int ndim, std::span<const Body* const> operands, int* axes);

/// A new array of which `axes` are those from the outermost in memory to the innermost.
ndarray make_permuted(const char* operation, const Shape& shape, dtype type, Device device,
                      const int* axes);
/// A new array that joins arrays: in the order of their axes, found as NumPy's concatenate does.
ndarray make_joined(const char* operation, const Shape& shape, dtype type, Device device,
                    std::span<const ndarray> arrays);
/// A new array in order K of the operands, whose shapes broadcast to `shape`.
ndarray make_kept(const char* operation, const Shape& shape, dtype type, Device device,
                  std::span<const Body* const> operands);
ndarray make_kept(const char* operation, const Shape& shape, dtype type, Device device,
                  std::initializer_list<const ndarray*> operands);

/// The same for a reduction of operands that broadcast to `shape`: without the axes in `reduced`,
/// or with extent 1 along them.
ndarray make_reduced(const char* operation, const Shape& shape, std::uint32_t reduced,
                     bool keepdims, dtype type, Device device,
                     std::span<const Body* const> operands);

/// The axes of an array from the longest step to the shortest; equal ones keep their order. NumPy
/// orders copies so: here a repeated axis, whose step is 0, is the innermost.
std::vector<int> axes_by_stride(const ndarray& a);

/// Whether the elements lie without gaps, each in a place of its own and behind the first, in
/// whatever order of axes.
bool is_dense(const Body& a);
/// Whether two dense arrays of one shape lie so that their n-th elements in memory have the same
/// index; their dtypes may differ.
bool same_dense_layout(const Body& a, const Body& b);

/// `a`, or a copy of it that lies like the dense array `like` of the same shape.
ndarray laid_like(const ndarray& a, const ndarray& like);

}  // namespace cupyxx::internal
