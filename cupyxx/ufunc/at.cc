// SPDX-License-Identifier: MIT
// ufunc::at: every occurrence of a place counts, one after the other.
#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/places.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

using internal::LoopInfo;
using internal::OpInfo;
using internal::Places;

// "add.at": a text that lives for ever, for errors that a device reports later.
const char* method_name(const ufunc& f) {
  static std::mutex mutex;
  static auto& names = *new std::array<std::string, internal::kMaxOps>;
  const std::lock_guard lock(mutex);
  std::string& name = names[f.op().id];
  if (name.empty()) name = std::string(f.name()) + ".at";
  return name.c_str();
}

void apply(const ufunc& f, const ndarray& x, const Operand& y) {
  const UfuncOptions options{.out = x};
  f.nin() == 1 ? internal::call1(f, x, options) : internal::call2(f, x, y, options);
}

// What one call works on.
struct At {
  const ufunc& f;
  const char* name;
  const Places& places;
  ndarray rows;      // one axis
  ndarray operands;  // rows x rest, or the rest for all rows; null for a unary operation
  int loop = 0;

  const LoopInfo& info() const { return f.op().loops[loop]; }
  dtype stored() const { return places.view.dtype(); }
};

// The operands as rows in the loop's type.
ndarray read_operands(const At& call, const Operand& b) {
  const dtype type = call.info().in[1];
  const Places& places = call.places;
  if (!b.is_array() || b.array().ndim() == 0) {
    const DeviceScope scope(places.view.device());
    return full(places.rest(), b, type);
  }
  Shape shape = places.rest(), flat = shape;
  for (int i = 0; i < places.rows.ndim(); ++i) {
    shape.insert(places.front + i, places.rows.body()->shape[i]);
  }
  flat.insert(0, places.rows.size());
  const ndarray spread = broadcast_to(b.array(), shape);
  return internal::contiguous(
      internal::from_result(places, spread).reshape(flat).astype(type, false));
}

// The loop of the operation, with the checks and errors of a call on no element at all.
int find_loop(const ufunc& f, const Places& places, const Operand& b) {
  Shape none_of_them = places.rest();
  none_of_them.insert(0, 0);
  const DeviceScope scope(places.view.device());
  const ndarray nothing = zeros(none_of_them, places.view.dtype());
  const bool has_axes = b.is_array() && f.nin() == 2 && b.array().ndim() > 0;
  const ndarray no_operands = has_axes ? zeros(none_of_them, b.array().dtype()) : ndarray();
  apply(f, nothing,
        has_axes       ? Operand(no_operands)
        : b.is_array() ? Operand(b.array())
                       : Operand(b.scalar()));
  const Operand x(nothing);
  const Operand* const operands[] = {&x, &b};
  return internal::resolve_loop(f.op(), {operands, static_cast<std::size_t>(f.nin())}, {},
                                Casting::same_kind);
}

// Bytes from a row's first element to each of the others, except along the last axis.
std::vector<std::int64_t> outer_offsets(const internal::Body& view, int indexed) {
  std::vector<std::int64_t> offsets{0};
  for (int axis = indexed; axis + 1 < view.ndim; ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t offset : offsets) {
      for (std::int64_t i = 0; i < view.shape[axis]; ++i) {
        next.push_back(offset + i * view.strides[axis]);
      }
    }
    offsets = std::move(next);
  }
  return offsets;
}

// The operation's own loop on one row after the other. False where it works in another type.
bool at_on_host(const At& call) {
  const LoopInfo& info = call.info();
  const dtype type = call.stored();
  const bool is_binary = call.f.nin() == 2;
  if (info.compute_in[0] != type || info.compute_out[0] != type ||
      (is_binary && info.compute_in[1] != info.in[1])) {
    return false;
  }
  internal::touch(call.places.view.body());
  const internal::Body& view = *call.places.view.body();
  internal::touch(call.places.view.body());
  const OpInfo& op = call.f.op();
  const internal::LoopFn loop = cpu_loop(op, call.loop, internal::cpu::arch());
  const int indexed = call.places.indexed;
  const std::vector<std::int64_t> offsets = outer_offsets(view, indexed);
  const std::int64_t length = view.ndim > indexed ? view.shape[view.ndim - 1] : 1;
  const std::int64_t step = view.ndim > indexed ? view.strides[view.ndim - 1] : 0;
  const std::int64_t item = is_binary ? info.in[1].itemsize() : 0;
  const std::int64_t strides[] = {step, step, item};
  const char* operand = is_binary ? static_cast<const char*>(call.operands.elements()) : nullptr;
  const auto chunks = static_cast<std::int64_t>(offsets.size());
  const bool same = is_binary && call.operands.size() == chunks * length;
  const auto* rows = static_cast<const std::int64_t*>(call.rows.elements());
  for (std::int64_t i = 0; i < call.rows.size(); ++i) {
    char* row = view.data;
    std::int64_t number = rows[i];
    for (int axis = indexed - 1; axis >= 0; --axis) {
      row += number % view.shape[axis] * view.strides[axis];
      number /= view.shape[axis];
    }
    const char* from = same ? operand : operand + i * chunks * length * item;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      char* target = row + offsets[static_cast<std::size_t>(chunk)];
      char* const data[] = {target, target, const_cast<char*>(from + chunk * length * item)};
      loop(data, strides, length);
    }
  }
  return true;
}

