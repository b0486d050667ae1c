// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/bind.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/jit/includes.h"
#include "cupyxx/kernel/user_kernel/host_texts.h"
#include "cupyxx/kernel/user_kernel/typedefs.h"

namespace cupyxx::internal::user_kernel {

namespace {

std::string about(const Specification& spec, const Parameter& parameter) {
  return spec.name + ": argument " + parameter.name;
}

bool has_device_type(dtype type) { return static_cast<int>(type.code()) < dtype::kComputeCount; }

// One placeholder: by the outputs that are given, else by the inputs.
dtype resolve(const Specification& spec, char letter, std::span<const Operand> inputs,
              std::span<const ndarray> outputs) {
  const auto has_letter = [&](std::size_t p) {
    return !spec.parameters[p].fixed && spec.parameters[p].type[0] == letter;
  };
  dtype type;
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    if (!has_letter(spec.nin + j) || outputs[j].is_none()) continue;
    const dtype own = outputs[j].dtype();
    if (type && own != type) {
      throw DtypeError(message(about(spec, spec.parameters[spec.nin + j]), ": type ", letter,
                               " is ", type.name(), " by another output; given ", own.name()));
    }
    type = own;
  }
  if (type) return type;
  const auto own_dtype = [](const Operand& x) {
    return x.is_array() ? x.array().dtype() : x.scalar().dtype();
  };
  for (std::size_t k = 0; k < spec.nin; ++k) {
    const dtype own = has_letter(k) ? own_dtype(inputs[k]) : dtype();
    if (own) type = type ? promote_types(type, own) : own;
  }
  // Then numbers, which take the arrays' type within their kind.
  const dtype strong = type;
  for (std::size_t k = 0; k < spec.nin; ++k) {
    if (!has_letter(k) || own_dtype(inputs[k])) continue;
    const dtype own = weak_dtype(inputs[k].scalar(), strong);
    type = type ? promote_types(type, own) : own;
  }
  return type;
}

[[noreturn]] void throw_type(const Specification& spec, const Parameter& parameter, dtype expected,
                             const std::string& given) {
  throw DtypeError(
      message(about(spec, parameter), ": expected ", expected.name(), ", given ", given));
}

Argument bind_input(const Specification& spec, const Parameter& parameter, const Operand& operand,
                    dtype seen) {
  Argument argument;
  argument.seen = seen;
  if (operand.is_array()) {
    argument.array = operand.array();
    const dtype own = argument.array.dtype();
    // Raw arguments are read in place, so nothing can convert them.
    if (!has_device_type(own) || (parameter.raw ? own != seen : !can_cast(own, seen))) {
      throw_type(spec, parameter, seen, std::string(own.name()));
    }
    return argument;
  }
  if (parameter.raw) {
    throw TypeError(message(about(spec, parameter), " is raw: expected an array, given a number"));
  }
  const Scalar& number = operand.scalar();
  argument.is_number = true;
  const bool fits = number.dtype() ? can_cast(number.dtype(), seen)
                                   : promote_types(weak_dtype(number, seen), seen) == seen;
  if (!fits) throw_type(spec, parameter, seen, message("the number ", number));
  if (seen == complex128) {  // wider than the place for numbers: an array of one element
    argument.is_number = false;
    const DeviceScope host(Device::cpu());
    argument.array = full({}, number, seen);
    return argument;
  }
  number.store(about(spec, parameter).c_str(), seen, &argument.value);
  return argument;
}

}  // namespace

Specification specify(std::string_view in_params, std::string_view out_params,
                      std::string_view name) {
  check_kernel_name(name);
  Specification spec;
  spec.name = name;
  parse_parameters(spec.name, "in_params", in_params, false, spec.parameters);
  spec.nin = spec.parameters.size();
  parse_parameters(spec.name, "out_params", out_params, true, spec.parameters);
  if (spec.nout() == 0) throw ValueError(message(spec.name, ": out_params: no output"));
  if (spec.parameters.size() > 31) {
    throw ValueError(
        message(spec.name, ": at most 31 arguments; ", spec.parameters.size(), " given"));
  }
  return spec;
}

