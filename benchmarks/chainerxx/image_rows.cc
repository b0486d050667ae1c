// SPDX-License-Identifier: MIT
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

/// How numbers are stored and multiplied.
struct Precision {
  const char* name;
  cupyxx::dtype dtype;
  bool allow_tf32;
};

/// Batch 64 of images with as many filters of 3x3 as channels.
void add_convolution(std::int64_t channels, std::int64_t side, const Precision& precision,
                     bool fused, Way way) {
  const std::string what = fused ? "conv 3x3, bias, ReLU " : "conv 3x3 ";
  const std::string size = std::to_string(channels) + "x" + std::to_string(side);
  add_row(what + size + " " + precision.name + name_of(way), [=](benchmark::State& state) {
    const F::Convolution2D layer(
        channels, channels, 3,
        {.pad = 1, .nobias = !fused, .allow_tf32 = precision.allow_tf32, .dtype = precision.dtype});
    const Variable x(normal({64, channels, side, side}, precision.dtype));
    time_function(state, way, {x}, 0, [&](const std::vector<Variable>& in) {
      return fused ? F::relu(layer(in[0])) : layer(in[0]);
    });
    const auto c = static_cast<double>(channels), area = static_cast<double>(side * side);
    set_flops(state, (way == Way::forward ? 1 : 3) * 2 * 64 * c * c * 9 * area);
  });
}

void add_max_pooling(Way way) {
  add_row("max pool 3/2 64x64x112x112 float32" + name_of(way), [=](benchmark::State& state) {
    const Variable x(normal({64, 64, 112, 112}));
    const std::int64_t pooled = x.data().nbytes() / 4;
    const std::int64_t bytes = x.data().nbytes() + pooled;
    time_function(state, way, {x}, way == Way::forward ? bytes : 2 * bytes,
                  [](const std::vector<Variable>& in) {
                    return F::max_pooling_2d(in[0], 3, {.stride = 2, .pad = 1, .cover_all = false});
                  });
  });
}

const bool added = [] {
  const Precision precisions[] = {{"TF32", cupyxx::float32, true},
                                  {"float16", cupyxx::float16, false}};
  for (const Way way : {Way::forward, Way::both}) {
    add_max_pooling(way);
    for (const Precision& precision : precisions) {
      for (const bool fused : {false, true}) {
        add_convolution(64, 56, precision, fused, way);
        add_convolution(256, 14, precision, fused, way);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace benchmarks
