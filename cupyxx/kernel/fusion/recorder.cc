// SPDX-License-Identifier: MIT

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/kernel/fusion/trace.h"

namespace cupyxx::internal::fusion {
namespace {

// An array of a dtype, for the rules of promotion.
const ndarray& sample(dtype type) {
  static auto& samples = *new std::vector<ndarray>([] {
    std::vector<ndarray> all;
    for (int code = 0; code < dtype::kCount; ++code) {
      const dtype own{static_cast<dtype::Code>(code)};
      all.push_back(make_array("fuse", {}, own, Device::cpu()));
    }
    return all;
  }());
  return samples[static_cast<std::size_t>(type.code())];
}

// A weak number of a kind, for the rules of promotion.
Scalar sample(const ArgumentForm& form) {
  if (form.type) return {0, form.type};
  switch (form.kind) {
    case Scalar::Kind::boolean:
      return false;
    case Scalar::Kind::unsigned_integer:
      return UINT64_MAX;
    case Scalar::Kind::floating:
      return 0.0;
    case Scalar::Kind::complex_floating:
      return complex<double>(0);
    default:
      return 0;
  }
}

// What operators make of weak numbers alone, as `y * y` of 4: weak beside floating numbers, as the
// C++ number would be. Beside integers it is an array of its dtype, as it may not fit theirs.
Scalar weak_sample(dtype type) {
  if (type.is_complex()) return complex<double>(0);
  if (type.is_floating()) return 0.0;
  return 0;
}

// Functions that the host's loops take from glibc's vector library.
bool has_vector_function(const Step& step) {
  return step.op != nullptr && step.op->vector_function &&
         step.op->loops[step.loop].compute_in[0].is_floating();
}

// An array in the place of a Python truth value or such.
[[noreturn]] void fail(const std::string& name, const char* operation, const std::string& why) {
  throw ValueError(message(name, ": ", operation, " cannot be fused; ", why));
}

}  // namespace

Recorder::Recorder(std::string name, std::vector<ArgumentForm> arguments) {
  trace_.name = std::move(name);
  trace_.arguments = std::move(arguments);
  for (std::size_t k = 0; k < trace_.arguments.size(); ++k) {
    const ArgumentForm& form = trace_.arguments[k];
    Value value{form.is_array ? Value::Kind::array : Value::Kind::number,
                form.type,
                static_cast<int>(k),
                {}};
    if (!form.is_array) value.constant = sample(form);
    add_value(value);
  }
}

std::vector<FusedArray> Recorder::stand_ins() {
  std::vector<FusedArray> all;
  for (std::size_t k = 0; k < trace_.arguments.size(); ++k) {
    all.push_back(array_of(static_cast<int>(k)));
  }
  return all;
}

cupyxx::dtype Recorder::dtype_of(int value) const {
  const Value& v = trace_.value(value);
  return v.type ? v.type : v.constant.own_dtype();
}

int Recorder::add_value(Value value) {
  trace_.values.push_back(value);
  return static_cast<int>(trace_.values.size()) - 1;
}

void Recorder::check_not_reduced(const char* operation, int value) const {
  if (value == reduced_) {
    fail(trace_.name, operation,
         message("it takes the result of ", name(trace_.reduction),
                 ", and a reduction must be the last operation"));
  }
}

int Recorder::number_of(const FusedOperand& operand) {
  if (operand.is_array()) {
    if (operand.array().recorder().get() != this) {
      throw ValueError(message(trace_.name, ": a value of another fused function is used"));
    }
    return operand.array().value();
  }
  return add_value({Value::Kind::constant, operand.number().dtype(), -1, operand.number()});
}

void Recorder::add(const ufunc& f, std::span<const FusedOperand* const> inputs,
                   std::span<FusedArray> out) {
  const OpInfo& op = f.op();
  Step step;
  step.op = &op;
  step.nin = op.nin;
  step.nout = op.nout;
  const Operand* operands[kMaxInputs] = {};
  std::unique_ptr<Operand> held[kMaxInputs];
  bool of_numbers = true, beside_inexact = false;
  for (int i = 0; i < op.nin; ++i) {
    step.in[i] = number_of(*inputs[static_cast<std::size_t>(i)]);
    check_not_reduced(op.name, step.in[i]);
    const Value& value = trace_.value(step.in[i]);
    if (value.of_numbers || (trace_.is_number(step.in[i]) && !value.type)) continue;
    of_numbers = false;
    beside_inexact |= value.type.is_floating() || value.type.is_complex();
  }
  for (int i = 0; i < op.nin; ++i) {
    const Value& value = trace_.value(step.in[i]);
    if (trace_.is_number(step.in[i])) {
      held[i] = std::make_unique<Operand>(value.constant);
    } else if (value.of_numbers && beside_inexact) {
      held[i] = std::make_unique<Operand>(weak_sample(value.type));
    } else {
      held[i] = std::make_unique<Operand>(sample(value.type));
    }
    operands[i] = held[i].get();
  }
  step.loop =
      resolve_loop(op, {operands, static_cast<std::size_t>(op.nin)}, {}, Casting::same_kind);
  const LoopInfo& info = op.loops[step.loop];
  for (int i = 0; i < op.nin; ++i) {
    step.in_type[i] = info.in[i];
    const Value& value = trace_.value(step.in[i]);
    if (value.kind != Value::Kind::constant || op.reads_truth) continue;
    if (op.compares && !value.constant.fits(info.in[i])) {
      trace_.reason = std::string(op.name) + " compares with " + value.constant.str() +
                      ", which is beyond " + std::string(info.in[i].name());
      continue;
    }
    alignas(16) char element[16];
    value.constant.store(op.name, info.in[i], element);  // throws where it does not fit
  }
  if (op.checks_negative_power && info.in[1].is_signed_integer() && !trace_.is_number(step.in[1])) {
    fail(trace_.name, op.name, "it looks at the signs of its integer exponents first");
  }
  for (int k = 0; k < op.nout; ++k) {
    step.out_type[k] = info.out[k];
    step.out[k] = add_value({Value::Kind::result, info.out[k], -1, {}, of_numbers});
    out[static_cast<std::size_t>(k)] = array_of(step.out[k]);
  }
  trace_.steps.push_back(step);
}

FusedArray Recorder::cast(const FusedArray& x, cupyxx::dtype type) {
  check_not_reduced("astype", x.value());
  if (static_cast<int>(type.code()) >= dtype::kComputeCount) {
    fail(trace_.name, "astype", message("there are no loops for ", type.name()));
  }
  Step step;
  step.in[0] = x.value();
  step.in_type[0] = dtype_of(x.value());
  step.out_type[0] = type;
  step.out[0] = add_value({Value::Kind::result, type, -1, {}});
  trace_.steps.push_back(step);
  return array_of(step.out[0]);
}

FusedArray Recorder::reduce(ReduceOp op, const FusedArray& x, const Axes& axes, bool keepdims) {
  check_not_reduced(name(op), x.value());
  if (reduced_ >= 0) {
    fail(trace_.name, name(op), message("there is a reduction already: ", name(trace_.reduction)));
  }
  trace_.reduces = true;
  trace_.reduction = op;
  trace_.axes = axes;
  trace_.keepdims = keepdims;
  trace_.result = reduction_result(op, dtype_of(x.value()));
  trace_.outputs = {x.value()};
  reduced_ = add_value({Value::Kind::result, trace_.result, -1, {}});
  return array_of(reduced_);
}

Trace Recorder::finish(std::span<const FusedArray> outputs) {
  for (const FusedArray& output : outputs) {
    if (output.recorder().get() != this) {
      throw ValueError(message(trace_.name, ": a value of another fused function is returned"));
    }
    if (output.value() == reduced_ && outputs.size() > 1) {
      fail(trace_.name, name(trace_.reduction), "a reduction must be the only result");
    }
  }
  const bool reduces = trace_.reduces && outputs.size() == 1 && outputs[0].value() == reduced_;
  if (trace_.reduces && !reduces) trace_.reduces = false;  // its result was dropped
  std::vector<int> wanted = trace_.outputs;
  if (!reduces) {
    wanted.clear();
    for (const FusedArray& output : outputs) wanted.push_back(output.value());
  }
  // Results are new arrays, also where nothing happens to an argument.
  for (int& value : wanted) {
    if (trace_.value(value).kind != Value::Kind::result) {
      value = cast(array_of(value), dtype_of(value)).value();
    }
  }
  trace_.outputs = wanted;

  std::vector<bool> live(trace_.values.size());
  for (const int value : wanted) live[static_cast<std::size_t>(value)] = true;
  std::vector<Step> steps;
  for (std::size_t k = trace_.steps.size(); k-- > 0;) {
    const Step& step = trace_.steps[k];
    bool needed = false;
    for (int j = 0; j < step.nout; ++j) needed |= live[static_cast<std::size_t>(step.out[j])];
    if (!needed) continue;
    for (int i = 0; i < step.nin; ++i) live[static_cast<std::size_t>(step.in[i])] = true;
    steps.insert(steps.begin(), step);
  }
  trace_.steps = std::move(steps);
  // Who uses an intermediate value last.
  std::vector<bool> used(trace_.values.size());
  for (const int value : wanted) used[static_cast<std::size_t>(value)] = true;
  for (std::size_t k = trace_.steps.size(); k-- > 0;) {
    Step& step = trace_.steps[k];
    for (int i = 0; i < step.nin; ++i) {
      const auto v = static_cast<std::size_t>(step.in[i]);
      step.last_use[i] = trace_.values[v].kind == Value::Kind::result && !used[v];
      used[v] = true;
    }
  }
  for (std::size_t k = 0; k < trace_.arguments.size(); ++k) {
    if (trace_.arguments[k].is_array && live[k]) trace_.arrays.push_back(static_cast<int>(k));
  }
  for (const Step& step : trace_.steps) {
    trace_.depends_on_place |= has_vector_function(step);
    for (int i = 0; i < step.nin; ++i) {
      if (!trace_.is_number(step.in[i])) continue;
      trace_.immediates.push_back(
          {step.in[i], step.in_type[i], step.op != nullptr && step.op->reads_truth});
    }
  }
  return std::move(trace_);
}

std::string describe(const Trace& trace) {
  const auto shown = [&](int value) {
    const Value& v = trace.value(value);
    if (v.kind == Value::Kind::constant) return v.constant.str();
    if (v.kind == Value::Kind::result) return "v" + std::to_string(value);
    return "x" + std::to_string(v.argument);
  };
  const auto type = [](const ArgumentForm& form) {
    if (form.type) return std::string(form.type.name());
    constexpr const char* kKinds[] = {"bool", "int", "int", "float", "complex"};
    return std::string(kKinds[static_cast<int>(form.kind)]);
  };
  std::string text = trace.name + "(";
  for (std::size_t k = 0; k < trace.arguments.size(); ++k) {
    text += (k == 0 ? "" : ", ") + type(trace.arguments[k]) + " x" + std::to_string(k);
  }
  text += ")\n";
  for (const Step& step : trace.steps) {
    text += "  ";
    for (int k = 0; k < step.nout; ++k) {
      text +=
          (k == 0 ? "" : ", ") + shown(step.out[k]) + ": " + std::string(step.out_type[k].name());
    }
    text += " = " + std::string(step.name()) + "(";
    for (int i = 0; i < step.nin; ++i) text += (i == 0 ? "" : ", ") + shown(step.in[i]);
    text += ")\n";
  }
  text += "  return ";
  if (trace.reduces) text += std::string(name(trace.reduction)) + "(";
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    text += (k == 0 ? "" : ", ") + shown(trace.outputs[k]);
  }
  if (trace.reduces) text += "): " + std::string(trace.result.name());
  return text + "\n";
}

