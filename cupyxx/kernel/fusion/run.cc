// SPDX-License-Identifier: MIT
// The rules that all ways to run a recording share, and the plain way.
#include <algorithm>
#include <optional>

#include "cupyxx/creation.h"
#include "cupyxx/kernel/fusion/trace.h"
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

namespace {

// An operand in place: operands cannot be copied.
class Held {
 public:
  const Operand& set(const ndarray& array) { return operand_.emplace(array); }
  const Operand& set(const Scalar& number) { return operand_.emplace(number); }

 private:
  std::optional<Operand> operand_;
};

ndarray cast(const Step& step, const Operand& x) {
  const ndarray source = x.is_array() ? x.array() : full({}, x.scalar(), step.in_type[0]);
  return source.astype(step.out_type[0]);
}

}  // namespace

std::vector<ndarray> run_eagerly(const Trace& trace, std::span<const Operand> arguments) {
  std::vector<ndarray> arrays(trace.values.size());
  const auto at = [&](int value) -> ndarray& { return arrays[static_cast<std::size_t>(value)]; };
  for (const int array : trace.arrays) {
    at(array) = arguments[static_cast<std::size_t>(trace.value(array).argument)].array();
  }
  for (const Step& step : trace.steps) {
    ndarray rounded[kMaxInputs];  // operands refer to arrays
    Held held[kMaxInputs];
    const Operand* operands[kMaxInputs] = {};
    for (int i = 0; i < step.nin; ++i) {
      if (trace.is_number(step.in[i])) {
        operands[i] = &held[i].set(trace.number(step.in[i], arguments));
      } else if (trace.value(step.in[i]).of_numbers && step.op != nullptr) {
        rounded[i] = at(step.in[i]).astype(step.in_type[i], false);
        operands[i] = &held[i].set(rounded[i]);
      } else {
        operands[i] = &held[i].set(at(step.in[i]));
      }
    }
    if (step.op == nullptr) {
      at(step.out[0]) = cast(step, *operands[0]);
    } else if (step.nout == 1 && step.nin == 1) {
      at(step.out[0]) = call1(ufunc(*step.op), *operands[0], {});
    } else if (step.nout == 1 && step.nin == 2) {
      at(step.out[0]) = call2(ufunc(*step.op), *operands[0], *operands[1], {});
    } else {
      const ufunc f(*step.op);
      auto results = f.call({operands, static_cast<std::size_t>(step.nin)}, {}, {});
      for (int k = 0; k < step.nout; ++k) {
        at(step.out[k]) = std::move(results[static_cast<std::size_t>(k)]);
      }
    }
    for (int i = 0; i < step.nin; ++i) {
      if (step.last_use[i]) at(step.in[i]) = ndarray();
    }
  }
  std::vector<ndarray> outputs;
  outputs.reserve(trace.outputs.size());
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    const auto begin = trace.outputs.begin();
    const bool again = std::find(begin, begin + static_cast<std::ptrdiff_t>(k), trace.outputs[k]) !=
                       begin + static_cast<std::ptrdiff_t>(k);
    outputs.push_back(again ? at(trace.outputs[k]).copy() : at(trace.outputs[k]));
  }
  return finish_reduction(trace, std::move(outputs));
}

std::vector<ndarray> finish_reduction(const Trace& trace, std::vector<ndarray> outputs) {
  if (trace.reduces) outputs[0] = reduce(trace, outputs[0]);
  return outputs;
}

}  // namespace cupyxx::internal::fusion
