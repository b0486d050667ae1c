// SPDX-License-Identifier: MIT
// Joining arrays, and cutting them into views.
#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/core/index.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

ndarray along(const ndarray& a, int axis, std::int64_t begin, std::int64_t end) {
  Shape shape = a.shape();
  shape[axis] = end - begin;
  char* data = static_cast<char*>(a.elements());
  if (end > begin) data += begin * a.body()->strides[axis];
  return internal::make_view(a, data, a.dtype(), shape, a.strides());
}

ndarray join(const char* operation, std::span<const ndarray> arrays, int axis,
             const JoinOptions& options = {}) {
  if (arrays.empty()) {
    throw ValueError(message(operation, ": need at least one array to concatenate; 0 given"));
  }
  for (const ndarray& a : arrays) internal::check_not_none(operation, a);
  const ndarray& first = arrays[0];
  if (first.ndim() == 0) {
    throw ValueError(message(operation, ": zero-dimensional arrays cannot be concatenated"));
  }
  const int at = normalize_axis(operation, axis, first.ndim());
  Shape shape = first.shape();
  for (std::size_t i = 1; i < arrays.size(); ++i) {
    const Shape other = arrays[i].shape();
    internal::common_device(operation, first, arrays[i]);
    bool fits = other.ndim() == shape.ndim();
    for (int k = 0; fits && k < shape.ndim(); ++k) fits = k == at || other[k] == shape[k];
    if (!fits) {
      throw ShapeError(message(operation, ": all dimensions except axis ", at, " must match; ",
                               first.shape(), " and ", other));
    }
    shape[at] = internal::added(operation, shape[at], other[at]);
  }
  dtype type = internal::common_dtype(arrays);
  if (options.dtype) {
    if (!options.out.is_none()) {
      throw TypeError(message(operation, ": takes out or dtype, not both"));
    }
    type = options.dtype;
  }
  const bool into_out = !options.out.is_none();
  if (into_out) type = options.out.dtype();
  for (const ndarray& a : arrays) {
    if (!can_cast(a.dtype(), type, options.casting)) {
      throw DtypeError(message(operation, ": cannot cast from ", a.dtype().name(), " to ",
                               type.name(), " with casting rule '", name(options.casting), "'"));
    }
  }
  if (into_out) {
    internal::common_device(operation, first, options.out);
    internal::check_out_shape(operation, options.out, shape);
  }
  bool overlaps = false;
  for (const ndarray& a : arrays) overlaps |= into_out && internal::may_overlap(a, options.out);
  const ndarray result =
      into_out && !overlaps ? options.out
                            : internal::make_joined(operation, shape, type, first.device(), arrays);
  std::int64_t begin = 0;
  for (const ndarray& a : arrays) {
    const std::int64_t end = begin + a.body()->shape[at];
    internal::assign(operation, along(result, at, begin, end), a);
    begin = end;
  }
  if (!overlaps) return result;
  internal::assign(operation, options.out, result);
  return options.out;
}

template <class Change>
std::vector<ndarray> each(const char* operation, std::span<const ndarray> arrays, Change change) {
  std::vector<ndarray> changed;
  for (const ndarray& a : arrays) {
    internal::check_not_none(operation, a);
    changed.push_back(change(a));
  }
  return changed;
}

std::vector<ndarray> cut(const ndarray& a, const std::vector<std::int64_t>& ends, int axis) {
  const std::int64_t extent = a.body()->shape[axis];
  const auto clamp = [&](std::int64_t i) {
    if (i < 0) i += extent;
    return i < 0 ? 0 : i > extent ? extent : i;
  };
  std::vector<ndarray> parts;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    const std::int64_t from = clamp(begin);
    parts.push_back(along(a, axis, from, std::max(from, clamp(end))));
    begin = end;
  }
  const std::int64_t from = ends.empty() ? 0 : clamp(begin);
  parts.push_back(along(a, axis, from, extent));
  return parts;
}

JoinOptions joined(const StackOptions& options) {
  return {.out = options.out, .dtype = options.dtype, .casting = options.casting};
}

}  // namespace

std::vector<ndarray> internal::parts_of(const char* operation, const ndarray& a) {
  check_not_none(operation, a);
  if (a.ndim() == 0) {
    throw TypeError(message(operation, ": an array without axes has no parts to join; ()"));
  }
  return {a.begin(), a.end()};
}

ndarray concatenate(std::span<const ndarray> arrays, internal::Int axis) {
  return join("concatenate", arrays, axis);
}

ndarray concatenate(std::span<const ndarray> arrays, const Axes& axis, const JoinOptions& options) {
  internal::check_axis_once("concatenate", axis, options.axis);
  if (axis.is_all()) {
    const auto flat = each("concatenate", arrays, [](const ndarray& a) { return ravel(a); });
    return join("concatenate", flat, 0, options);
  }
  if (axis.list().ndim() != 1) {
    throw TypeError(message("concatenate: takes one axis or none; ", axis.list()));
  }
  return join("concatenate", arrays, static_cast<int>(axis.list()[0]), options);
}

ndarray stack(std::span<const ndarray> arrays, internal::Int axis) {
  return stack(arrays, axis, {});
}

