// SPDX-License-Identifier: MIT
// reduce, accumulate, reduceat and outer, over elementwise calls. The operations that have
// kernels of their own for reductions use them.
#include <algorithm>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

using internal::OpInfo;

// What changes no element; null where there is none.
ndarray identity_of(const ufunc& f, dtype type, Device device) {
  const DeviceScope scope(device);
  switch (f.op().identity) {
    case ops::Identity::zero:
      return zeros({}, type);
    case ops::Identity::one:
      return ones({}, type);
    case ops::Identity::all_bits:
      return invert(zeros({}, type));
    case ops::Identity::minus_infinity:
      return full({}, -__builtin_inf(), type);
    default:
      return {};
  }
}

void check_binary(const ufunc& f, const char* method) {
  if (f.nin() == 2 && f.nout() == 1) return;
  throw ValueError(message(f.name(), ".", method, ": only supported for binary functions; it has ",
                           f.nin(), " operands and ", f.nout(), " results"));
}

// The dtype in which elements are combined by themselves. Sums and products of small integers use
// 64 bits.
dtype natural_dtype(const ufunc& f, const ndarray& a) {
  const OpInfo& op = f.op();
  const dtype type = a.dtype();
  if (op.widens && (type.is_bool() || type.is_integer())) {
    return type.is_unsigned_integer() ? uint64 : int64;
  }
  const Operand x(a);
  const Operand* operands[] = {&x, &x};
  return op.loops[internal::resolve_loop(op, operands, {}, Casting::same_kind)].out[0];
}

// That of the result: NumPy takes `out` for one of the operands, where it casts to it afterwards.
dtype combined_dtype(const ufunc& f, const ndarray& a, dtype wanted, const ndarray& out) {
  if (wanted) return wanted;
  const OpInfo& op = f.op();
  const dtype natural = natural_dtype(f, a);
  if (out.is_none() || op.compares || op.reads_truth) return natural;
  const dtype common = promote_types(natural, out.dtype());
  const bool has_loop = static_cast<int>(common.code()) < dtype::kComputeCount &&
                        op.same_loop[static_cast<int>(common.code())] >= 0;
  return has_loop && can_cast(common, out.dtype(), Casting::same_kind) ? common : natural;
}

// Throws where no loop combines results with elements in the dtype asked for.
void check_loop(const ufunc& f, const char* method, const ndarray& a, dtype wanted) {
  const OpInfo& op = f.op();
  bool found = true;
  if (op.compares) {
    found = a.dtype().is_bool() && (!wanted || wanted.is_bool());
  } else if (op.reads_truth) {
    found = !wanted || wanted.is_bool();
  } else if (wanted) {
    found = static_cast<int>(wanted.code()) < dtype::kComputeCount &&
            op.same_loop[static_cast<int>(wanted.code())] >= 0;
  }
  if (found) return;
  throw DtypeError(
      message(f.name(), ".", method, ": no loop for ", (wanted ? wanted : a.dtype()).name()));
}

UfuncOptions typed(const ufunc& f, dtype type, const ndarray& out = {}) {
  // Comparisons have bool results for operands of any dtype; no loop is to be chosen by that.
  if (f.op().compares || f.op().reads_truth) return {.out = out};
  return {.out = out, .casting = Casting::unsafe, .dtype = type};
}

ndarray combine(const ufunc& f, const ndarray& x, const ndarray& y, dtype type,
                const ndarray& out = {}) {
  return internal::call2(f, x, y, typed(f, type, out));
}

ndarray rows(const ndarray& a, std::int64_t from, std::int64_t to) { return a(slice(from, to)); }

// Combines along the first axis, halving it each time. `a` has one row at least.
ndarray halve(const ufunc& f, ndarray a, dtype type) {
  std::int64_t count = a.len();
  if (count > 1) a = a.copy();
  while (count > 1) {
    const std::int64_t kept = (count + 1) / 2;
    const ndarray target = rows(a, 0, count - kept);
    combine(f, target, rows(a, kept, count), type, target);
    count = kept;
  }
  return a(0);
}

