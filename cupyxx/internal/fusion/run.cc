// SPDX-License-Identifier: MIT
// The rules that all ways to run a recording share, and the plain way.
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/fusion/trace.h"
#include "cupyxx/reduction.h"

namespace cupyxx::internal::fusion {
namespace {

ndarray reduce(const Trace& trace, const ndarray& x) {
  switch (trace.reduction) {
    case ReduceOp::sum:
      return sum(x, trace.axes, {.keepdims = trace.keepdims});
    case ReduceOp::prod:
      return prod(x, trace.axes, {.keepdims = trace.keepdims});
    case ReduceOp::mean:
      return mean(x, trace.axes, {.keepdims = trace.keepdims});
    case ReduceOp::amax:
      return amax(x, trace.axes, {.keepdims = trace.keepdims});
    default:
      return amin(x, trace.axes, {.keepdims = trace.keepdims});
  }
}

}  // namespace

std::vector<Shape> output_shapes(const Trace& trace, std::span<const Operand> arguments) {
  std::vector<Shape> shapes(trace.values.size());
  for (const int array : trace.arrays) {
    shapes[static_cast<std::size_t>(array)] =
        arguments[static_cast<std::size_t>(trace.value(array).argument)].array().shape();
  }
  for (const Step& step : trace.steps) {
    Shape shape;
    for (int i = 0; i < step.nin; ++i) {
      const Shape& own = shapes[static_cast<std::size_t>(step.in[i])];
      if (own.ndim() != 0) shape = broadcast_shapes(step.name(), shape, own);
    }
    for (int k = 0; k < step.nout; ++k) shapes[static_cast<std::size_t>(step.out[k])] = shape;
  }
  std::vector<Shape> result;
  for (const int output : trace.outputs) result.push_back(shapes[static_cast<std::size_t>(output)]);
  return result;
}

std::vector<ndarray> run_eagerly(const Trace& trace, std::span<const Operand> arguments) {
  std::vector<ndarray> arrays(trace.values.size());
  for (const int array : trace.arrays) {
    arrays[static_cast<std::size_t>(array)] =
        arguments[static_cast<std::size_t>(trace.value(array).argument)].array();
  }
  for (const Step& step : trace.steps) {
    std::unique_ptr<Operand> held[3];
    const Operand* operands[3] = {};
    for (int i = 0; i < step.nin; ++i) {
      held[i] = trace.is_number(step.in[i])
                    ? std::make_unique<Operand>(trace.number(step.in[i], arguments))
                    : std::make_unique<Operand>(arrays[static_cast<std::size_t>(step.in[i])]);
      operands[i] = held[i].get();
    }
    if (step.op == nullptr) {
      const Operand& x = *operands[0];
      const ndarray source = x.is_array() ? x.array() : full({}, x.scalar(), step.in_type[0]);
      arrays[static_cast<std::size_t>(step.out[0])] = source.astype(step.out_type[0]);
      continue;
    }
    const ufunc f(*step.op);
    std::vector<ndarray> results = f.call({operands, static_cast<std::size_t>(step.nin)}, {}, {});
    for (int k = 0; k < step.nout; ++k) {
      arrays[static_cast<std::size_t>(step.out[k])] =
          std::move(results[static_cast<std::size_t>(k)]);
    }
  }
  std::vector<ndarray> outputs;
  for (const int output : trace.outputs)
    outputs.push_back(arrays[static_cast<std::size_t>(output)]);
  if (trace.reduces) outputs[0] = reduce(trace, outputs[0]);
  return outputs;
}

std::vector<ndarray> finish_reduction(const Trace& trace, std::vector<ndarray> outputs) {
  if (trace.reduces) outputs[0] = reduce(trace, outputs[0]);
  return outputs;
}

}  // namespace cupyxx::internal::fusion
