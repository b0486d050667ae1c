// SPDX-License-Identifier: MIT
// New shapes, and arrays in another order than C.
#include <algorithm>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

ndarray view_of(const ndarray& a, const Shape& shape, const Strides& strides) {
  return internal::make_view(a, static_cast<char*>(a.elements()), a.dtype(), shape, strides);
}

// Strides of `to` over the memory of `a`, walking groups of axes of equal extent; false when only a
// copy can have that shape.
bool reshape_strides(const ndarray& a, const Shape& to, Strides& strides) {
  const Shape from = a.shape();
  const Strides have = a.strides();
  strides = contiguous_strides(to, a.itemsize());
  if (a.flags().c_contiguous) return true;
  int i = 0;
  int j = 0;
  while (i < from.ndim() && j < to.ndim()) {
    if (from[i] == 1) {
      ++i;
      continue;
    }
    int i_end = i + 1;
    int j_end = j + 1;
    std::int64_t old_extent = from[i];
    std::int64_t new_extent = to[j];
    while (old_extent != new_extent) {
      if (old_extent < new_extent) {
        old_extent *= from[i_end++];
      } else {
        new_extent *= to[j_end++];
      }
    }
    std::int64_t stride = have[i_end - 1];
    std::int64_t extent = from[i_end - 1];
    for (int k = i_end - 2; k >= i; --k) {
      if (from[k] != 1 && have[k] != stride * extent) return false;
      extent *= from[k];
    }
    for (int k = j_end - 1; k >= j; --k) {
      strides[k] = stride;
      stride *= to[k];
    }
    i = i_end;
    j = j_end;
  }
  return true;
}

// What A and K mean for an array: C, F, or K where neither is meant.
Order resolved(Order order, const ndarray& like) {
  if (order == Order::C || order == Order::F) return order;
  if (like.is_none()) return Order::C;
  const Flags flags = like.flags();
  if (flags.c_contiguous) return Order::C;
  if (flags.f_contiguous) return Order::F;
  return order == Order::A ? Order::C : Order::K;
}

}  // namespace

namespace internal {

ndarray make_ordered(const char* operation, const Shape& shape, dtype type, Device device,
                     Order order, const ndarray& like) {
  // A shape of another rank than the array's has no order to take over but C or F.
  order = resolved(order, like);
  if (order == Order::K && like.ndim() != shape.ndim()) order = Order::C;
  if (order == Order::C) return make_array(operation, shape, type, device);
  std::vector<int> axes;
  if (order == Order::K) {
    axes = axes_by_stride(like);
  } else {
    for (int i = shape.ndim(); i-- > 0;) axes.push_back(i);
  }
  return make_permuted(operation, shape, type, device, axes.data());
}

bool has_order(const ndarray& a, Order order) {
  const Flags flags = a.flags();
  if (order == Order::C) return flags.c_contiguous;
  if (order == Order::F) return flags.f_contiguous;
  return order == Order::K || flags.c_contiguous || flags.f_contiguous;
}

}  // namespace internal

ndarray reshape(const ndarray& a, const Shape& shape) {
  internal::check_not_none("reshape", a);
  Shape to = shape;
  int unknown = -1;
  std::int64_t known = 1;
  bool overflows = false;
  for (int i = 0; i < to.ndim(); ++i) {
    if (to[i] == -1) {
      if (unknown >= 0) {
        throw ValueError(message("reshape: can only specify one unknown dimension; ", shape));
      }
      unknown = i;
    } else {
      overflows = __builtin_mul_overflow(known, to[i], &known) || overflows;
    }
  }
  const auto fail = [&] {
    throw ShapeError(
        message("reshape: cannot reshape array of size ", a.size(), " into shape ", shape));
  };
  if (unknown >= 0) {
    if (overflows || known <= 0 || a.size() % known != 0) fail();
    to[unknown] = a.size() / known;
  }
  for (const std::int64_t extent : to) {
    if (extent < 0) fail();
  }
  if (to.element_count() != a.size()) fail();
  Strides strides;
  if (a.size() == 0) {
    strides = contiguous_strides(to, a.itemsize());
  } else if (!reshape_strides(a, to, strides)) {
    const ndarray copied = a.copy(Order::C);
    return view_of(copied, to, contiguous_strides(to, a.itemsize()));
  }
  return view_of(a, to, strides);
}

ndarray reshape(const ndarray& a, const Shape& shape, Choice<Order> order) {
  internal::check_not_none("reshape", a);
  if (order == Order::K) throw ValueError("reshape: order must be C, F or A; K");
  if (resolved(order, a) == Order::C) return reshape(a, shape);
  Shape turned = shape;
  std::reverse(turned.begin(), turned.end());
  return transpose(reshape(transpose(a), turned));
}