void record(const ufunc& f, std::span<const FusedOperand* const> inputs,
            std::span<FusedArray> out) {
  for (const FusedOperand* input : inputs) {
    if (input->is_array()) return input->array().recorder()->add(f, inputs, out);
  }
}

FusedArray record_cast(const FusedArray& x, cupyxx::dtype type) {
  return x.recorder()->cast(x, type);
}

FusedArray record_where(const FusedOperand& condition, const FusedOperand& x,
                        const FusedOperand& y) {
  const bool is_bool = condition.is_array() ? condition.array().dtype().is_bool()
                                            : condition.number().own_dtype().is_bool();
  FusedArray out;
  if (!is_bool && condition.is_array()) {
    const FusedArray holds = not_equal(condition.array(), 0);
    return record_where(holds, x, y);
  }
  const FusedOperand truth(Scalar(condition.number().is_true()));
  const FusedOperand* const inputs[] = {condition.is_array() ? &condition : &truth, &x, &y};
  record(ufunc_of<ops::Where>(), inputs, {&out, 1});
  return out;
}

FusedArray record_clip(const FusedOperand& x, const FusedOperand& low, const FusedOperand& high) {
  const FusedOperand* const inputs[] = {&x, &low, &high};
  FusedArray out;
  record(ufunc_of<ops::Clip>(), inputs, {&out, 1});
  return out;
}