// Combines one after the other along the first axis, starting with `start` unless it is null.
ndarray fold(const ufunc& f, const ndarray& a, dtype type, const ndarray& start,
             const ndarray& mask) {
  const ndarray result = start.is_none() ? a(0).copy() : start;
  for (std::int64_t i = start.is_none() ? 1 : 0; i < a.len(); ++i) {
    UfuncOptions options = typed(f, type, result);
    if (!mask.is_none()) options.where = mask(i);
    internal::call2(f, result, a(i), options);
  }
  return result;
}

// The reduced axes as one axis in front, the others behind it.
ndarray reduced_first(const ndarray& a, std::uint32_t mask) {
  Shape order, shape{1};
  for (int axis = 0; axis < a.ndim(); ++axis) {
    if ((mask >> axis & 1u) == 0) continue;
    order.push_back(axis);
    shape[0] *= a.body()->shape[axis];
  }
  for (int axis = 0; axis < a.ndim(); ++axis) {
    if ((mask >> axis & 1u) != 0) continue;
    order.push_back(axis);
    shape.push_back(a.body()->shape[axis]);
  }
  return a.transpose(order).reshape(shape);
}

ndarray finish(const ufunc& f, const ndarray& result, const ndarray& out) {
  if (out.is_none()) return result;
  internal::check_out_shape(f.name(), out, result.shape());
  internal::assign(std::string(f.name()).c_str(), out, result);
  return out;
}

[[noreturn]] void throw_no_identity(const ufunc& f, const ndarray& a) {
  throw ValueError(message(
      f.name(), ".reduce: zero-size array to a reduction operation without identity; ", a.shape()));
}

ndarray reduce_generally(const ufunc& f, const ndarray& a, const Axes& axis,
                         const ReduceOptions& options) {
  const std::string operation = message(f.name(), ".reduce");
  const std::uint32_t mask = axis.mask(operation.c_str(), a.ndim());
  const bool any_order = f.op().reorderable;
  if (!any_order && __builtin_popcount(mask) > 1) {
    throw ValueError(message(
        operation, ": the operation is not reorderable, so at most one axis may be specified; ",
        __builtin_popcount(mask), " are"));
  }
  const dtype type = combined_dtype(f, a, options.dtype, options.out);
  ndarray start = identity_of(f, type, a.device());
  const bool has_identity = !start.is_none();
  if (options.initial) {
    const DeviceScope scope(a.device());
    start = full({}, *options.initial, type);
  }
  ndarray where_rows;
  if (!options.where.is_none()) {
    if (start.is_none()) {
      throw ValueError(message(operation,
                               ": the operation does not have an identity, so to use a where mask "
                               "one has to specify 'initial'"));
    }
    where_rows = reduced_first(broadcast_to(options.where, a.shape()), mask);
  }
  const ndarray x = reduced_first(a.astype(type, false), mask);
  Shape inner = x.shape();
  inner.erase(0);
  const auto spread = [&](const ndarray& value) { return broadcast_to(value, inner).copy(); };
  ndarray result;
  if (x.len() == 0) {
    if (start.is_none()) throw_no_identity(f, a);
    result = spread(start);
  } else if (any_order && (where_rows.is_none() || has_identity)) {
    const ndarray neutral = identity_of(f, type, a.device());
    result = halve(f, where_rows.is_none() ? x : where(where_rows, x, neutral), type);
    // The identity, too, may change one element alone: hypot's and gcd's take its sign away.
    if (!start.is_none()) result = combine(f, start, result, type);
  } else {
    const bool starts = options.initial || !where_rows.is_none();
    result = fold(f, x, type, starts ? spread(start) : ndarray(), where_rows);
  }
  // Of an axis of extent 1 nothing is combined, and what is left is a view.
  if (result.shares_memory(a)) result = result.copy();
  if (options.keepdims) {
    Shape shape = a.shape();
    for (int i = 0; i < shape.ndim(); ++i) {
      if ((mask >> i & 1u) != 0) shape[i] = 1;
    }
    result = result.reshape(shape);
  }
  return finish(f, result, options.out);
}