ndarray ravel(const ndarray& a, Choice<Order> order) {
  internal::check_not_none("ravel", a);
  switch (resolved(order, a)) {
    case Order::C:
      return reshape(a, {a.size()});
    case Order::F:
      return reshape(transpose(a), {a.size()});
    default: {
      Shape axes;
      for (const int axis : internal::axes_by_stride(a)) axes.push_back(axis);
      return reshape(transpose(a, axes), {a.size()});
    }
  }
}

ndarray empty(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order) {
  return internal::make_ordered("empty", shape, dtype ? dtype : float64, current_device(), order);
}

ndarray zeros(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order) {
  const ndarray a = empty(shape, dtype, order);
  a.fill(0);
  return a;
}

ndarray ones(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order) {
  const ndarray a = empty(shape, dtype, order);
  a.fill(1);
  return a;
}

ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype, Choice<Order> order) {
  if (value.is_none()) internal::check_not_none("full", value.array());
  if (!dtype) dtype = value.is_array() ? value.array().dtype() : value.scalar().own_dtype();
  const ndarray a = empty(shape, dtype, order);
  internal::assign("full", a, value);
  return a;
}

ndarray empty_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options) {
  internal::check_not_none("empty_like", a);
  dtype = internal::one_dtype("empty_like", dtype, options.dtype);
  return internal::make_ordered("empty_like", options.shape.value_or(a.shape()),
                                dtype ? dtype : a.dtype(), a.device(), options.order, a);
}

ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype,
                  const LikeOptions& options) {
  internal::check_not_none("full_like", a);
  internal::check_not_none("full_like", value);
  const ndarray result = empty_like(a, dtype, options);
  internal::assign("full_like", result, value);
  return result;
}

ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options) {
  internal::check_not_none("zeros_like", a);
  return full_like(a, 0, dtype, options);
}

ndarray ones_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options) {
  internal::check_not_none("ones_like", a);
  return full_like(a, 1, dtype, options);
}

ndarray::ndarray(const Shape& shape, cupyxx::dtype dtype, const ndarray& memory,
                 const Strides& strides, std::int64_t offset) {
  internal::check_not_none("ndarray", memory);
  if (!dtype) throw TypeError("ndarray: no dtype is given");
  if (!memory.flags().c_contiguous) {
    throw ValueError(
        message("ndarray: the memory must be C-contiguous; strides ", memory.strides()));
  }
  const Strides steps = strides.empty() ? contiguous_strides(shape, dtype.itemsize()) : strides;
  if (steps.ndim() != shape.ndim()) {
    throw ValueError(
        message("ndarray: strides and shape differ in length; ", steps, " and ", shape));
  }
  // In 128 bits: neither an extent nor a step is known to be sensible yet.
  __int128 low = offset, high = static_cast<__int128>(offset) + dtype.itemsize();
  bool is_empty = false;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] < 0) {
      throw ValueError(message("ndarray: negative dimensions are not allowed; ", shape));
    }
    is_empty |= shape[i] == 0;
    const __int128 reach = static_cast<__int128>(shape[i] - 1) * steps[i];
    (reach < 0 ? low : high) += reach;
  }
  if (is_empty) low = high = offset;
  if (low < 0 || offset < 0 || high > memory.nbytes()) {
    throw ValueError(message("ndarray: the elements do not fit into the memory; shape ", shape,
                             ", strides ", steps, ", offset ", offset, ", ", memory.nbytes(),
                             " bytes"));
  }
  shape.element_count();  // throws where the number of elements overflows
  char* const first = static_cast<char*>(memory.elements()) + offset;
  internal::check_aligned("ndarray", first, dtype, shape, steps);
  *this = internal::make_view(memory, first, dtype, shape, steps);
}

ndarray atleast_1d(const ndarray& a) {
  internal::check_not_none("atleast_1d", a);
  return a.ndim() >= 1 ? a : reshape(a, {1});
}
ndarray atleast_2d(const ndarray& a) {
  internal::check_not_none("atleast_2d", a);
  return a.ndim() >= 2 ? a : expand_dims(atleast_1d(a), 0);
}
ndarray atleast_3d(const ndarray& a) {
  internal::check_not_none("atleast_3d", a);
  return a.ndim() >= 3 ? a : expand_dims(atleast_2d(a), -1);
}

ndarray ndarray::reshape(const Shape& shape) const { return cupyxx::reshape(*this, shape); }
ndarray ndarray::reshape(const Shape& shape, Choice<Order> order) const {
  return cupyxx::reshape(*this, shape, order);
}
ndarray ndarray::ravel(Choice<Order> order) const { return cupyxx::ravel(*this, order); }
ndarray ndarray::flatten(Choice<Order> order) const {
  const ndarray flat = cupyxx::ravel(*this, order);
  return flat.shares_memory(*this) ? flat.copy() : flat;
}

// Of lists.

ndarray reshape(const ArrayLike& a, const Shape& shape) { return reshape(a.array(), shape); }

}  // namespace cupyxx
