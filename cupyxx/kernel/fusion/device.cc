// SPDX-License-Identifier: MIT
// A recording as one kernel: the text of its steps becomes the body of an ElementwiseKernel, or
// the map of a ReductionKernel.
#include <cstdint>
#include <cstdio>
#include <set>

#include "cupyxx/kernel/fusion/trace.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/kernel/user_kernel/reduction.h"

namespace cupyxx::internal::fusion {
namespace {

std::string number(std::size_t k) { return std::to_string(k); }

// "float32 x0, int64 c0".
std::string parameters(const Trace& trace) {
  std::string text;
  for (std::size_t k = 0; k < trace.arrays.size(); ++k) {
    text += (text.empty() ? "" : ", ") + std::string(trace.value(trace.arrays[k]).type.name()) +
            " x" + number(k);
  }
  for (std::size_t k = 0; k < trace.passed.size(); ++k) {
    text += (text.empty() ? "" : ", ") +
            std::string(trace.immediates[trace.passed[k]].type.name()) + " c" + number(k);
  }
  return text;
}

// The name of a number in the kernel.
std::string name_of(const Trace& trace, std::size_t immediate) {
  const int place = trace.place[immediate];
  return place >= 0 ? "c" + number(static_cast<std::size_t>(place)) : "k" + number(immediate);
}

// Constants that are not passed. The compiler does not see their values, so that they are computed
// with as if they had been passed, to the same bits.
std::string constants(const Trace& trace) {
  std::string text;
  for (std::size_t k = 0; k < trace.immediates.size(); ++k) {
    if (trace.place[k] >= 0) continue;
    const Immediate& immediate = trace.immediates[k];
    const Scalar& value = trace.value(immediate.value).constant;
    std::uint64_t words[2] = {};
    (immediate.as_truth ? Scalar(value.is_true()) : value)
        .store(trace.name.c_str(), immediate.type, words);
    const bool is_pair = immediate.type == complex128;
    const auto read = [&](const std::string& type, int word) {
      const std::string name = "w" + number(k) + (word == 0 ? "r" : "i");
      char bits[32];
      std::snprintf(bits, sizeof bits, "0x%llxul", static_cast<unsigned long long>(words[word]));
      text += "unsigned long " + name + " = " + bits + ";\nasm(\"\" : \"+l\"(" + name + "));\n";
      return "cupyxx::internal::kernels::immediate<" + type + ">(" + name + ")";
    };
    const std::string type = jit::device_type(immediate.type);
    const std::string whole =
        is_pair ? type + "(" + read("double", 0) + ", " + read("double", 1) + ")" : read(type, 0);
    text += "const " + type + " " + name_of(trace, k) + " = " + whole + ";\n";
  }
  return text;
}

std::string includes(const Trace& trace) {
  std::set<std::string> headers;
  for (const Step& step : trace.steps) {
    if (step.op != nullptr) headers.insert(step.op->header);
  }
  if (trace.reduces) headers.insert("cupyxx/ops/reductions.h");
  std::string text;
  for (const std::string& header : headers) text += "#include \"" + header + "\"\n";
  return text;
}

std::string cast(dtype type, const std::string& value) {
  return "cupyxx::ops::cast<" + std::string(jit::device_type(type)) + ">(" + value + ")";
}

// `const float v3 = ...;` for each step: what the operations' own kernels do, result by result.
std::string statements(const Trace& trace) {
  std::vector<std::string> names(trace.values.size());
  for (std::size_t k = 0; k < trace.arrays.size(); ++k) {
    names[static_cast<std::size_t>(trace.arrays[k])] = "x" + number(k);
  }
  std::string text = constants(trace);
  std::size_t immediate = 0;
  for (const Step& step : trace.steps) {
    std::string arguments;
    for (int i = 0; i < step.nin; ++i) {
      std::string name = trace.is_number(step.in[i]) ? name_of(trace, immediate++)
                                                     : names[static_cast<std::size_t>(step.in[i])];
      if (trace.value(step.in[i]).of_numbers) name = cast(step.in_type[i], name);
      const dtype type =
          step.op != nullptr ? step.op->loops[step.loop].compute_in[i] : step.in_type[i];
      arguments += (i == 0 ? "" : ", ") + cast(type, name);
    }
    const std::string call = step.op != nullptr
                                 ? std::string(step.op->type_name) + "::apply(" + arguments + ")"
                                 : arguments;
    for (int k = 0; k < step.nout; ++k) {
      names[static_cast<std::size_t>(step.out[k])] =
          "v" + number(static_cast<std::size_t>(step.out[k]));
    }
    const auto result = [&](int k, const std::string& value) {
      return "const " + std::string(jit::device_type(step.out_type[k])) + " " +
             names[static_cast<std::size_t>(step.out[k])] + " = " + cast(step.out_type[k], value) +
             ";\n";
    };
    if (step.nout == 1) {
      text += result(0, call);
    } else {
      const std::string both = "both" + number(static_cast<std::size_t>(step.out[0]));
      text += "const auto " + both + " = " + call + ";\n" + result(0, both + ".first") +
              result(1, both + ".second");
    }
  }
  return text;
}

std::string result_name(const Trace& trace, std::size_t k) {
  return "v" + number(static_cast<std::size_t>(trace.outputs[k]));
}

std::shared_ptr<user_kernel::ElementwiseSpecification> make_elementwise(const Trace& trace) {
  std::string outputs;
  std::string body = statements(trace);
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    outputs += (k == 0 ? "" : ", ") + std::string(trace.value(trace.outputs[k]).type.name()) +
               " z" + number(k);
    body += "z" + number(k) + " = " + result_name(trace, k) + ";\n";
  }
  auto spec = std::make_shared<user_kernel::ElementwiseSpecification>();
  static_cast<user_kernel::Specification&>(*spec) =
      user_kernel::specify(parameters(trace), outputs, trace.name);
  spec->preamble = includes(trace);
  spec->operation = std::move(body);
  return spec;
}

// The elementwise part becomes a function of its own.
std::shared_ptr<user_kernel::ReductionSpecification> make_reducing(const Trace& trace) {
  const char* const kOps[] = {"Sum", "Prod", "Mean", "Var", "Std", "Amax", "Amin"};
  const std::string op = "cupyxx::ops::" + std::string(kOps[static_cast<int>(trace.reduction)]);
  const std::string element = jit::device_type(trace.value(trace.outputs[0]).type);
  const std::string result = jit::device_type(trace.result);
  std::string formal, actual;
  const auto add = [&](dtype type, const std::string& name) {
    formal +=
        (formal.empty() ? "const " : ", const ") + std::string(jit::device_type(type)) + " " + name;
    actual += (actual.empty() ? "" : ", ") + name;
  };
  for (std::size_t k = 0; k < trace.arrays.size(); ++k) {
    add(trace.value(trace.arrays[k]).type, "x" + number(k));
  }
  for (std::size_t k = 0; k < trace.passed.size(); ++k) {
    add(trace.immediates[trace.passed[k]].type, "c" + number(k));
  }
  auto spec = std::make_shared<user_kernel::ReductionSpecification>();
  static_cast<user_kernel::Specification&>(*spec) =
      user_kernel::specify(parameters(trace), std::string(trace.result.name()) + " y", trace.name);
  spec->preamble = includes(trace) + "typedef " + op + " fused_op;\ntypedef fused_op::Acc<" +
                   element + ", long> fused_sum;\nstatic CUPYXX_FN " + element + " fused_map(" +
                   formal + ") {\n" + statements(trace) + "return " + result_name(trace, 0) +
                   ";\n}\n";
  spec->map = "fused_op::map<fused_sum>(fused_map(" + actual + "), 0L)";
  spec->reduce = "fused_op::combine(a, b)";
  spec->post_map = "y = fused_op::finish<" + result +
                   ">(a, cupyxx::ops::Finish{static_cast<double>(_args.reduced), 0})";
  // Extremes of nothing are an error.
  const bool has_identity = trace.reduction != ReduceOp::amax && trace.reduction != ReduceOp::amin;
  spec->identity = has_identity ? "fused_op::identity<fused_sum>()" : "";
  spec->reduce_type = "fused_sum";
  spec->most_bytes = 16;  // as wide as complex128
  return spec;
}

}  // namespace

