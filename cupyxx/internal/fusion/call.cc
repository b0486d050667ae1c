// SPDX-License-Identifier: MIT
// A call of a fused function: find what was recorded for its types, choose how to run it.
#include <deque>
#include <mutex>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/fusion/trace.h"
#include "cupyxx/internal/user_kernel/spec.h"

namespace cupyxx::internal::fusion {

class Program {
 public:
  explicit Program(std::string name) : name_(std::move(name)) {}

  // The recording for arguments of these types; `trace` makes it.
  Trace& find(std::span<const Operand> arguments, TraceFunction trace, const void* function) {
    std::vector<ArgumentForm> forms;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Operand& argument = arguments[k];
      if (argument.is_none()) {
        throw TypeError(name_ + ": argument " + std::to_string(k) + " is None");
      }
      if (argument.is_array()) {
        forms.push_back({true, argument.array().dtype(), {}});
      } else {
        forms.push_back({false, argument.scalar().dtype(), argument.scalar().kind()});
      }
    }
    {
      const std::lock_guard lock(mutex_);
      for (Trace& known : traces_) {
        if (known.arguments == forms) return known;
      }
    }
    // The user's function runs unlocked: it may call others.
    auto recorder = std::make_shared<Recorder>(name_, forms);
    const std::vector<FusedArray> stand_ins = recorder->stand_ins();
    Trace fresh = recorder->finish(trace(function, stand_ins));
    prepare_kernel(fresh);
    const std::lock_guard lock(mutex_);
    for (Trace& known : traces_) {
      if (known.arguments == forms) return known;
    }
    return traces_.emplace_back(std::move(fresh));
  }

 private:
  const std::string name_;
  std::mutex mutex_;
  std::deque<Trace> traces_;  // they stay where they are
};

namespace {

Device device_of(const Trace& trace, std::span<const Operand> arguments) {
  const ndarray* first = nullptr;
  for (const Operand& argument : arguments) {
    if (!argument.is_array()) continue;
    if (first == nullptr) first = &argument.array();
    common_device(trace.name.c_str(), *first, argument.array());
  }
  return first != nullptr ? first->device() : current_device();
}

// Why a call with these values runs one operation after the other; empty when it does not.
std::string reason_for(const Trace& trace, std::span<const Operand> arguments,
                       const std::vector<Shape>& shapes) {
  if (!trace.reason.empty()) return trace.reason;
  if (trace.arrays.empty()) return "there is no array among the arguments that matter";
  for (const Shape& shape : shapes) {
    if (!(shape == shapes[0])) {
      return "the results have different shapes: " + shapes[0].str() + " and " + shape.str();
    }
  }
  for (const Step& step : trace.steps) {
    if (step.op == nullptr) continue;
    for (int i = 0; i < step.nin; ++i) {
      if (!trace.is_number(step.in[i]) || !step.op->compares) continue;
      const Scalar& number = trace.number(step.in[i], arguments);
      if (!number.fits(step.in_type[i])) {
        return std::string(step.name()) + " compares with " + number.str() + ", which is beyond " +
               std::string(step.in_type[i].name());
      }
    }
  }
  return "";
}

// Numbers that their operation refuses: its own words.
void check_numbers(const Trace& trace, std::span<const Operand> arguments) {
  for (const Step& step : trace.steps) {
    for (int i = 0; i < step.nin; ++i) {
      if (!trace.is_number(step.in[i])) continue;
      const Scalar& number = trace.number(step.in[i], arguments);
      alignas(16) char element[16];
      if (step.op == nullptr || !step.op->reads_truth) {
        number.store(step.name(), step.in_type[i], element);
      }
      if (i == 1 && step.op != nullptr && step.op->checks_negative_power &&
          step.in_type[1].is_signed_integer() && number.as_int64() < 0) {
        throw ValueError(std::string(step.name()) +
                         ": integers to negative integer powers are not allowed");
      }
    }
  }
}

}  // namespace

std::shared_ptr<Program> make_program(std::string_view name) {
  user_kernel::check_kernel_name(name);
  return std::make_shared<Program>(std::string(name));
}

std::vector<ndarray> call(Program& program, std::span<const Operand> arguments,
                          TraceFunction trace_function, const void* function) {
  Trace& trace = program.find(arguments, trace_function, function);
  const Device device = device_of(trace, arguments);
  const std::vector<Shape> shapes = output_shapes(trace, arguments);
  if (!reason_for(trace, arguments, shapes).empty()) return run_eagerly(trace, arguments);
  check_numbers(trace, arguments);
  if (!device.is_cpu()) return run_on_device(trace, arguments);
  if (!host_reason(trace, arguments, shapes[0]).empty()) return run_eagerly(trace, arguments);
  return finish_reduction(trace, run_on_host(trace, arguments, shapes[0]));
}

std::string plan(Program& program, std::span<const Operand> arguments, TraceFunction trace_function,
                 const void* function) {
  const Trace& trace = program.find(arguments, trace_function, function);
  const Device device = device_of(trace, arguments);
  const std::vector<Shape> shapes = output_shapes(trace, arguments);
  std::string reason = reason_for(trace, arguments, shapes);
  if (reason.empty() && device.is_cpu()) reason = host_reason(trace, arguments, shapes[0]);
  std::string text = describe(trace) + "on " + device.name() + ": ";
  const std::string operations = std::to_string(trace.steps.size() + (trace.reduces ? 1 : 0));
  if (!reason.empty())
    return text + operations + " operations one after the other; " + reason + "\n";
  if (!device.is_cpu()) {
    return text + "one kernel for " + operations + " operations\n";
  }
  text += "one pass in blocks for " + std::to_string(trace.steps.size()) + " operations";
  return text + (trace.reduces ? ", then " + std::string(name(trace.reduction)) : "") + "\n";
}

}  // namespace cupyxx::internal::fusion
