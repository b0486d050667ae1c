// SPDX-License-Identifier: MIT
#include "cupyxx/testing/kernel_walk.h"

#include <set>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx::testing {
namespace {

// Programs that were not in the bundle, of the call being made; the hook has no other way here.
std::set<std::string>& missed_programs() {
  static auto& names = *new std::set<std::string>;
  return names;
}

}  // namespace

KernelWatch::KernelWatch() {
  internal::jit::set_miss_hook(
      [](const internal::jit::Program& program) { missed_programs().insert(program.name); });
}

KernelWatch::~KernelWatch() { internal::jit::set_miss_hook(nullptr); }

void KernelWatch::operator()(const std::string& name, const std::function<void()>& call) {
  ++calls_;
  missed_programs().clear();
  try {
    call();
  } catch (const Error& error) {
    failed_ += name + ": " + error.what() + "\n";
  }
  if (missed_programs().empty()) return;
  missed_ += name + ":";
  for (const std::string& program : missed_programs()) missed_ += " " + program;
  missed_ += "\n";
}

Operands::Operands(cupyxx::dtype t)
    : type(t),
      plain((arange(12000) % 17 + 1).astype(t).reshape({300, 40})),
      large((arange(300000) % 17 + 1).astype(t).reshape({3000, 100})),
      line((arange(1000) % 7 + 1).astype(t)),
      row(plain(0).copy()),
      column(plain(slice(), slice(0, 1)).copy()),
      number(plain(0, 0).copy()),
      transposed(plain.reshape({40, 300}).T()),
      every_second(concatenate({plain, plain}, 1)(slice(), slice(none, none, 2))),
      rows(concatenate({plain, plain})(slice(none, none, 2))),
      reversed(plain(slice(none, none, -1), slice(none, none, -1))),
      cube(plain.reshape({6, 50, 40})),
      cube_turned(plain.reshape({40, 6, 50}).transpose({1, 2, 0})),
      plane(cube(0).copy()) {}

std::vector<ndarray> Operands::layouts() const {
  return {plain, transposed, every_second, rows, reversed, cube_turned, line, number};
}

void walk_everything(KernelWatch& watch) {
  for (const dtype type : {float32, float64, int32, int64}) {
    walk_ufuncs(watch, type);
    walk_creation(watch, type);
    walk_manipulation(watch, type);
    walk_indexing(watch, type);
    walk_reductions(watch, type);
    walk_statistics(watch, type);
    walk_sorting(watch, type);
    walk_mathematics(watch, type);
    walk_linear_algebra(watch, type);
  }
  walk_creation(watch, bool_);
  walk_manipulation(watch, bool_);
  walk_indexing(watch, bool_);
  walk_random(watch);
}

}  // namespace cupyxx::testing
