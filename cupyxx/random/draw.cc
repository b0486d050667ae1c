// SPDX-License-Identifier: MIT
#include "cupyxx/random/draw.h"

#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random/impl.h"
#include "cupyxx/reduction.h"

namespace cupyxx::random {
namespace {

// What is wrong with a parameter, in NumPy's words.
std::string complaint(Check check, const std::string& name, double value) {
  switch (check) {
    case Check::not_negative:
      return message(name, " < 0");
    case Check::positive:
      return message(name, " <= 0");
    case Check::mean_of_counts:
      return value > 0 ? message(name, " value too large")
                       : message(name, " < 0 or ", name, " is NaN");
    case Check::above_one:
      return message(name, " <= 1 or ", name, " is NaN");
    case Check::probability:
      return message(name, " < 0, ", name, " > 1 or ", name, " is NaN");
    case Check::positive_probability:
      return message(name, " <= 0, ", name, " > 1 or ", name, " is NaN");
    case Check::below_one:
      return message(name, " < 0, ", name, " >= 1 or ", name, " is NaN");
    default:
      return message(name, " is NaN");
  }
}

// "shape" of the first word of "shape scale".
std::string_view next_name(const char*& names) {
  const std::string_view all = names;
  const std::size_t end = std::min(all.find(' '), all.size());
  names += end + (end < all.size() ? 1 : 0);
  return all.substr(0, end);
}

// The device of array parameters, else the current one.
Device device_of(const char* operation, std::initializer_list<const Param*> params) {
  const ndarray* first = nullptr;
  for (const Param* param : params) {
    if (!param->is_array()) continue;
    if (first != nullptr) internal::common_device(operation, *first, param->array());
    if (first == nullptr) first = &param->array();
  }
  return first == nullptr ? current_device() : first->device();
}

// The shape of the result of parameters that broadcast.
Shape shape_of(const char* operation, std::initializer_list<const Param*> params, const Shape& size,
               const ndarray& out) {
  Shape shape;
  for (const Param* param : params) {
    if (param->is_array()) shape = broadcast_shapes(operation, shape, param->array().shape());
  }
  const Shape wanted = size.empty() && !out.is_none() ? out.shape() : size;
  if (wanted.empty()) return shape;
  if (broadcast_shapes(operation, wanted, shape) != wanted) {
    throw ShapeError(
        message(operation, ": the size ", wanted, " does not fit the parameters' shape; ", shape));
  }
  return wanted;
}

}  // namespace

double value_of(const Param& param) { return param.number().as_double(); }

dtype result_dtype(const DrawOptions& options, dtype usual) {
  if (options.dtype) return options.dtype;
  return options.out.is_none() ? usual : options.out.dtype();
}

Shape result_shape(const Shape& size, const ndarray& out) {
  return size.empty() && !out.is_none() ? out.shape() : size;
}

void check_floating(const char* operation, dtype type, bool narrow) {
  if (type == float32 || type == float64 || type == float16 || (narrow && type == bfloat16_)) {
    return;
  }
  throw DtypeError(message(operation, ": the dtype is neither float32 nor float64; ", type.name()));
}

void check_parameter(const char* operation, std::string_view name, Check check, double value) {
  if (satisfies(check, value)) return;
  throw ValueError(
      message(operation, ": ", complaint(check, std::string(name), value), "; ", Scalar(value)));
}

void check_order(const char* operation, const Param& lower, const Param& upper, bool or_equal,
                 std::string_view complaint) {
  for (const Param* param : {&lower, &upper}) {
    if (param->is_array() && !param->array().device().is_cpu()) return;
  }
  const DeviceScope on_host(Device::cpu());
  const auto operand = [](const Param& param) {
    return param.is_array() ? param.array() : array(param.number());
  };
  const ndarray a = operand(lower), b = operand(upper);
  broadcast_shapes(operation, a.shape(), b.shape());
  if (!any(or_equal ? greater(a, b) : greater_equal(a, b)).item<bool>()) return;
  throw ValueError(message(operation, ": ", complaint, "; an element"));
}

Output::Output(const char* operation, const Shape& shape, dtype type, dtype drawn,
               const ndarray& out, Device device)
    : operation_(operation), type_(type), out_(out) {
  if (!out.is_none()) {
    if (out.dtype() != type) {
      throw DtypeError(
          message(operation, ": out has dtype ", out.dtype().name(), ", the result ", type.name()));
    }
    internal::check_out_shape(operation, out, shape);
    if (!out.flags().writeable) throw ValueError(message(operation, ": out is read-only"));
    device = out.device();
    if (type == drawn && out.flags().c_contiguous) {
      array_ = out;
      internal::touch(out.body());
      return;
    }
  }
  array_ = internal::make_array(operation, shape, drawn, device);
}

ndarray Output::finish() {
  if (out_.is_none()) return array_.dtype() == type_ ? array_ : array_.astype(type_);
  if (array_.body() != out_.body()) internal::assign(operation_, out_, array_);
  return out_;
}

OwnStreamScope::OwnStreamScope(RandomState& state) {
  std::shared_ptr<const cuda::Stream> stream;
  {
    const std::lock_guard lock(state.impl().mutex);
    stream = state.impl().stream;
  }
  if (stream == nullptr) return;
  device_ = stream->device();
  if (device_ < 0) return;  // of the host
  previous_ = internal::gpu::current_stream(device_);
  internal::gpu::set_current_stream(device_, stream->ptr());
}

OwnStreamScope::~OwnStreamScope() {
  if (device_ >= 0) internal::gpu::set_current_stream(device_, previous_);
}

ndarray draw_fill(RandomState& state, const char* operation, internal::Fill fill, const Shape& size,
                  const DrawOptions& options, const internal::kernels::RandomArgs& args) {
  const OwnStreamScope stream(state);
  const dtype type = result_dtype(options, float64);
  Output output(operation, result_shape(size, options.out), type, type, options.out,
                current_device());
  internal::kernels::RandomArgs ready = args;
  ready.stream =
      philox_stream(state.reserve(internal::blocks_for(fill, type, output.array().size())));
  internal::fill_random(fill, output.array(), ready);
  return output.finish();
}

ndarray draw_samples(RandomState& state, internal::Sample sample,
                     std::initializer_list<const Param*> params, const Shape& size,
                     const DrawOptions& options, dtype usual) {
  const OwnStreamScope stream(state);
  const internal::SampleInfo& info = internal::sample_info(sample);
  const dtype type = result_dtype(options, usual);
  const bool discrete = internal::is_discrete(sample);
  if (discrete && !type.is_integer() && !type.is_bool() &&
      !(type.is_floating() && type.code() <= dtype::Code::float64)) {
    throw DtypeError(message(info.name, ": the dtype is no type of numbers; ", type.name()));
  }
  if (!discrete) check_floating(info.name, type, false);

  const Device device = device_of(info.name, params);
  const Shape shape = shape_of(info.name, params, size, options.out);
  const dtype drawn = discrete ? int64 : type == float32 || type == float16 ? float32 : float64;
  internal::kernels::SampleArgs args{};
  std::vector<ndarray> arrays;
  const char* names = info.parameters;
  for (const Param* param : params) {
    const std::string_view name = next_name(names);
    const Check check = info.checks[args.count];
    args.checks[args.count] = check;
    if (!param->is_array()) {
      args.values[args.count] = value_of(*param);
      check_parameter(info.name, name, check, args.values[args.count]);
    } else {
      // The bits of numbers beside others of that kind (randint) are float64 already.
      const ndarray values = param->array().astype(float64, false);
      if (device.is_cpu() && check != Check::any) {
        const ndarray flat = internal::contiguous(values);
        for (const double value : flat.span<double>()) {
          check_parameter(info.name, name, check, value);
        }
      }
      arrays.push_back(internal::contiguous(broadcast_to(values, shape)));
      args.arrays[args.count] = static_cast<const double*>(arrays.back().elements());
    }
    ++args.count;
  }
  Output output(info.name, shape, type, drawn, options.out, device);
  if (!options.out.is_none() && options.out.device() != device && !arrays.empty()) {
    internal::common_device(info.name, options.out, arrays[0]);
  }
  args.stream = philox_stream(state.reserve(static_cast<std::uint64_t>(output.array().size())));
  internal::sample_random(sample, output.array(), args, arrays);
  return output.finish();
}

}  // namespace cupyxx::random
