// SPDX-License-Identifier: MIT
// A call of a fused function: find what was recorded for its types, choose how to run it.
#include <atomic>
#include <deque>
#include <mutex>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/kernel/fusion/trace.h"
#include "cupyxx/kernel/user_kernel/spec.h"

namespace cupyxx::internal::fusion {

class Program {
 public:
  explicit Program(std::string name) : name_(std::move(name)) {}

  // The recording for arguments of these types; `trace` makes it.
  Trace& find(std::span<const Operand> arguments, TraceFunction trace, const void* function) {
    const Forms forms = forms_of(arguments);
    Trace* const recent = recent_.load(std::memory_order_acquire);
    if (recent != nullptr && recent->forms == forms) return *recent;
    {
      const std::lock_guard lock(mutex_);
      if (Trace* known = known_for(forms)) return *known;
    }
    // The user's function runs unlocked: it may call others.
    std::vector<ArgumentForm> list;
    for (const Operand& argument : arguments) list.push_back(form_of(argument));
    auto recorder = std::make_shared<Recorder>(name_, std::move(list));
    const std::vector<FusedArray> stand_ins = recorder->stand_ins();
    Trace fresh = recorder->finish(trace(function, stand_ins));
    fresh.forms = forms;
    prepare_kernel(fresh);
    const std::lock_guard lock(mutex_);
    if (Trace* known = known_for(forms)) return *known;
    traces_.push_back(std::move(fresh));
    recent_.store(&traces_.back(), std::memory_order_release);
    return traces_.back();
  }

 private:
  static ArgumentForm form_of(const Operand& argument) {
    if (argument.is_array()) return {true, argument.array().dtype(), {}};
    return {false, argument.scalar().dtype(), argument.scalar().kind()};
  }

  Forms forms_of(std::span<const Operand> arguments) const {
    if (arguments.size() > Forms::kMax) {
      throw TypeError(message(name_, ": a fused function takes at most ", Forms::kMax,
                              " arguments; ", arguments.size()));
    }
    Forms forms;
    for (const Operand& argument : arguments) {
      if (argument.is_none()) {
        throw TypeError(message(name_, ": argument ", forms.count, " is None"));
      }
      forms.packed[forms.count++] = form_of(argument).packed();
    }
    return forms;
  }

  // With the lock held.
  Trace* known_for(const Forms& forms) {
    for (Trace& known : traces_) {
      if (!(known.forms == forms)) continue;
      recent_.store(&known, std::memory_order_release);
      return &known;
    }
    return nullptr;
  }

  const std::string name_;
  std::mutex mutex_;
  std::deque<Trace> traces_;  // they stay where they are
  std::atomic<Trace*> recent_{nullptr};
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

// Up to here operations alone are as fast as one pass, whose start costs more. Only for arrays of
// one shape, and numbers.
constexpr std::int64_t kSmall = 4096;

bool is_small(const Trace& trace, std::span<const Operand> arguments) {
  const Body* first = nullptr;
  for (const int array : trace.arrays) {
    const Body* body =
        arguments[static_cast<std::size_t>(trace.value(array).argument)].array().body();
    if (body->size > kSmall) return false;
    if (first == nullptr) first = body;
    if (body->ndim != first->ndim) return false;
    for (int axis = 0; axis < body->ndim; ++axis) {
      if (body->shape[axis] != first->shape[axis]) return false;
    }
  }
  return true;
}

// Why a call with these values runs one operation after the other; empty when it does not.
std::string reason_for(const Trace& trace, std::span<const Operand> arguments,
                       const std::vector<Shape>& shapes, Device device) {
  if (!trace.reason.empty()) return trace.reason;
  if (device.is_cuda() && !trace.device_reason.empty()) return trace.device_reason;
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
        throw ValueError(
            message(step.name(), ": integers to negative integer powers are not allowed"));
      }
    }
  }
}

}  // namespace

Shared<Program> make_program(std::string_view name) {
  user_kernel::check_kernel_name(name);
  return std::make_shared<Program>(std::string(name));
}

std::vector<ndarray> call(Program& program, std::span<const Operand> arguments,
                          TraceFunction trace_function, const void* function) {
  Trace& trace = program.find(arguments, trace_function, function);
  const Device device = device_of(trace, arguments);
  if (device.is_cpu() && is_small(trace, arguments)) return run_eagerly(trace, arguments);
  const std::vector<Shape> shapes = output_shapes(trace, arguments);
  if (!reason_for(trace, arguments, shapes, device).empty()) return run_eagerly(trace, arguments);
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
  std::string reason = reason_for(trace, arguments, shapes, device);
  if (reason.empty() && device.is_cpu()) {
    reason = is_small(trace, arguments) ? "so few elements are in the first cache anyway"
                                        : host_reason(trace, arguments, shapes[0]);
  }
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