// Whether the host's loop of an operation combines elements of a dtype into elements of it.
bool combines_on_host(const ufunc& f, const ndarray& a, dtype type) {
  const OpInfo& op = f.op();
  const int loop = op.same_loop[static_cast<int>(type.code())];
  if (!a.device().is_cpu() || loop < 0) return false;
  // Their exponents are looked at by the call.
  if (op.checks_negative_power && type.is_signed_integer()) return false;
  return op.loops[loop].out[0] == type && op.loops[loop].compute_in[0] == type;
}

// Accumulates along an axis of a C-contiguous array, in the elements' order.
void accumulate_on_host(const ufunc& f, const ndarray& a, int axis) {
  const OpInfo& op = f.op();
  const std::int64_t count = a.shape()[axis], size = a.dtype().itemsize();
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < a.ndim(); ++i) {
    if (i != axis) (i < axis ? outer : inner) *= a.shape()[i];
  }
  const int index = op.same_loop[static_cast<int>(a.dtype().code())];
  const auto loop = internal::cpu_loop(op, index, internal::cpu::arch());
  const std::int64_t strides[] = {size, size, size};
  for (std::int64_t i = 0; i < outer; ++i) {
    char* row = static_cast<char*>(a.elements()) + i * count * inner * size;
    if (inner == 1 && internal::cpu::passes().accumulate(f.name(), a.dtype(), row, count)) continue;
    for (std::int64_t k = 1; k < count; ++k) {
      char* const before = row + (k - 1) * inner * size;
      char* const here = row + k * inner * size;
      char* const data[] = {here, before, here};
      loop(data, strides, inner);
    }
  }
}

}  // namespace

ndarray ufunc::reduce(const ndarray& a, const Axes& axis, const ReduceOptions& options) const {
  check_binary(*this, "reduce");
  internal::check_not_none("reduce", a);
  internal::check_axis_once("reduce", axis, options.axis);
  check_loop(*this, "reduce", a, options.dtype);
  // A 0-d array has no axis; NumPy takes it as it is.
  const bool is_first = axis.list() == Shape{0} || axis.list() == Shape{-1};
  const Axes axes = a.ndim() == 0 && is_first ? Axes() : axis;
  const SumOptions sums{.dtype = options.dtype,
                        .out = options.out,
                        .keepdims = options.keepdims,
                        .initial = options.initial,
                        .where = options.where};
  const MaxOptions extremes{.out = options.out,
                            .keepdims = options.keepdims,
                            .initial = options.initial,
                            .where = options.where};
  const AllOptions truth{.out = options.out, .keepdims = options.keepdims, .where = options.where};
  const auto typed = [&] { return options.dtype ? a.astype(options.dtype, false) : a; };
  const bool is_plain = !options.dtype && !options.initial;
  switch (op_->fold) {
    case ops::Fold::sum:
      return sum(a, axes, sums);
    case ops::Fold::prod:
      return prod(a, axes, sums);
    case ops::Fold::amax:
      return amax(typed(), axes, extremes);
    case ops::Fold::amin:
      return amin(typed(), axes, extremes);
    case ops::Fold::all:
      if (is_plain) return cupyxx::all(a, axes, truth);
      break;
    case ops::Fold::any:
      if (is_plain) return cupyxx::any(a, axes, truth);
      break;
    case ops::Fold::none:
      break;
  }
  return reduce_generally(*this, a, axes, options);
}