namespace {

// Which numbers are passed; all of them where there is room.
void choose_passed(Trace& trace, bool sparingly) {
  trace.passed.clear();
  trace.place.clear();
  for (std::size_t k = 0; k < trace.immediates.size(); ++k) {
    const Immediate& own = trace.immediates[k];
    if (sparingly && trace.value(own.value).kind == Value::Kind::constant) {
      trace.place.push_back(-1);
      continue;
    }
    const auto same = [&](std::size_t passed) {
      const Immediate& other = trace.immediates[passed];
      return own.value == other.value && own.type == other.type && own.as_truth == other.as_truth;
    };
    std::size_t place = 0;
    while (place < trace.passed.size() && !(sparingly && same(trace.passed[place]))) ++place;
    if (place == trace.passed.size()) trace.passed.push_back(k);
    trace.place.push_back(static_cast<int>(place));
  }
}

}  // namespace

void prepare_kernel(Trace& trace) {
  constexpr std::size_t kMost = 31;
  const auto operands = [&trace] {
    return trace.arrays.size() + trace.passed.size() + trace.outputs.size();
  };
  if (!trace.reason.empty()) return;
  choose_passed(trace, false);
  if (operands() > kMost) choose_passed(trace, true);
  if (operands() > kMost) {
    trace.device_reason = "one kernel takes at most " + number(kMost) +
                          " arrays, numbers that vary and results; these are " + number(operands());
    return;
  }
  if (trace.reduces) {
    if (trace.reducing == nullptr) trace.reducing = make_reducing(trace);
  } else if (trace.elementwise == nullptr) {
    trace.elementwise = make_elementwise(trace);
  }
}

std::vector<ndarray> run_on_device(Trace& trace, std::span<const Operand> arguments) {
  // Operands cannot be copied: they are made in place.
  const std::size_t count = trace.arrays.size() + trace.passed.size();
  const auto list = std::make_unique<Operand[]>(count);
  std::size_t next = 0;
  const auto add = [&](auto&& value) {
    Operand* place = &list[next++];
    place->~Operand();
    ::new (place) Operand(value);
  };
  for (const int array : trace.arrays) {
    add(arguments[static_cast<std::size_t>(trace.value(array).argument)].array());
  }
  for (const std::size_t k : trace.passed) {
    const Immediate& immediate = trace.immediates[k];
    const Scalar& value = trace.number(immediate.value, arguments);
    add(immediate.as_truth ? Scalar(value.is_true()) : value);
  }
  if (trace.reduces) {
    return user_kernel::call_reduction(*trace.reducing, {list.get(), count},
                                       {.axis = trace.axes, .keepdims = trace.keepdims, .out = {}});
  }
  return user_kernel::call_elementwise(*trace.elementwise, {list.get(), count}, -1);
}

}  // namespace cupyxx::internal::fusion
