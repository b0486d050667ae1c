// SPDX-License-Identifier: MIT
// Each elementwise operation with each layout of its operands.

#include "cupyxx/creation.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/kernel_walk.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::testing {
namespace {

// Bitwise and shift operations have no loops for floating numbers, and so on.
bool has_loop(const ufunc& f, dtype type) {
  const std::string letters(static_cast<std::size_t>(f.nin()), type.char_code());
  for (const std::string& signature : f.types()) {
    const std::string in = signature.substr(0, signature.find('-'));
    if (in == letters) return true;
    // Integers of functions that compute in float64.
    if (type.is_integer() && in == std::string(static_cast<std::size_t>(f.nin()), 'd')) return true;
  }
  return false;
}

// Special functions are compiled where they are used.
bool is_bundled(const ufunc& f) {
  return std::string_view(f.op().header) != "cupyxx/ops/special.h";
}

std::vector<ndarray> call(const ufunc& f, const Operand& x, const UfuncOptions& options = {}) {
  const Operand* inputs[] = {&x};
  return f.call(inputs, {}, options);
}
std::vector<ndarray> call(const ufunc& f, const Operand& x, const Operand& y,
                          const UfuncOptions& options = {}) {
  const Operand* inputs[] = {&x, &y};
  return f.call(inputs, {}, options);
}

void walk_unary(KernelWatch& watch, const ufunc& f, const Operands& a) {
  const std::string name = std::string(f.name()) + " of " + std::string(a.type.name());
  int layout = 0;
  for (const ndarray& x : a.layouts()) {
    watch(name + ", layout " + std::to_string(layout++), [&] { call(f, x); });
  }
  if (f.nout() != 1) return;
  const ndarray made = call(f, a.plain)[0];
  watch(name + " into columns", [&] {
    const ndarray wide = concatenate({made, made}, 1);
    call(f, a.plain, {.out = wide(slice(), slice(none, none, 2))});
  });
  watch(name + " into a transpose", [&] {
    const ndarray out = empty({40, 300}, made.dtype()).T();
    call(f, a.plain, {.out = out});
  });
  watch(name + " where", [&] { call(f, a.plain, {.where = a.plain > 3}); });
}

void walk_binary(KernelWatch& watch, const ufunc& f, const Operands& a) {
  const std::string name = std::string(f.name()) + " of " + std::string(a.type.name());
  int layout = 0;
  for (const ndarray& x : a.layouts()) {
    const std::string label = name + ", layout " + std::to_string(layout++);
    watch(label, [&] { call(f, x, x); });
    watch(label + " and a number", [&] { call(f, x, 2); });
    watch(label + " after a number", [&] { call(f, 2, x); });
    watch(label + " and a 0-d array", [&] { call(f, x, a.number); });
    if (x.ndim() != 2) continue;
    watch(label + " and a plain one", [&] { call(f, x, a.plain); });
    watch(label + " after a plain one", [&] { call(f, a.plain, x); });
    watch(label + " and a row", [&] { call(f, x, a.row); });
    watch(label + " and a column", [&] { call(f, x, a.column); });
    watch(label + " after a column", [&] { call(f, a.column, x); });
  }
  watch(name + " of a row and a column", [&] { call(f, a.row, a.column); });
  watch(name + " of a cube and a plane", [&] { call(f, a.cube, a.plane); });
  watch(name + " of a cube and a row", [&] { call(f, a.cube, a.row); });
  watch(name + " of a cube and channels", [&] {
    call(f, a.cube, a.line(slice(0, 50)).reshape({1, 50, 1}));
  });
  watch(name + " of a turned cube and a plane", [&] { call(f, a.cube_turned, a.plane); });
  watch(name + " where", [&] { call(f, a.plain, a.plain, {.where = a.plain > 3}); });
  watch(name + " where in rows", [&] { call(f, a.plain, a.row, {.where = a.column > 3}); });
  const ndarray made = call(f, a.plain, a.plain)[0];
  watch(name + " in place", [&] {
    if (made.dtype() == a.type) {
      const ndarray target = a.plain.copy();
      call(f, target, a.plain, {.out = target});
      call(f, target, 2, {.out = target});
      call(f, target, a.row, {.out = target});
    }
  });
  watch(name + " into columns", [&] {
    const ndarray wide = concatenate({made, made}, 1);
    call(f, a.plain, a.plain, {.out = wide(slice(), slice(none, none, 2))});
  });
}

}  // namespace

void walk_ufuncs(KernelWatch& watch, dtype type) {
  const Operands a(type);
  for (const ufunc* f : all_ufuncs()) {
    if (!has_loop(*f, type) || !is_bundled(*f)) continue;
    if (f->nin() == 1) walk_unary(watch, *f, a);
    if (f->nin() == 2 && f->nout() == 1) walk_binary(watch, *f, a);
    if (f->nin() == 2 && f->nout() == 2) {
      watch(std::string(f->name()), [&] {
        call(*f, a.plain, a.plain);
        call(*f, a.plain, 2);
        call(*f, a.plain, a.row);
      });
    }
  }
  // Operands of two dtypes, and results of a third.
  for (const char* name : {"add", "subtract", "multiply", "true_divide", "power", "maximum", "less",
                           "equal", "logical_and"}) {
    const ufunc& f = find_ufunc(name);
    for (const dtype other : {bool_, int32, int64, float32, float64}) {
      const ndarray b = a.plain.astype(other), row = a.row.astype(other);
      if (other == bool_ && std::string(name) == "subtract" && type == bool_) continue;
      const std::string label = std::string(name) + " of " + std::string(type.name()) + " and " +
                                std::string(other.name());
      watch(label, [&] { call(f, a.plain, b); });
      watch(label + ", a row", [&] { call(f, a.plain, row); });
      watch(label + ", a 0-d array", [&] { call(f, a.plain, row(0)); });
      watch(label + ", weak", [&] { call(f, b, 2.5); });
    }
  }
}

}  // namespace cupyxx::testing