void refuse(const char* operation) {
  throw ValueError(message("fuse: ", operation,
                           " cannot be fused; only elementwise operations and a last sum, prod, "
                           "mean, amax or amin can"));
}

void refuse_options(const char* operation) {
  throw ValueError(
      message("fuse: ", operation, " cannot be fused with options other than keepdims"));
}

}  // namespace cupyxx::internal::fusion

namespace cupyxx {

FusedArray record_fused(const ufunc& f, const FusedOperand& x) {
  const FusedOperand* const inputs[] = {&x};
  FusedArray out;
  internal::fusion::record(f, inputs, {&out, 1});
  return out;
}

FusedArray record_fused(const ufunc& f, const FusedOperand& x, const FusedOperand& y) {
  const FusedOperand* const inputs[] = {&x, &y};
  FusedArray out;
  internal::fusion::record(f, inputs, {&out, 1});
  return out;
}

std::array<FusedArray, 2> record_fused_pair(const ufunc& f, const FusedOperand& x) {
  const FusedOperand* const inputs[] = {&x};
  std::array<FusedArray, 2> out;
  internal::fusion::record(f, inputs, out);
  return out;
}

std::array<FusedArray, 2> record_fused_pair(const ufunc& f, const FusedOperand& x,
                                            const FusedOperand& y) {
  const FusedOperand* const inputs[] = {&x, &y};
  std::array<FusedArray, 2> out;
  internal::fusion::record(f, inputs, out);
  return out;
}

}  // namespace cupyxx

