// SPDX-License-Identifier: MIT
// Linear layers, embeddings, dropout.
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

void add_linear(std::int64_t batch, std::int64_t in, std::int64_t out, cupyxx::dtype dtype,
                Way way) {
  const std::string size =
      std::to_string(batch) + "x" + std::to_string(in) + "x" + std::to_string(out);
  add_row("linear, bias, ReLU " + size + " " + std::string(dtype.name()) + name_of(way),
          [=](benchmark::State& state) {
            const F::Linear layer(in, out, {.dtype = dtype});
            const Variable x(normal({batch, in}, dtype));
            time_function(state, way, {x}, 0,
                          [&](const std::vector<Variable>& v) { return F::relu(layer(v[0])); });
            set_flops(state, (way == Way::forward ? 2.0 : 6.0) * static_cast<double>(batch) *
                                 static_cast<double>(in * out));
          });
}

void add_dropout(Way way) {
  add_row("dropout 2^26 float32" + name_of(way), [=](benchmark::State& state) {
    const Variable x(normal({1 << 26}));
    const std::int64_t streams = way == Way::forward ? 2 : 4;
    time_function(state, way, {x}, streams * x.data().nbytes(),
                  [](const std::vector<Variable>& in) { return F::dropout(in[0], 0.5); });
  });
}

/// Of the matrix: a dense gradient of all words.
void add_embedding(std::int64_t ids) {
  constexpr std::int64_t kWords = 10000, kUnits = 650;
  add_row("embedding 10000x650, " + std::to_string(ids) + " ids float32, both ways",
          [=](benchmark::State& state) {
            const Variable W(normal({kWords, kUnits})), x(integers({ids}, kWords));
            time_function(state, Way::both, {W}, 4 * (kWords * kUnits + 3 * ids * kUnits),
                          [&](const std::vector<Variable>& in) { return F::embed_id(x, in[0]); });
          });
}

const bool added = [] {
  for (const Way way : {Way::forward, Way::both}) {
    for (const cupyxx::dtype dtype : {cupyxx::float32, cupyxx::float16}) {
      add_linear(100, 784, 1000, dtype, way);
      add_linear(8192, 4096, 4096, dtype, way);
    }
    add_dropout(way);
  }
  add_embedding(700);
  add_embedding(20000);
  return true;
}();

}  // namespace
}  // namespace benchmarks