Binding bind(const Specification& spec, std::span<const Operand> inputs,
             std::span<const ndarray> outputs) {
  Binding binding;
  const ndarray* first = nullptr;
  const auto meet = [&](const ndarray& a) {
    if (first == nullptr) first = &a;
    common_device(spec.c_name(), *first, a);
  };
  for (std::size_t k = 0; k < spec.nin; ++k) {
    if (inputs[k].is_none()) throw TypeError(message(about(spec, spec.parameters[k]), " is None"));
  }
  // Work happens where the outputs are.
  for (const ndarray& out : outputs) {
    if (!out.is_none()) meet(out);
  }
  for (const Operand& input : inputs) {
    if (input.is_array()) meet(input.array());
  }
  binding.device = first != nullptr ? first->device() : current_device();

  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const Parameter& parameter = spec.parameters[p];
    dtype seen = parameter.fixed;
    if (!seen) {
      const char letter = parameter.type[0];
      for (const auto& [known, type] : binding.placeholders) {
        if (known == letter) seen = type;
      }
      if (!seen) {
        seen = resolve(spec, letter, inputs, outputs);
        if (!seen) {
          throw ValueError(message(about(spec, parameter), ": type ", letter,
                                   " cannot be determined from the inputs; give the output"));
        }
        binding.placeholders.emplace_back(letter, seen);
      }
    }
    if (!parameter.is_output) {
      Argument argument = bind_input(spec, parameter, inputs[p], seen);
      if (!argument.is_number && !(argument.array.device() == binding.device)) {
        argument.array = argument.array.to(binding.device);  // from another CUDA device
      }
      binding.arguments.push_back(std::move(argument));
      continue;
    }
    Argument argument;
    argument.seen = seen;
    if (p - spec.nin < outputs.size()) argument.array = outputs[p - spec.nin];
    argument.given = !argument.array.is_none();
    if (argument.given) {
      if (argument.array.dtype() != seen) {
        throw_type(spec, parameter, seen, std::string(argument.array.dtype().name()));
      }
      if (!(argument.array.device() == binding.device)) {
        throw DeviceError(message(about(spec, parameter), " is on ", argument.array.device().name(),
                                  ", another output on ", binding.device.name()));
      }
    } else if (parameter.raw) {
      throw ValueError(message(about(spec, parameter), " is raw and an output; give it"));
    }
    if (!has_device_type(seen)) throw_type(spec, parameter, seen, "a type without kernels");
    binding.arguments.push_back(std::move(argument));
  }
  return binding;
}

Binding bind_call(const Specification& spec, std::span<const Operand> arguments,
                  const ndarray& out) {
  if (arguments.size() != spec.nin && arguments.size() != spec.parameters.size()) {
    throw TypeError(message(spec.name, ": expected ", spec.nin, " arguments, or ",
                            spec.parameters.size(), " with outputs; given ", arguments.size()));
  }
  std::vector<ndarray> given;
  for (std::size_t p = spec.nin; p < arguments.size(); ++p) {
    if (!arguments[p].is_array()) {
      throw TypeError(message(spec.name, ": argument ", spec.parameters[p].name,
                              " is an output: expected an array, given a number"));
    }
    given.push_back(arguments[p].array());
  }
  if (!out.is_none()) {
    if (!given.empty()) throw TypeError(message(spec.name, ": out is given twice"));
    given.push_back(out);
  }
  return user_kernel::bind(spec, arguments.first(spec.nin), given);
}

std::vector<std::size_t> outputs_first(const Specification& spec) {
  std::vector<std::size_t> order;
  for (std::size_t p = spec.nin; p < spec.parameters.size(); ++p) {
    if (!spec.parameters[p].raw) order.push_back(p);
  }
  for (std::size_t p = 0; p < spec.nin; ++p) {
    if (!spec.parameters[p].raw) order.push_back(p);
  }
  return order;
}