ndarray ufunc::accumulate(const ndarray& a, internal::Int axis,
                          const AccumulateOptions& options) const {
  check_binary(*this, "accumulate");
  internal::check_not_none("accumulate", a);
  internal::check_axis_once("accumulate", axis, options.axis);
  if (a.ndim() == 0) throw TypeError(message(name(), ".accumulate: cannot be on a scalar"));
  check_loop(*this, "accumulate", a, options.dtype);
  const int at = normalize_axis("accumulate", axis, a.ndim());
  const dtype type = combined_dtype(*this, a, options.dtype, options.out);
  const ndarray result = internal::make_kept("accumulate", a.shape(), type, a.device(), {&a});
  internal::assign("accumulate", result, a);
  if (combines_on_host(*this, a, type)) {
    const std::vector<int> axes = internal::axes_by_stride(result);
    const auto place = std::find(axes.begin(), axes.end(), at) - axes.begin();
    const ndarray in_memory = result.transpose(Shape(axes));
    if (result.size() != 0) accumulate_on_host(*this, in_memory, static_cast<int>(place));
    return finish(*this, result, options.out);
  }
  ndarray first = rollaxis(result, at);
  const std::int64_t count = first.len();
  if (op_->reorderable) {
    // Each step doubles how many elements every result covers.
    for (std::int64_t step = 1; step < count; step *= 2) {
      const ndarray before = first.copy();
      combine(*this, rows(before, 0, count - step), rows(before, step, count), type,
              rows(first, step, count));
    }
  } else {
    for (std::int64_t i = 1; i < count; ++i) combine(*this, first(i - 1), first(i), type, first(i));
  }
  return finish(*this, result, options.out);
}

ndarray ufunc::reduceat(const ndarray& a, const ndarray& indices, internal::Int axis,
                        const AccumulateOptions& options) const {
  check_binary(*this, "reduceat");
  internal::check_axis_once("reduceat", axis, options.axis);
  internal::check_not_none("reduceat", a);
  internal::check_not_none("reduceat", indices);
  if (a.ndim() == 0) throw TypeError(message(name(), ".reduceat: cannot be on a scalar"));
  const int at = normalize_axis("reduceat", axis, a.ndim());
  const ndarray first = rollaxis(a, at);
  const std::int64_t count = first.len();
  const auto starts = indices.to_vector<std::int64_t>();
  for (const std::int64_t start : starts) {
    if (start < 0 || start >= count) {
      throw IndexError(
          message(name(), ".reduceat: index ", start, " out-of-bounds in [0, ", count, ")"));
    }
  }
  check_loop(*this, "reduceat", a, options.dtype);
  const dtype type = combined_dtype(*this, a, options.dtype, options.out);
  Shape shape = first.shape();
  shape[0] = static_cast<std::int64_t>(starts.size());
  const ndarray result = internal::make_array("reduceat", shape, type, a.device());
  if (a.ndim() == 1 && combines_on_host(*this, a, type)) {
    const ndarray x = internal::contiguous(a.astype(type, false));
    if (internal::cpu::passes().reduce_segments(
            name(), type, static_cast<const char*>(x.elements()), count, starts.data(),
            static_cast<std::int64_t>(starts.size()), static_cast<char*>(result.elements()))) {
      return finish(*this, result, options.out);
    }
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : count;
    const std::int64_t stop = std::max(end, starts[i] + 1);
    // One element is the result itself, without the identity.
    const ndarray part = stop == starts[i] + 1
                             ? first(starts[i])
                             : View(reduce(rows(first, starts[i], stop), 0, {.dtype = type}));
    result(static_cast<std::int64_t>(i)) = part;
  }
  Shape order;
  for (int i = 1; i < a.ndim(); ++i) order.push_back(i);
  order.insert(at, 0);
  return finish(*this, result.transpose(order), options.out);
}

ndarray ufunc::outer(const ndarray& a, const ndarray& b, const UfuncOptions& options) const {
  check_binary(*this, "outer");
  internal::check_not_none("outer", a);
  internal::check_not_none("outer", b);
  Shape shape = a.shape();
  for (int i = 0; i < b.ndim(); ++i) shape.push_back(1);
  return internal::call2(*this, a.reshape(shape), b, options);
}

}  // namespace cupyxx
