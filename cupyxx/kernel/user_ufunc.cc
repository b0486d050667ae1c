// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <new>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/functional.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

using internal::LoopInfo;
using internal::user_kernel::ElementwiseSpecification;

namespace {

constexpr int kMaxInputs = 3, kMaxResults = 2;

// "ff->f" as dtypes.
LoopInfo read_signature(const std::string& name, const std::string& types, int nin, int nout) {
  const std::size_t arrow = types.find("->");
  const auto is_long = [&](std::size_t length, int count) {
    return length == static_cast<std::size_t>(count);
  };
  if (arrow == std::string::npos || !is_long(arrow, nin) ||
      !is_long(types.size() - arrow - 2, nout)) {
    throw ValueError(message(name, ": a signature is a dtype code for each of the ", nin,
                             " inputs, '->' and one for each of the ", nout, " results; '", types,
                             "'"));
  }
  LoopInfo info{};
  for (int i = 0; i < nin; ++i) {
    info.in[i] = dtype(std::string_view(types).substr(static_cast<std::size_t>(i), 1));
  }
  for (int k = 0; k < nout; ++k) {
    info.out[k] = dtype(std::string_view(types).substr(arrow + 2 + static_cast<std::size_t>(k), 1));
  }
  std::copy(std::begin(info.in), std::end(info.in), info.compute_in);
  std::copy(std::begin(info.out), std::end(info.out), info.compute_out);
  return info;
}

// The kernel of one loop: "float32 in0, float32 in1" to "float32 out0".
std::shared_ptr<const ElementwiseSpecification> make_kernel(const std::string& name,
                                                            const LoopInfo& info, int nin, int nout,
                                                            const UfuncLoop& loop,
                                                            const std::string& preamble) {
  auto spec = std::make_shared<ElementwiseSpecification>();
  std::string types;
  const auto list = [&types](const char* prefix, const dtype* own, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      const std::string argument = prefix + std::to_string(i);
      text += (i == 0 ? "" : ", ") + std::string(own[i].name()) + " " + argument;
      types += std::string("typedef ") + internal::jit::device_type(own[i]) + " " + argument +
               "_type;\n";
    }
    return text;
  };
  const std::string in = list("in", info.in, nin), out = list("out", info.out, nout);
  static_cast<internal::user_kernel::Specification&>(*spec) =
      internal::user_kernel::specify(in, out, name);
  spec->preamble = types + preamble;
  spec->operation = loop.routine;
  spec->keep_order = internal::user_kernel::mentions(loop.routine, "i") ||
                     internal::user_kernel::mentions(preamble, "i");
  return spec;
}

}  // namespace

struct user_ufunc::Impl {
  std::string name, doc;
  std::vector<std::string> types;
  std::vector<LoopInfo> loops;
  std::vector<std::shared_ptr<const ElementwiseSpecification>> kernels;  // of the loops
  internal::OpInfo info{};  // what resolve_loop asks for
};

user_ufunc::user_ufunc(std::string_view name, int nin, int nout, const std::vector<UfuncLoop>& ops,
                       const UserUfuncOptions& options) {
  internal::user_kernel::check_kernel_name(name);
  auto impl = std::make_shared<Impl>();
  impl->name = name;
  impl->doc = options.doc;
  if (nin < 1 || nin > kMaxInputs || nout < 1 || nout > kMaxResults) {
    throw ValueError(message(impl->name, ": a ufunc has 1 to 3 inputs and 1 or 2 results; nin ",
                             nin, ", nout ", nout));
  }
  if (ops.empty()) throw ValueError(message(impl->name, ": there is no loop"));
  for (const UfuncLoop& loop : ops) {
    if (loop.routine.empty()) {
      throw ValueError(message(impl->name, ": the loop '", loop.types, "' has no text"));
    }
    impl->types.push_back(loop.types);
    impl->loops.push_back(read_signature(impl->name, loop.types, nin, nout));
    impl->kernels.push_back(
        make_kernel(impl->name, impl->loops.back(), nin, nout, loop, options.preamble));
  }
  internal::OpInfo& info = impl->info;
  info.name = impl->name.c_str();
  info.doc = impl->doc.c_str();
  info.nin = nin;
  info.nout = nout;
  info.nloops = static_cast<int>(impl->loops.size());
  info.loops = impl->loops.data();
  std::fill(std::begin(info.same_loop), std::end(info.same_loop), std::int8_t{-1});
  impl_ = std::move(impl);
}

const std::string& user_ufunc::name() const { return impl_->name; }
int user_ufunc::nin() const { return impl_->info.nin; }
int user_ufunc::nout() const { return impl_->info.nout; }
std::vector<std::string> user_ufunc::types() const { return impl_->types; }
const std::string& user_ufunc::doc() const { return impl_->doc; }

namespace {

// What a loop takes for an operand; the kernel makes safe conversions by itself.
class Converted {
 public:
  Converted(const Operand& x, dtype type, Device device) {
    if (x.is_array()) {
      const ndarray& a = x.array();
      array_ = can_cast(a.dtype(), type) ? a : a.astype(type);
      return;
    }
    number_ = x.scalar();
    const bool fits = number_.dtype()
                          ? can_cast(number_.dtype(), type)
                          : promote_types(internal::weak_dtype(number_, type), type) == type;
    if (fits) return;
    const DeviceScope scope(device);
    array_ = full({}, number_).astype(type);
  }
  /// Makes an operand in the place of another: operands cannot be copied.
  void put(Operand* place) const {
    place->~Operand();
    if (array_.is_none()) {
      ::new (place) Operand(number_);
    } else {
      ::new (place) Operand(array_);
    }
  }