std::string preamble(const Specification& spec, const Binding& binding,
                     std::initializer_list<std::string_view> texts) {
  std::string text =
      "typedef cupyxx::half float16;\n"
      "typedef cupyxx::complex<float> complex64;\ntypedef cupyxx::complex<double> complex128;\n";
  bool has_complex = mentions(spec.preamble, "complex");
  for (const std::string_view part : texts) has_complex |= mentions(part, "complex");
  for (const Argument& argument : binding.arguments) has_complex |= argument.seen.kind() == 'c';
  if (has_complex) {
    text += "#include \"cupyxx/internal/kernels/user_complex.h\"\n";
    const bool own = spec.preamble.find("struct complex") != std::string::npos ||
                     spec.preamble.find("class complex") != std::string::npos;
    if (!own) text += "using cupyxx::complex;\n";
  }
  if (binding.device.is_cpu()) text += host_texts(spec.preamble, texts);
  for (const auto& [letter, type] : binding.placeholders) {
    text += std::string("typedef ") + jit::device_type(type) + " " + letter + ";\n";
  }
  return text + (binding.device.is_cpu() ? with_own_typedefs(spec.preamble) : spec.preamble) + "\n";
}

std::vector<std::string> device_options(const Specification& spec) {
  std::vector<std::string> options = spec.options;
  if (spec.preamble.find("#include <") != std::string::npos) {
    for (const std::string& folder : jit::toolkit_headers()) {
      options.push_back("--include-path=" + folder);
    }
  }
  return options;
}

Raws collect_raws(const Specification& spec, const Binding& binding) {
  Raws raws;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    if (!spec.parameters[p].raw) continue;
    const Body* body = binding.arguments[p].array.body();
    if (spec.parameters[p].is_output && !body->writeable) {
      throw ValueError(message(about(spec, spec.parameters[p]), " is read-only"));
    }
    raws.operands.push_back({.name = spec.parameters[p].name,
                             .type = body->dtype,
                             .is_output = spec.parameters[p].is_output,
                             .rank = body->ndim,
                             .contiguous = body->c_contiguous});
    kernels::RawData<kMaxNdim>& data = raws.data.emplace_back();
    data.data = body->data;
    data.size = body->size;
    data.ndim = body->ndim;
    data.axis[0] = {1, 0};
    for (int axis = 0; axis < body->ndim; ++axis) {
      data.axis[axis] = {body->shape[axis], body->strides[axis]};
    }
    raws.storage.push_back(body->storage);
  }
  return raws;
}

void append_key(const Binding& binding, const Raws& raws, std::string& key) {
  key += static_cast<char>(binding.device.is_cpu() ? -1 : binding.device.index);
  for (const Argument& argument : binding.arguments) {
    key += static_cast<char>(argument.seen.code());
    key += static_cast<char>(argument.array.is_none() ? dtype::Code::unspecified
                                                      : argument.array.dtype().code());
    key += static_cast<char>(argument.is_number + 2 * argument.given);
  }
  for (const jit::RawOperand& raw : raws.operands) {
    key += static_cast<char>(2 * raw.rank + raw.contiguous);
  }
}

void broadcast_strides(const ndarray& a, int ndim, std::int64_t* strides) {
  const Body* body = a.body();
  const int offset = ndim - body->ndim;
  for (int i = 0; i < offset; ++i) strides[i] = 0;
  for (int i = 0; i < body->ndim; ++i) {
    strides[offset + i] = body->shape[i] == 1 ? 0 : body->strides[i];
  }
}

void check_output(const Specification& spec, const Parameter& parameter, const ndarray& out,
                  const Shape& shape) {
  if (!(out.shape() == shape)) {
    throw ShapeError(
        message(about(spec, parameter), ": expected shape ", shape, ", given ", out.shape()));
  }
  if (!out.body()->writeable) throw ValueError(message(about(spec, parameter), " is read-only"));
}

}  // namespace cupyxx::internal::user_kernel
