// SPDX-License-Identifier: MIT
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

void add_layer_norm(std::int64_t rows, std::int64_t columns, Way way) {
  const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
  add_row("layer norm " + size + " float32" + name_of(way), [=](benchmark::State& state) {
    const Variable x(normal({rows, columns}));
    const Variable gamma(normal({columns})), beta(normal({columns}));
    const std::int64_t streams = way == Way::forward ? 2 : 5;
    time_function(state, way, {x, gamma, beta}, streams * x.data().nbytes(),
                  [](const std::vector<Variable>& in) {
                    return F::layer_normalization(in[0], in[1], in[2]);
                  });
  });
}

/// Images of 256 channels, or the same elements with the channels last.
void add_batch_norm(bool channels_last, bool adds, Way way) {
  const std::string layout = channels_last ? " NHWC" : " NCHW";
  const std::string what = adds ? "batch norm, add, ReLU" : "batch norm, ReLU";
  add_row(what + " 64x256x56x56" + layout + " float32" + name_of(way),
          [=](benchmark::State& state) {
            const cupyxx::Shape shape =
                channels_last ? cupyxx::Shape{64 * 56 * 56, 256} : cupyxx::Shape{64, 256, 56, 56};
            const F::BatchNormalization bn(256);
            const Variable x(normal(shape));
            // With a shortcut backward reads the result and makes the shortcut's gradient, too.
            const std::int64_t more = way == Way::forward ? 1 : 3;
            const std::int64_t streams = (way == Way::forward ? 3 : 8) + (adds ? more : 0);
            std::vector<Variable> inputs{x};
            if (adds) inputs.emplace_back(normal(shape));
            time_function(state, way, inputs, streams * x.data().nbytes(),
                          [&](const std::vector<Variable>& in) {
                            return adds ? bn.add_relu(in[0], in[1]) : bn.relu(in[0]);
                          });
          });
}

const bool added = [] {
  for (const Way way : {Way::forward, Way::both}) {
    add_layer_norm(32768, 1024, way);
    add_layer_norm(4096, 8192, way);
    for (const bool channels_last : {false, true}) {
      for (const bool adds : {false, true}) add_batch_norm(channels_last, adds, way);
    }
  }
  return true;
}();

}  // namespace
}  // namespace benchmarks
