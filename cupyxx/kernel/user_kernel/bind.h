// SPDX-License-Identifier: MIT
// From the arguments of a call to arrays, numbers and types: what every user's kernel does first.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/user_kernel.h"
#include "cupyxx/kernel/user_kernel/spec.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal::user_kernel {

using HostFunction = void(const kernels::HostArgs&, long begin, long end);

/// A compiled specialisation.
struct Compiled {
  const jit::Kernel* device = nullptr;
  HostFunction* host = nullptr;
  std::uint32_t per_block = 0;  // elements
  std::uint32_t alignment = 1;  // bytes of a vector access, divided by the item size
};

/// The specialisations of one kernel so far.
class Specialisations {
 public:
  /// The one of a key; `make` compiles it when it is new.
  template <class Make>
  Compiled find(const std::string& key, Make make) {
    const std::lock_guard lock(mutex_);
    if (const auto known = table_.find(key); known != table_.end()) return known->second;
    return table_.emplace(key, make()).first->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, Compiled> table_;
};

/// What all kinds of kernels are made of.
struct Specification {
  std::string name;
  std::vector<Parameter> parameters;  // inputs, then outputs
  std::size_t nin = 0;
  std::string preamble;
  std::vector<std::string> options;
  bool reduce_dims = true;
  bool keep_order = false;  // elements are visited by their number in C order
  std::unique_ptr<Specialisations> compiled = std::make_unique<Specialisations>();

  std::size_t nout() const { return parameters.size() - nin; }
  const char* c_name() const { return name.c_str(); }
  std::string entry() const { return "cupyxx_" + name; }
};

/// Parses the argument strings; throws ValueError and TypeError.
Specification specify(std::string_view in_params, std::string_view out_params,
                      std::string_view name);

/// The value of one parameter.
struct Argument {
  ndarray array;            // null for a number, and for an output to be made
  std::uint64_t value = 0;  // a number as an element of `seen`
  cupyxx::dtype seen;       // the parameter's type
  bool is_number = false;
  bool given = true;  // by the caller
};

struct Binding {
  Device device;
  std::vector<Argument> arguments;  // one per parameter
  std::vector<std::pair<char, cupyxx::dtype>> placeholders;
};

/// Splits the arguments of a call into inputs and outputs, resolves placeholders, checks types and
/// devices. `outputs`, empty or one per output, may hold null arrays.
Binding bind(const Specification& spec, std::span<const Operand> inputs,
             std::span<const ndarray> outputs);

/// The same for all arguments of a call: the inputs, and the outputs or none; `out` is the first
/// output where that is not among them. Throws TypeError for another number of arguments.
Binding bind_call(const Specification& spec, std::span<const Operand> arguments,
                  const ndarray& out = {});

/// Parameters that are not raw, outputs first: the order of a kernel's operands.
std::vector<std::size_t> outputs_first(const Specification& spec);

/// The typedefs of the placeholders, the functions of complex numbers where an argument is one or
/// one of the texts names them, and the user's preamble.
std::string preamble(const Specification& spec, const Binding& binding,
                     std::initializer_list<std::string_view> texts);

/// The options for NVRTC: the user's, and the toolkit's headers where the preamble includes any.
std::vector<std::string> device_options(const Specification& spec);

/// Raw arguments for the generator and for a launch.
struct Raws {
  std::vector<jit::RawOperand> operands;
  std::vector<kernels::RawData<kMaxNdim>> data;
  std::vector<Storage*> storage;
};
Raws collect_raws(const Specification& spec, const Binding& binding);

/// Appends what tells specialisations apart: types, numbers, raw layouts, the device.
void append_key(const Binding& binding, const Raws& raws, std::string& key);

/// Strides of an array in a broadcast shape of rank `ndim`.
void broadcast_strides(const ndarray& a, int ndim, std::int64_t* strides);

/// Throws unless a given output has `shape` and may be written.
void check_output(const Specification& spec, const Parameter& parameter, const ndarray& out,
                  const Shape& shape);

}  // namespace cupyxx::internal::user_kernel