// For every other operation: the n-th occurrences of all places make one unbuffered pass.
void at_in_passes(const At& call) {
  const auto numbers = call.rows.to_vector<std::int64_t>();
  std::vector<std::int64_t> seen(static_cast<std::size_t>(call.places.row_count()), 0);
  std::vector<std::vector<std::int64_t>> passes;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto pass = static_cast<std::size_t>(seen[static_cast<std::size_t>(numbers[i])]++);
    if (pass == passes.size()) passes.emplace_back();
    passes[pass].push_back(static_cast<std::int64_t>(i));
  }
  const DeviceScope scope(call.places.view.device());
  const bool same = !call.operands.is_none() && call.operands.ndim() == call.places.rest().ndim();
  for (const auto& pass : passes) {
    const ndarray chosen = array(pass);
    const ndarray at_rows = take(call.rows, chosen, 0);
    const ndarray values = internal::gather(call.places, at_rows);
    if (call.operands.is_none()) {
      apply(call.f, values, {});
    } else {
      apply(call.f, values, same ? call.operands : take(call.operands, chosen, 0));
    }
    internal::scatter(call.name, call.places, at_rows, values);
  }
}

}  // namespace

namespace internal {

void apply_at(const ufunc& f, const ndarray& a, std::span<const Index> index, const Operand& b,
              bool deterministic) {
  const char* name = method_name(f);
  const std::string operation = name;
  check_not_none(name, a);
  if (f.nout() != 1 || f.nin() > 2) {
    throw ValueError(message(
        operation, ": only operations with one result and at most two operands are supported"));
  }
  if ((f.nin() == 2) == b.is_none()) {
    throw TypeError(message(operation, f.nin() == 2
                                           ? ": a second operand is needed"
                                           : ": a second operand was given to a unary operation"));
  }
  if (!a.flags().writeable) throw ValueError(message(operation, ": the array is read-only"));
  if (!has_arrays(index)) {
    const ndarray part = a.getitem(index).get();
    b.is_array() ? apply(f, part, b.array()) : apply(f, part, b.scalar());
    return;
  }
  b.move_list_to(a.device());
  if (b.is_array() && f.nin() == 2) common_device(name, a, b.array());
  std::vector<Index> moved;
  if (a.device().is_cuda()) {  // lists lie on the host until they are used
    moved.assign(index.begin(), index.end());
    for (Index& each : moved) each.move_list_to(a.device());
    index = moved;
  }
  const Places places = find_places(name, a, index);
  At call{f, name, places, places.rows.reshape({places.rows.size()}), {}};
  call.loop = find_loop(f, places, b);
  if (f.nin() == 2) {
    call.operands = read_operands(call, b);
    // What one place becomes is no operand of the next.
    if (may_overlap(call.operands, a)) call.operands = call.operands.copy();
  }
  if (places.rows.size() == 0 || places.rest().element_count() == 0) return;
  const OpInfo& op = f.op();
  if (op.checks_negative_power || (a.device().is_cpu() && !at_on_host(call))) {
    at_in_passes(call);
  } else if (a.device().is_cuda()) {
    const LoopInfo& info = call.info();
    const dtype type = call.stored();
    const bool one_type =
        f.nin() == 2 && info.in[0] == type && info.in[1] == type && info.out[0] == type;
    gpu::at({.target = {name, &places.view, places.indexed},
             .rows = &call.rows,
             .operands = f.nin() == 2 ? &call.operands : nullptr,
             .op = &op,
             .loop = call.loop,
             .associative = one_type && op.reorderable,
             .deterministic = deterministic});
  }
}

}  // namespace internal

void ufunc::at(const ndarray& a, std::span<const Index> index, const Operand& b) const {
  internal::apply_at(*this, a, index, b, true);
}

}  // namespace cupyxx