ndarray stack(std::span<const ndarray> arrays, internal::Int axis, const JoinOptions& options) {
  internal::check_axis_once("stack", axis, options.axis);
  if (arrays.empty()) throw ValueError("stack: need at least one array to stack; 0 given");
  for (const ndarray& a : arrays) {
    internal::check_not_none("stack", a);
    if (!(a.shape() == arrays[0].shape())) {
      throw ShapeError(message("stack: all input arrays must have the same shape; ",
                               arrays[0].shape(), " and ", a.shape()));
    }
  }
  return join("stack",
              each("stack", arrays, [&](const ndarray& a) { return expand_dims(a, axis); }), axis,
              options);
}

ndarray vstack(std::span<const ndarray> arrays, const StackOptions& options) {
  return join("vstack", each("vstack", arrays, [](const ndarray& a) { return atleast_2d(a); }), 0,
              joined(options));
}

ndarray hstack(std::span<const ndarray> arrays, const StackOptions& options) {
  const auto parts = each("hstack", arrays, [](const ndarray& a) { return atleast_1d(a); });
  return join("hstack", parts, !parts.empty() && parts[0].ndim() == 1 ? 0 : 1, joined(options));
}

ndarray dstack(std::span<const ndarray> arrays) {
  return join("dstack", each("dstack", arrays, [](const ndarray& a) { return atleast_3d(a); }), 2);
}

ndarray column_stack(std::span<const ndarray> arrays) {
  const auto column = [](const ndarray& a) { return a.ndim() < 2 ? transpose(atleast_2d(a)) : a; };
  return join("column_stack", each("column_stack", arrays, column), 1);
}

std::vector<std::int64_t> internal::section_positions(const ndarray& indices) {
  check_not_none("split", indices);
  if (!can_cast(indices.dtype(), int64)) {
    throw TypeError(message("split: positions must be integers; ", indices.dtype().name()));
  }
  if (indices.ndim() != 1) {
    throw ValueError(message("split: positions must have one axis; ", indices.shape()));
  }
  return indices.to_vector<std::int64_t>();
}

Sections internal::sections(std::initializer_list<std::int64_t> indices) {
  return as_span(indices);
}

Arrays array_split(const ndarray& a, const Sections& sections, internal::Int axis) {
  internal::check_not_none("array_split", a);
  const int at = normalize_axis("array_split", axis, a.ndim());
  if (sections.is_list()) return cut(a, sections.indices(), at);
  if (sections.count() <= 0) {
    throw ValueError(
        message("array_split: number sections must be larger than 0; ", sections.count()));
  }
  const std::int64_t extent = a.body()->shape[at];
  const std::int64_t size = extent / sections.count();
  const std::int64_t longer = extent % sections.count();
  std::vector<std::int64_t> ends;
  internal::make_room("array_split", ends, sections.count() - 1);
  std::int64_t end = 0;
  for (std::int64_t i = 0; i + 1 < sections.count(); ++i) {
    end += size + (i < longer ? 1 : 0);
    ends.push_back(end);
  }
  return cut(a, ends, at);
}

Arrays split(const ndarray& a, const Sections& sections, internal::Int axis) {
  internal::check_not_none("split", a);
  const int at = normalize_axis("split", axis, a.ndim());
  if (!sections.is_list() && sections.count() <= 0) {
    throw ValueError(message("split: number sections must be larger than 0; ", sections.count()));
  }
  if (sections.count() > 0 && a.body()->shape[at] % sections.count() != 0) {
    throw ValueError(message("split: array split does not result in an equal division; ",
                             a.body()->shape[at], " into ", sections.count()));
  }
  return array_split(a, sections, axis);
}

Arrays vsplit(const ndarray& a, const Sections& sections) {
  internal::check_not_none("vsplit", a);
  if (a.ndim() < 2) {
    throw ValueError(
        message("vsplit: only works on arrays of 2 or more dimensions, not ", a.shape()));
  }
  return split(a, sections, 0);
}

Arrays hsplit(const ndarray& a, const Sections& sections) {
  internal::check_not_none("hsplit", a);
  if (a.ndim() < 1) throw ValueError("hsplit: only works on arrays of 1 or more dimensions");
  return split(a, sections, a.ndim() > 1 ? 1 : 0);
}

Arrays dsplit(const ndarray& a, const Sections& sections) {
  internal::check_not_none("dsplit", a);
  if (a.ndim() < 3) {
    throw ValueError(
        message("dsplit: only works on arrays of 3 or more dimensions, not ", a.shape()));
  }
  return split(a, sections, 2);
}

// Of lists.

ndarray concatenate(const internal::MixedList& list, internal::Int axis) {
  return concatenate(list.arrays, axis);
}

ndarray stack(const internal::MixedList& list, internal::Int axis) {
  return stack(list.arrays, axis);
}

ndarray vstack(const internal::MixedList& list) { return vstack(list.arrays); }

ndarray hstack(const internal::MixedList& list) { return hstack(list.arrays); }

ndarray dstack(const internal::MixedList& list) { return dstack(list.arrays); }

ndarray column_stack(const internal::MixedList& list) { return column_stack(list.arrays); }

}  // namespace cupyxx
