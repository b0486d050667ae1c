// SPDX-License-Identifier: MIT
// Making, moving and indexing.
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"
#include "cupyxx/testing/kernel_walk.h"

namespace cupyxx::testing {
namespace {

std::string label(const char* name, dtype type) {
  return std::string(name) + " of " + std::string(type.name());
}

}  // namespace

void walk_creation(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  w("zeros", [&] { zeros({300, 40}, t), zeros({7}, t), zeros({300, 40}, t, Order::F); });
  w("ones", [&] { ones({300, 40}, t), ones({}, t), ones_like(a.transposed); });
  w("full", [&] { full({300, 40}, 1, t), full({300, 40}, a.row), full_like(a.plain, 1); });
  w("full of a column", [&] { full({300, 40}, a.column, t); });
  w("eye", [&] { eye(30, -1, 0, t), eye(30, 20, 3, t), identity(5, t); });
  w("arange", [&] { arange(1000).astype(t), arange(Scalar(0), Scalar(9), Scalar(2)).astype(t); });
  w("linspace",
    [&] { linspace(0, 1, 100), linspace(arange(4.0), 9.0, 5), linspace(0, 9, 10, {.dtype = t}); });
  w("logspace", [&] { geomspace(1, 100, 10), logspace(0, 2, 10); });
  w("diag", [&] { diag(a.row), diag(a.plain), diag(a.plain, 3).copy(), diagflat(a.row, 1); });
  w("tri", [&] { tri(30, 20, 1, t), tril(a.plain), triu(a.plain, -1), tril(a.cube); });
  w("tril of a transpose", [&] { tril(a.transposed), triu(a.every_second); });
  if (t != bool_) w("vander", [&] { vander(a.row(slice(0, 8))); });
  w("meshgrid", [&] { meshgrid({a.row, a.line}), meshgrid({a.row, a.line}, {.sparse = true}); });
  w("indices", [&] { indices({30, 20}), indices_sparse({30, 20}); });
  w("array", [&] { array({{1, 2}, {3, 4}}, t), asarray(a.transposed), array(a.plain, t); });
  w("orders", [&] {
    ascontiguousarray(a.transposed), asfortranarray(a.plain), copy(a.plain, Order::F);
    a.cube.copy(Order::F), copy(a.cube_turned, Order::K), asfortranarray(a.cube);
  });
  for (const ndarray& x : a.layouts()) {
    w("copy", [&] { x.copy(), x.flatten(), x.ravel(Order::F), x.flatten(Order::F); });
    for (const dtype to : {bool_, int32, int64, float32, float64}) {
      w("astype", [&] { x.astype(to); });
    }
    w("write into a copy", [&] {
      const ndarray target = x.copy();
      target(ellipsis) = 1;
      target(ellipsis) = x;
      target(ellipsis) = x.astype(float64);
      copyto(target, x), target.fill(1);
      if (t != bool_) copyto(target, 1);
      if (x.ndim() > 0) copyto(target, x, {.where = x != 0});
    });
    w("write into the view", [&] { x(ellipsis) = x.copy(), x(ellipsis) = 1, x.fill(1); });
    if (x.ndim() > 0) w("write a row", [&] { x(ellipsis) = x(0).copy(); });
  }
}

void walk_manipulation(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  for (const ndarray& x : {a.plain, a.transposed, a.every_second}) {
    w("concatenate", [&] { concatenate({x, x}), concatenate({x, x}, 1), stack({x, x}); });
    w("concatenate flat", [&] {
      concatenate({x, x}, Axes{}, {}), stack({x, x}, 1), stack({x, x}, 2);
    });
    w("stacks", [&] { vstack({x, x}), hstack({x, x}), dstack({x, x}), column_stack({x, x}); });
    w("concatenate of two dtypes", [&] { concatenate({x, x.astype(float64)}); });
    w("block", [&] { block({{x, x}, {x, x}}); });
    w("flip", [&] { flip(x).copy(), fliplr(x).copy(), flipud(x).copy(), rot90(x).copy(); });
    w("roll", [&] { roll(x, 3), roll(x, 3, 1), roll(x, Shape{1, 2}, {0, 1}); });
    w("tile", [&] { tile(x, {2, 3}), tile(x, 2), tile(x, {2, 1, 3}); });
    w("repeat", [&] {
      repeat(x, 2), repeat(x, 2, 1), repeat(x, 2, 0);
      repeat(x, std::vector<std::int64_t>(40, 2), 1);
    });
    w("pad", [&] { pad(x, {{1, 2}, {3, 4}}); });
    for (const PadMode mode :
         {PadMode::edge, PadMode::wrap, PadMode::reflect, PadMode::symmetric}) {
      w("pad by elements", [&] { pad(x, {{1, 2}, {3, 4}}, {.mode = mode}); });
    }
    if (t != bool_) {
      for (const PadMode mode :
           {PadMode::maximum_, PadMode::minimum_, PadMode::mean, PadMode::median}) {
        w("pad by statistics", [&] { pad(x, {{1, 2}, {3, 4}}, {.mode = mode}); });
      }
      w("pad by a ramp", [&] { pad(x, {{1, 2}, {3, 4}}, {.mode = PadMode::linear_ramp}); });
    }
    w("broadcast", [&] {
      broadcast_to(a.row, {300, 40}).copy(), broadcast_to(a.column, {300, 40}).copy();
    });
    w("broadcast to three axes", [&] { broadcast_to(x, {3, 300, 40}).copy(); });
    w("split", [&] { split(x, 2)[1].copy(), hsplit(x, 2)[1].copy(), array_split(x, 7)[3].copy(); });
    w("moved axes", [&] {
      moveaxis(a.cube, 0, 2).copy(), rollaxis(a.cube, 2).copy(), swapaxes(a.cube, 0, 1).copy();
    });
    w("append", [&] { append(x, x), append(x, x, 0), append(x, 1); });
    w("delete", [&] {
      delete_(x, 3, 0), delete_(x, slice(2, 9), 1), delete_(x, array({1, 5}), 0);
    });
    w("insert", [&] {
      insert(x, 3, 1, 0), insert(x, array({1, 5}), 1, 1), insert(x, 3, a.row, 0);
    });
    w("resize", [&] { resize(x, {10, 20}), resize(x, {400, 50}); });
    if (t != bool_) w("kron", [&] { kron(a.plane(slice(0, 3)), a.plane(slice(0, 2))); });
  }
  w("trim_zeros", [&] { trim_zeros(a.line); });
}

void walk_indexing(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const ndarray few = array({2, 0, 5}), few32 = few.astype(int32);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  for (const ndarray& x : {a.plain, a.transposed, a.every_second}) {
    const ndarray mask = x != 3;
    w("take", [&] { take(x, few), take(x, few, 0), take(x, few, 1), take(x, few32, 1); });
    for (const IndexMode mode : {IndexMode::wrap, IndexMode::clip}) {
      w("take by mode", [&] { take(x, few, 1, {.mode = mode}); });
    }
    w("index array", [&] {
      const ndarray one = x(few), two = x(slice(), few32), both = x(few, few);
      const ndarray broad = x(few.reshape({3, 1}), few), mixed = x(few, slice(0, 4));
      const ndarray whole = a.cube(slice(), few, slice()), cubed = a.cube(few, slice(), few);
    });
    w("mask", [&] { const ndarray chosen = x(mask), rows = x(x(slice(), 0) != 3); });
    w("masked assignment", [&] { x.copy()(mask) = 1, x.copy()(mask) = x(mask).get(); });
    w("masked assignment of a column",
      [&] { x.copy()(mask) = a.number, x.copy()(a.column(slice(), 0) != 3) = 1; });
    w("masked assignment to a view", [&] { x(x != 3) = 1; });
    w("index assignment", [&] {
      x.copy()(few) = 1, x.copy()(few) = a.row, x.copy()(slice(), few) = 1, x.copy()(few, few) = 1;
      x.copy()(few, few) = a.row(slice(0, 3)), a.cube.copy()(few, slice(), few) = 1;
    });
    if (t != bool_) {
      w("index update", [&] { x.copy()(few) += 1, x.copy()(few, few) += 1, x.copy()(mask) += 1; });
      w("index update by an array", [&] { x.copy()(few) *= a.row, x.copy()(mask) *= 2; });
      w("scatter_add", [&] {
        const ndarray target = x.copy();
        scatter_add(target, few, 1), scatter_add(target, few, a.row);
      });
    }
    w("where", [&] {
      where(mask, x, 0), where(mask, 0, x), where(mask, x, x), where(mask, x, a.row);
      where(mask, a.column, x), where(mask, 1, 0), where(mask, x, a.number),
          where(a.row != 3, x, 0);
      where(a.column != 3, x, a.row), where(x, x, x), where(mask, a.number, a.number);
    });
    w("where of two dtypes", [&] { where(mask, x, x.astype(float64)), where(mask, x, 1.5); });
    w("diagonal", [&] { diagonal(x).copy(), diagonal(a.cube, 1, 1, 2).copy(); });
    w("along axis", [&] {
      const ndarray places = argsort(x, 1);
      take_along_axis(x, places, 1), put_along_axis(x.copy(), places, 1, 1);
    });
    w("put", [&] { put(x.copy(), few, 1), put(x.copy(), few, a.row), fill_diagonal(x.copy(), 1); });
    w("putmask", [&] {
      putmask(x.copy(), mask, 1), putmask(x.copy(), mask, a.row), place(x.copy(), mask, a.row);
    });
    w("choose", [&] { choose(mask.astype(int64), {x, x}), select({mask, mask}, {x, x}); });
    w("compress", [&] {
      compress(a.row != 3, x, 1), extract(mask, x), compress(a.column(slice(), 0) != 3, x, 0);
    });
    w("nonzero", [&] { nonzero(x), flatnonzero(x), argwhere(x); });
  }
  w("positions", [&] {
    ix_({few, few}), unravel_index(few, {3, 4}), ravel_multi_index({few, few}, {7, 7});
    diag_indices(4), tril_indices(4), triu_indices(4, 1), tril_indices_from(a.plain);
  });
  w("clip of choices", [&] { choose(array({0, 1, 0}), {few, few}, IndexMode::clip); });
}

}  // namespace cupyxx::testing