 private:
  ndarray array_;
  Scalar number_;
};

// Whether a loop may write into `out` itself.
bool is_direct(const ndarray& out, dtype result, const UfuncOptions& options) {
  return out.is_none() ? options.where.is_none() : out.dtype() == result && options.where.is_none();
}

}  // namespace

Arrays user_ufunc::call(std::span<const Operand* const> inputs, std::span<const ndarray> out,
                        const UfuncOptions& options) const {
  const Impl& impl = *impl_;
  const internal::OpInfo& info = impl.info;
  const auto nout = static_cast<std::size_t>(info.nout);
  if (inputs.size() != static_cast<std::size_t>(info.nin)) {
    throw TypeError(message(impl.name, ": expected ", info.nin, " inputs, given ", inputs.size()));
  }
  std::vector<ndarray> outputs(out.begin(), out.end());
  outputs.resize(std::max(nout, outputs.size()));
  if (!options.out.is_none()) {
    if (!outputs[0].is_none()) throw TypeError(message(impl.name, ": out is given twice"));
    outputs[0] = options.out;
  }
  if (outputs.size() != nout) {
    throw TypeError(message(impl.name, ": expected ", nout, " outputs, given ", out.size()));
  }
  Device device = current_device();
  const ndarray* first = nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->is_none()) {
      throw TypeError(message(impl.name, ": argument ", i, " is None"));
    }
    if (inputs[i]->is_array() && first == nullptr) first = &inputs[i]->array();
  }
  for (const ndarray& output : outputs) {
    if (first == nullptr && !output.is_none()) first = &output;
  }
  if (first != nullptr) device = first->device();

  const int chosen = internal::resolve_loop(info, inputs, options.dtype, options.casting);
  const LoopInfo& loop = impl.loops[static_cast<std::size_t>(chosen)];
  for (std::size_t k = 0; k < nout; ++k) {
    const ndarray& output = outputs[k];
    if (output.is_none()) continue;
    internal::check_out_cast(impl.name, output, loop.out[k],
                             can_cast(loop.out[k], output.dtype(), options.casting),
                             options.casting);
  }

  std::vector<Converted> converted;
  Shape shape;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    converted.emplace_back(*inputs[i], loop.in[i], device);
    if (inputs[i]->is_array()) {
      shape = broadcast_shapes(impl.name.c_str(), shape, inputs[i]->array().shape());
    }
  }
  if (!options.where.is_none()) {
    shape = broadcast_shapes(impl.name.c_str(), shape, options.where.shape());
  }
  for (const ndarray& output : outputs) {
    if (!output.is_none()) internal::check_out_shape(impl.name, output, shape);
  }
  std::vector<ndarray> given(nout);
  for (std::size_t k = 0; k < nout; ++k) {
    if (is_direct(outputs[k], loop.out[k], options)) given[k] = outputs[k];
  }
  Operand arguments[kMaxInputs + kMaxResults];
  for (std::size_t i = 0; i < converted.size(); ++i) converted[i].put(&arguments[i]);
  for (std::size_t k = 0; k < nout; ++k) {
    Operand* const place = &arguments[converted.size() + k];
    place->~Operand();
    ::new (place) Operand(given[k]);
  }
  const std::vector<ndarray> results = internal::user_kernel::call_elementwise(
      *impl.kernels[static_cast<std::size_t>(chosen)], {arguments, converted.size() + nout}, -1);
  for (std::size_t k = 0; k < nout; ++k) {
    if (is_direct(outputs[k], loop.out[k], options)) {
      outputs[k] = results[k];
      continue;
    }
    if (outputs[k].is_none()) {
      // Elements outside of `where` are unset in NumPy; a defined value is kinder.
      outputs[k] = internal::make_ordered(impl.name.c_str(), shape, loop.out[k], device, Order::K,
                                          results[k]);
      outputs[k].fill(0);
    }
    internal::assign(impl.name.c_str(), outputs[k], results[k], Casting::unsafe, options.where);
  }
  return outputs;
}

Arrays user_ufunc::call_list(std::span<const Operand> inputs, std::span<const ndarray> out,
                             const UfuncOptions& options) const {
  std::vector<const Operand*> list;
  for (const Operand& input : inputs) list.push_back(&input);
  return call(list, out, options);
}

ndarray internal::only_result(const user_ufunc& f, const std::vector<ndarray>& results) {
  if (results.size() == 1) return results[0];
  throw TypeError(message(f.name(), ": the ufunc has ", results.size(),
                          " results; call_all(...) returns them"));
}

ndarray user_ufunc::operator()(const Operand& x, const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x};
  return internal::only_result(*this, call(inputs, {}, options));
}
ndarray user_ufunc::operator()(const Operand& x, const Operand& y,
                               const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x, &y};
  return internal::only_result(*this, call(inputs, {}, options));
}
ndarray user_ufunc::operator()(const Operand& x, const Operand& y, const Operand& z,
                               const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x, &y, &z};
  return internal::only_result(*this, call(inputs, {}, options));
}

user_ufunc create_ufunc(std::string_view name, const std::vector<UfuncLoop>& ops,
                        std::string_view routine, const UserUfuncOptions& options) {
  if (ops.empty()) throw ValueError(message(name, ": there is no loop"));
  const std::string& first = ops[0].types;
  const std::size_t arrow = first.find("->");
  if (arrow == std::string::npos) {
    throw ValueError(message(name, ": a signature has a '->'; '", first, "'"));
  }
  std::vector<UfuncLoop> loops = ops;
  for (UfuncLoop& loop : loops) {
    if (loop.routine.empty()) loop.routine = routine;
  }
  return user_ufunc(name, static_cast<int>(arrow), static_cast<int>(first.size() - arrow - 2),
                    loops, options);
}

}  // namespace cupyxx
