// SPDX-License-Identifier: MIT
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

std::string size_and_type(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  return std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + " " +
         std::string(dtype.name());
}

void add_softmax(const cupyxx::Shape& shape, cupyxx::dtype dtype, Way way) {
  add_row("softmax " + size_and_type(shape, dtype) + name_of(way), [=](benchmark::State& state) {
    const Variable x(normal(shape, dtype));
    const std::int64_t streams = way == Way::forward ? 2 : 5;
    time_function(state, way, {x}, streams * x.data().nbytes(),
                  [](const std::vector<Variable>& in) { return F::softmax(in[0]); });
  });
}

void add_cross_entropy(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  const std::string name = "softmax cross entropy " + size_and_type(shape, dtype);
  add_row(name + name_of(Way::both), [=](benchmark::State& state) {
    const Variable x(normal(shape, dtype)), t(integers({shape[0]}, shape[1]));
    time_calls(state, 10, [&] {
      x.set_grad({});
      F::softmax_cross_entropy(x, t).backward();
    });
    set_bytes(state, 2 * x.data().nbytes());
  });
}

const bool added = [] {
  for (const cupyxx::dtype dtype : {cupyxx::float32, cupyxx::float16}) {
    add_softmax({8192, 8192}, dtype, Way::forward);
    add_softmax({8192, 8192}, dtype, Way::both);
    add_softmax({32768, 1024}, dtype, Way::forward);
    add_softmax({32768, 1024}, dtype, Way::both);
    add_cross_entropy({4096, 50257}, dtype);
  }
  return true;
}();

}  // namespace
}  // namespace benchmarks
