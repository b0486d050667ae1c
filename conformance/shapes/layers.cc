// SPDX-License-Identifier: MIT
// Layers with their gradients, in every precision that a scope has.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "conformance/shapes/beside.h"
#include "cupyxx/cupyxx.h"

namespace conformance {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Precision;
using chainerxx::Variable;
using cp::ndarray;

struct Mode {
  Precision precision;
  const char* name;
  double bound;  // of products and of what is summed from them
};
constexpr Mode kModes[] = {{Precision::float32, "float32", 2e-5},
                           {Precision::tf32, "tf32", 5e-3},
                           {Precision::bfloat16, "bfloat16", 4e-2},
                           {Precision::float16, "float16", 6e-3}};

/// A result and the gradients of its inputs, for a gradient of normal numbers.
using Graph = std::function<Variable(const std::vector<Variable>& inputs)>;
std::vector<ndarray> results(const Graph& graph, const std::vector<ndarray>& inputs,
                             const ndarray& gradient, cp::Device device, cp::dtype type,
                             Precision precision) {
  const cp::DeviceScope on(device);
  const chainerxx::PrecisionScope scope(precision);
  std::vector<Variable> variables;
  for (const ndarray& input : inputs) {
    variables.emplace_back(input.dtype().is_floating() ? input.to(device).astype(type)
                                                       : input.to(device));
  }
  const Variable y = graph(variables);
  y.set_grad(cp::broadcast_to(gradient.to(device).astype(y.dtype()), y.shape()).copy());
  y.backward();
  std::vector<ndarray> all = {y.data()};
  for (const Variable& variable : variables) {
    if (variable.dtype().is_floating()) all.push_back(variable.grad());
  }
  return all;
}

/// In all modes where the device has them, else in float32.
void compare_graph(Beside& beside, const std::string& name, const Graph& graph,
                   const std::vector<ndarray>& inputs, const ndarray& gradient, bool in_all_modes,
                   double usual = 0) {
  const cp::Device device = beside.device();
  const std::vector<ndarray> expected =
      results(graph, inputs, gradient, cp::Device::cpu(), cp::float64, Precision::float32);
  for (const Mode& mode : kModes) {
    if (mode.precision != Precision::float32 && (!in_all_modes || device.is_cpu())) continue;
    const std::vector<ndarray> found =
        results(graph, inputs, gradient, device, cp::float32, mode.precision);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      beside.compare(cp::message(name, ", ", mode.name, i == 0 ? ", y" : ", gradient ",
                                 i == 0 ? std::string() : std::to_string(i - 1)),
                     found[i], expected[i], mode.bound, usual);
    }
  }
}

void compare_linear(Beside& beside, std::int64_t most) {
  std::int64_t rows = beside.extent(1, 3000), in = beside.extent(1, 1500);
  std::int64_t out = beside.extent(1, 1500);
  while (rows * in * out > most) {
    rows = (rows + 1) / 2;
    in = (in + 1) / 2;
    out = (out + 1) / 2;
  }
  compare_graph(
      beside, cp::message("linear ", rows, " x ", in, " to ", out),
      [](const auto& v) { return F::linear(v[0], v[1], v[2]); },
      {beside.normal({rows, in}), beside.normal({out, in}), beside.normal({out})},
      beside.normal({rows, out}), true, std::sqrt(static_cast<double>(std::min({rows, in, out}))));
}

void compare_attention(Beside& beside, std::int64_t most) {
  const std::int64_t n = beside.extent(1, 8), heads = beside.extent(1, 8);
  const std::int64_t depth = 8 * beside.extent(1, 16);
  std::int64_t length = beside.extent(1, 600);
  while (n * heads * length * length * depth > most) length = (length + 1) / 2;
  const bool is_causal = beside.chance(2);
  compare_graph(
      beside,
      cp::message("self_attention of ", n, " x ", length, ", ", heads, " heads of ", depth,
                  is_causal ? ", causal" : ""),
      [&](const auto& v) { return F::self_attention(v[0], heads, {.is_causal = is_causal}); },
      {beside.normal({n, length, 3 * heads * depth})}, beside.normal({n, length, heads * depth}),
      true);
}

void compare_lstm(Beside& beside) {
  const std::int64_t n = beside.extent(1, 40), in = beside.extent(1, 300);
  const std::int64_t units = beside.extent(1, 300), steps = beside.extent(1, 12);
  compare_graph(
      beside, cp::message("lstm ", n, " x ", in, " to ", units, ", ", steps, " steps"),
      [&](const auto& v) {
        Variable cell = v[1], h;
        for (std::int64_t i = 0; i < steps; ++i) {
          auto [next, y] = F::lstm(cell, F::linear(v[0], v[2], v[3]));
          cell = next;
          h = y;
        }
        return h;
      },
      {beside.normal({n, in}), beside.normal({n, units}), beside.normal({4 * units, in}) * 0.1f,
       beside.normal({4 * units}) * 0.1f},
      beside.normal({n, units}), false);
}

void compare_rows(Beside& beside, std::int64_t most) {
  std::int64_t rows = beside.extent(8, 5000);
  const std::int64_t columns = beside.extent(8, 5000);
  while (rows * columns > most) rows = (rows + 1) / 2;
  const ndarray x = beside.normal({rows, columns}), gamma = beside.normal({columns});
  const ndarray beta = beside.normal({columns}), gy = beside.normal({rows, columns});
  const std::string of = cp::message(" of ", rows, " x ", columns);
  compare_graph(
      beside, "softmax" + of, [](const auto& v) { return F::softmax(v[0]); }, {x}, gy, false);
  compare_graph(
      beside, "layer_normalization" + of,
      [](const auto& v) { return F::layer_normalization(v[0], v[1], v[2]); }, {x, gamma, beta}, gy,
      false);
  compare_graph(
      beside, "batch_normalization" + of,
      [](const auto& v) { return F::batch_normalization(v[0], v[1], v[2]); }, {x, gamma, beta}, gy,
      false);
  const ndarray labels = cp::random::randint(0, columns, {.size = {rows}, .dtype = cp::int32});
  compare_graph(
      beside, "softmax_cross_entropy" + of,
      [](const auto& v) { return F::softmax_cross_entropy(v[0], v[1]); }, {x, labels},
      cp::ones({}, cp::float32), false);
}

}  // namespace

void compare_layers(Beside& beside) {
  const std::int64_t most = std::int64_t{1} << (beside.device().is_cpu() ? 20 : 27);
  compare_linear(beside, most);
  if (beside.chance(3)) compare_attention(beside, most);
  if (beside.chance(5)) compare_lstm(beside);
  if (beside.chance(4)) compare_rows(beside, most >> 5);
}

}  // namespace conformance
