// SPDX-License-Identifier: MIT
#include "cupyxx/core/order_k.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "cupyxx/core/arrays.h"

namespace cupyxx::internal {

namespace {

// NumPy has two forms of one insertion sort. The iterator's begins with the innermost axis and lets
// no axis decide along which an operand repeats its elements; that of concatenate begins with the
// outermost one and leaves out axes of extent 1 alone.
enum class Form : std::uint8_t { iterator, concatenate };

// The step of an operand along an axis of the common shape; negative where it has no say.
std::int64_t step_along(const Body& a, int ndim, int axis, Form form) {
  const int own = axis - (ndim - a.ndim);
  if (own < 0 || a.shape[own] == 1) return -1;
  const std::int64_t step = std::abs(a.strides[own]);
  return step == 0 && form == Form::iterator ? -1 : step;
}

enum class Side : std::uint8_t { unknown, keeps, outside };

// Whether `inner` should stand outside of `outer`, which is before it in C order.
Side compare(int ndim, std::span<const Body* const> operands, int outer, int inner, Form form) {
  Side side = Side::unknown;
  for (const Body* a : operands) {
    if (a == nullptr) continue;
    const std::int64_t x = step_along(*a, ndim, outer, form);
    const std::int64_t y = step_along(*a, ndim, inner, form);
    if (x < 0 || y < 0) continue;
    if (y <= x) return Side::keeps;
    side = Side::outside;
  }
  return side;
}

// Axes that nothing compares are passed over, so that it matters where the sort begins.
bool sort_axes(int ndim, std::span<const Body* const> operands, Form form, int* axes) {
  const auto is_plain = [](const Body* a) { return a == nullptr || a->c_contiguous; };
  if (ndim < 2 || std::all_of(operands.begin(), operands.end(), is_plain)) return false;
  const bool inwards = form == Form::concatenate;
  int sorted[kMaxNdim];
  for (int i = 0; i < ndim; ++i) sorted[i] = inwards ? i : ndim - 1 - i;
  bool changed = false;
  for (int i = 1; i < ndim; ++i) {
    const int axis = sorted[i];
    int place = i;
    for (int k = i - 1; k >= 0; --k) {
      const Side side = inwards ? compare(ndim, operands, sorted[k], axis, form)
                                : compare(ndim, operands, axis, sorted[k], form);
      if (side == Side::keeps) break;
      if (side == Side::outside) place = k;
    }
    for (int k = i; k > place; --k) sorted[k] = sorted[k - 1];
    sorted[place] = axis;
    changed = changed || place != i;
  }
  for (int i = 0; changed && i < ndim; ++i) axes[i] = sorted[inwards ? i : ndim - 1 - i];
  return changed;
}

}  // namespace

bool kept_axes(int ndim, std::span<const Body* const> operands, int* axes) {
  return sort_axes(ndim, operands, Form::iterator, axes);
}

ndarray make_joined(const char* operation, const Shape& shape, dtype type, Device device,
                    std::span<const ndarray> arrays) {
  std::vector<const Body*> bodies;
  for (const ndarray& a : arrays) bodies.push_back(a.body());
  int axes[kMaxNdim];
  return sort_axes(shape.ndim(), bodies, Form::concatenate, axes)
             ? make_permuted(operation, shape, type, device, axes)
             : make_array(operation, shape, type, device);
}

ndarray make_kept(const char* operation, const Shape& shape, dtype type, Device device,
                  std::span<const Body* const> operands) {
  int axes[kMaxNdim];
  return kept_axes(shape.ndim(), operands, axes)
             ? make_permuted(operation, shape, type, device, axes)
             : make_array(operation, shape, type, device);
}

ndarray make_kept(const char* operation, const Shape& shape, dtype type, Device device,
                  std::initializer_list<const ndarray*> operands) {
  std::vector<const Body*> bodies;
  for (const ndarray* a : operands) bodies.push_back(a->is_none() ? nullptr : a->body());
  return make_kept(operation, shape, type, device, bodies);
}

ndarray make_reduced(const char* operation, const Shape& shape, std::uint32_t reduced,
                     bool keepdims, dtype type, Device device,
                     std::span<const Body* const> operands) {
  Shape left;
  int place[kMaxNdim];
  for (int axis = 0; axis < shape.ndim(); ++axis) {
    const bool is_reduced = (reduced >> axis & 1u) != 0;
    place[axis] = is_reduced && !keepdims ? -1 : left.ndim();
    if (place[axis] >= 0) left.push_back(is_reduced ? 1 : shape[axis]);
  }
  int axes[kMaxNdim];
  if (!kept_axes(shape.ndim(), operands, axes)) return make_array(operation, left, type, device);
  int count = 0;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (place[axes[i]] >= 0) axes[count++] = place[axes[i]];
  }
  return make_permuted(operation, left, type, device, axes);
}

std::vector<int> axes_by_stride(const ndarray& a) {
  std::vector<int> axes(static_cast<std::size_t>(a.ndim()));
  std::iota(axes.begin(), axes.end(), 0);
  const Strides strides = a.strides();
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int x, int y) { return std::abs(strides[x]) > std::abs(strides[y]); });
  return axes;
}

bool is_dense(const Body& a) {
  if (a.c_contiguous || a.f_contiguous) return true;
  std::uint32_t left = 0;
  for (int axis = 0; axis < a.ndim; ++axis) left |= a.shape[axis] == 1 ? 0 : 1u << axis;
  std::int64_t step = a.dtype.itemsize();
  while (left != 0) {
    int next = 0;
    while (next < a.ndim && ((left >> next & 1u) == 0 || a.strides[next] != step)) ++next;
    if (next == a.ndim) return false;
    step *= a.shape[next];
    left &= ~(1u << next);
  }
  return true;
}

bool same_dense_layout(const Body& a, const Body& b) {
  if (a.ndim != b.ndim || !std::equal(a.shape, a.shape + a.ndim, b.shape)) return false;
  if (a.c_contiguous && b.c_contiguous) return true;
  const std::int64_t x = a.dtype.itemsize(), y = b.dtype.itemsize();
  for (int axis = 0; axis < a.ndim; ++axis) {
    if (a.shape[axis] != 1 && a.strides[axis] * y != b.strides[axis] * x) return false;
  }
  return is_dense(a) && is_dense(b);
}

}  // namespace cupyxx::internal
