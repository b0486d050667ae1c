// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/raw_kernel/arguments.h"

#include <cstring>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::raw_kernel {
namespace {

using Kind = KernelArgument::Kind;

std::string type_name(dtype type) { return std::string(type.name()); }

// "axpy: argument 2 (const float* x)".
std::string about(const std::string& kernel, const std::optional<std::vector<Parameter>>& types,
                  std::size_t k) {
  std::string text = message(kernel, ": argument ", k);
  if (types && k < types->size()) text += " (" + (*types)[k].text + ")";
  return text;
}

std::string given(const KernelArgument& argument) {
  switch (argument.kind()) {
    case Kind::array:
      return message("an array of ", type_name(argument.dtype()));
    case Kind::number:
      return message("a number of ", type_name(argument.dtype()));
    case Kind::pointer:
      return "a pointer";
    default:
      return message("a struct of ", argument.size(), " bytes");
  }
}

[[noreturn]] void fail(const std::string& where, const std::string& expected,
                       const KernelArgument& argument) {
  throw TypeError(message(where, ": expected ", expected, ", given ", given(argument)));
}

bool is_integer(dtype type) { return type.is_integer() || type.is_bool(); }

bool same_element(const Parameter& parameter, dtype own) {
  return own == parameter.type || (parameter.is_char && own.itemsize() == 1);
}

std::string what(const Parameter& parameter) {
  if (parameter.pointers > 1) return "a pointer";
  if (parameter.pointers == 1) return "an array or a pointer";
  return parameter.type ? "a number of " + type_name(parameter.type) : "a struct";
}

// `where` makes the beginning of a message.
template <class Where>
void check_array(const Where& where, const Parameter& parameter, const KernelArgument& argument) {
  const ndarray& array = argument.array();
  if (parameter.pointers != 1) fail(where(), what(parameter), argument);
  if (parameter.type && !same_element(parameter, array.dtype())) {
    throw DtypeError(message(where(), ": expected an array of ", type_name(parameter.type),
                             ", given ", type_name(array.dtype())));
  }
  if (!parameter.is_const && !array.body()->writeable) {
    throw ValueError(
        message(where(), ": the array is read-only, what the parameter points to is not const"));
  }
}

template <class Where>
void check_contiguous(const Where& where, const ndarray& array) {
  if (array.body()->c_contiguous) return;
  throw ValueError(message(where(), ": the array is not C-contiguous, shape ", array.shape(),
                           ", strides ", array.strides(),
                           "; pass ascontiguousarray() of it, or set any_layout"));
}

// An integer as another integer type.
void convert(const std::string& where, const KernelArgument& argument, dtype type, void* out) {
  const bool is_negative = argument.dtype().is_signed_integer();
  std::int64_t value = 0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, argument.address(), argument.size());
  if (is_negative) {
    const int unused = 64 - 8 * static_cast<int>(argument.size());
    value = static_cast<std::int64_t>(bits << unused) >> unused;
    Scalar(value).store(where.c_str(), type, out);
  } else {
    Scalar(bits).store(where.c_str(), type, out);
  }
}

// Whether the value had to be converted into `out`.
template <class Where>
bool check_number(const Where& where, const Parameter& parameter, const KernelArgument& argument,
                  void* out) {
  if (parameter.pointers != 0) fail(where(), what(parameter), argument);
  if (!parameter.type || argument.dtype() == parameter.type) return false;
  if (is_integer(parameter.type) && is_integer(argument.dtype()) && !parameter.type.is_bool()) {
    convert(where(), argument, parameter.type, out);
    return true;
  }
  throw TypeError(message(where(), ": expected a number of ", type_name(parameter.type),
                          ", given one of ", type_name(argument.dtype())));
}

void check_count(const std::string& kernel, const Parameters& parameters, std::size_t count) {
  const std::size_t expected = parameters.places  ? parameters.places->size()
                               : parameters.types ? parameters.types->size()
                                                  : count;
  if (count == expected) return;
  std::string text = message(kernel, ": expected ", expected, " arguments, given ", count);
  if (parameters.types) text += "; the parameters are " + describe(*parameters.types);
  throw TypeError(text);
}

}  // namespace

Packed::Packed(const std::string& kernel, const Parameters& parameters,
               std::span<const KernelArgument> arguments, Device device, bool any_layout) {
  check_count(kernel, parameters, arguments.size());
  values_.resize(arguments.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const KernelArgument& argument = arguments[k];
    const Parameter* parameter =
        parameters.types && k < parameters.types->size() ? &(*parameters.types)[k] : nullptr;
    const auto where = [&] { return about(kernel, parameters.types, k); };
    unsigned char* bytes = values_[k].bytes;
    std::size_t size = argument.size();
    bool stored = false;
    switch (argument.kind()) {
      case Kind::array: {
        if (argument.array().is_none()) {
          throw TypeError(message(where(), " is None; `none` is a null pointer"));
        }
        if (!(argument.array().device() == device)) {
          throw TypeError(message(where(), ": expected an array on ", device.name(),
                                  ", given one on ", argument.array().device().name()));
        }
        if (parameter != nullptr) check_array(where, *parameter, argument);
        if (!any_layout) check_contiguous(where, argument.array());
        const void* address = argument.array().elements();
        std::memcpy(bytes, &address, sizeof address);
        stored = true;
        break;
      }
      case Kind::number:
        if (parameter != nullptr && check_number(where, *parameter, argument, bytes)) {
          size = static_cast<std::size_t>(parameter->type.itemsize());
          stored = true;
        }
        break;
      case Kind::pointer:
        if (parameter != nullptr && parameter->pointers == 0 && parameter->type) {
          fail(where(), what(*parameter), argument);
        }
        break;
      default:
        if (parameter != nullptr && (parameter->pointers != 0 || parameter->type)) {
          fail(where(), what(*parameter), argument);
        }
    }
    if (parameters.places && (*parameters.places)[k].size != size) {
      throw TypeError(message(where(), ": expected ", (*parameters.places)[k].size,
                              " bytes, given ", given(argument), ", ", size, " bytes"));
    }
    const void* address = argument.address();
    if (!stored && argument.kind() != Kind::structure) {
      std::memcpy(bytes, address, argument.kind() == Kind::array ? sizeof(void*) : size);
      stored = true;
    }
    addresses_.push_back(stored ? bytes : const_cast<void*>(address));
  }
}

Device device_of(const std::string& kernel, const std::optional<std::vector<Parameter>>& types,
                 std::span<const KernelArgument> arguments) {
  const ndarray* first = nullptr;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].kind() != Kind::array || arguments[k].array().is_none()) continue;
    const ndarray& array = arguments[k].array();
    if (array.device().is_cpu()) {
      throw TypeError(message(about(kernel, types, k),
                              ": expected an array on a CUDA device, given one on the host"));
    }
    if (first != nullptr && !(first->device() == array.device())) {
      throw DeviceError(message(about(kernel, types, k), ": expected an array on ",
                                first->device().name(), ", given one on ", array.device().name()));
    }
    first = &array;
  }
  return first != nullptr ? first->device() : Device::cuda(gpu::current_device());
}

}  // namespace cupyxx::internal::raw_kernel