namespace cupyxx {

namespace {

template <class Options>
FusedArray reduced(internal::ReduceOp op, const FusedArray& x, const Axes& axes,
                   const Options& options) {
  bool others = !options.out.is_none() || !options.where.is_none();
  if constexpr (requires { options.dtype; }) others |= static_cast<bool>(options.dtype);
  if constexpr (requires { options.initial; }) others |= options.initial.has_value();
  if (others) internal::fusion::refuse_options(internal::name(op));
  return x.recorder()->reduce(op, x, axes, options.keepdims);
}

}  // namespace

cupyxx::dtype FusedArray::dtype() const { return recorder_->dtype_of(value_); }

FusedArray FusedArray::sum(const Axes& axes, const SumOptions& options) const {
  return reduced(internal::ReduceOp::sum, *this, axes, options);
}
FusedArray FusedArray::prod(const Axes& axes, const SumOptions& options) const {
  return reduced(internal::ReduceOp::prod, *this, axes, options);
}
FusedArray FusedArray::mean(const Axes& axes, const MeanOptions& options) const {
  return reduced(internal::ReduceOp::mean, *this, axes, options);
}
FusedArray FusedArray::max(const Axes& axes, const MaxOptions& options) const {
  return reduced(internal::ReduceOp::amax, *this, axes, options);
}
FusedArray FusedArray::min(const Axes& axes, const MaxOptions& options) const {
  return reduced(internal::ReduceOp::amin, *this, axes, options);
}

}  // namespace cupyxx
