// SPDX-License-Identifier: MIT
// What a fused function did with its stand-ins: values and the steps between them, for one
// combination of argument types.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/fuse.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::user_kernel {
struct ElementwiseSpecification;
struct ReductionSpecification;
}  // namespace cupyxx::internal::user_kernel

namespace cupyxx::internal::fusion {

/// What of an argument decides the types of a recording.
struct ArgumentForm {
  bool is_array = false;
  cupyxx::dtype type;  // of an array or a strong number; unspecified for a weak one
  Scalar::Kind kind = Scalar::Kind::integer;

  unsigned char packed() const {
    const auto code = static_cast<unsigned>(type.code());
    const unsigned weak = 64 + static_cast<unsigned>(kind);
    return static_cast<unsigned char>(is_array ? 128 + code : type ? code : weak);
  }
};

/// The forms of all arguments of a call.
struct Forms {
  static constexpr std::size_t kMax = 255;
  unsigned char count = 0;
  unsigned char packed[kMax];

  friend bool operator==(const Forms& a, const Forms& b) {
    return a.count == b.count && std::memcmp(a.packed, b.packed, a.count) == 0;
  }
};

struct Value {
  enum class Kind : unsigned char { array, number, constant, result };
  Kind kind;
  cupyxx::dtype type;  // unspecified for a weak number
  int argument = -1;   // of an array or a number
  Scalar constant;
  bool of_numbers = false;  // a result that no array had a part in
};

/// One operation, or a cast where `op` is null.
struct Step {
  const OpInfo* op = nullptr;
  int loop = 0;
  int nin = 1;
  int nout = 1;
  int in[kMaxInputs] = {};
  int out[2] = {};
  cupyxx::dtype in_type[kMaxInputs];  // what the loop takes
  cupyxx::dtype out_type[2];
  bool last_use[kMaxInputs] = {};  // of an intermediate value

  const char* name() const { return op != nullptr ? op->name : "astype"; }
};

/// A number as one step takes it: in that step's type.
struct Immediate {
  int value;
  cupyxx::dtype type;
  bool as_truth;  // only whether it is zero counts
};

struct Trace {
  std::string name;
  Forms forms;
  std::vector<ArgumentForm> arguments;
  std::vector<Value> values;
  std::vector<Step> steps;  // those that matter, in order
  std::vector<int> outputs;
  bool reduces = false;  // the only output is reduced
  ReduceOp reduction = ReduceOp::sum;
  Axes axes;
  bool keepdims = false;
  cupyxx::dtype result;  // of the reduction

  std::vector<int> arrays;            // array arguments that matter, as values
  std::vector<Immediate> immediates;  // numbers that matter
  /// Some results depend on their place in the array: the host's vector functions differ in their
  /// last bit from the scalar ones that handle the rest of a row.
  bool depends_on_place = false;
  std::string reason;  // why it cannot run together; empty when it can

  std::string device_reason;  // why there is no kernel for CUDA devices
  // The kernel for CUDA devices. Its numbers are `passed`, as places in `immediates`; where that
  // are too many, equal ones share one and constants stand in the text.
  std::vector<std::size_t> passed;
  std::vector<int> place;  // of each immediate among the passed ones; -1: in the text
  std::shared_ptr<user_kernel::ElementwiseSpecification> elementwise;
  std::shared_ptr<user_kernel::ReductionSpecification> reducing;

  bool is_number(int value) const {
    return values[static_cast<std::size_t>(value)].kind == Value::Kind::number ||
           values[static_cast<std::size_t>(value)].kind == Value::Kind::constant;
  }
  const Value& value(int k) const { return values[static_cast<std::size_t>(k)]; }
  /// The number behind a value.
  const Scalar& number(int k, std::span<const Operand> given) const {
    const Value& v = value(k);
    return v.kind == Value::Kind::constant ? v.constant
                                           : given[static_cast<std::size_t>(v.argument)].scalar();
  }
};

/// Records one call of a user's function.
class Recorder : public std::enable_shared_from_this<Recorder> {
 public:
  Recorder(std::string name, std::vector<ArgumentForm> arguments);

  std::vector<FusedArray> stand_ins();
  cupyxx::dtype dtype_of(int value) const;
  void add(const ufunc& f, std::span<const FusedOperand* const> inputs, std::span<FusedArray> out);
  FusedArray cast(const FusedArray& x, cupyxx::dtype type);
  FusedArray reduce(ReduceOp op, const FusedArray& x, const Axes& axes, bool keepdims);
  /// The recording, without what no output needs.
  Trace finish(std::span<const FusedArray> outputs);

 private:
  int number_of(const FusedOperand& operand);
  int add_value(Value value);
  void check_not_reduced(const char* operation, int value) const;
  FusedArray array_of(int value) { return {shared_from_this(), value}; }

  Trace trace_;
  int reduced_ = -1;  // the value that stands for the reduction's result
};

/// The text of what was recorded, one line per step.
std::string describe(const Trace& trace);

// ---- Three ways to run it. `arguments` have the recorded form.

/// One operation after the other.
std::vector<ndarray> run_eagerly(const Trace& trace, std::span<const Operand> arguments);
/// Blocks that fit the caches, through the loops of the operations. `shape` is that of the outputs.
std::vector<ndarray> run_on_host(const Trace& trace, std::span<const Operand> arguments,
                                 const Shape& shape);
/// Why that could change bits; empty when it cannot. See Trace::depends_on_place.
std::string host_reason(const Trace& trace, std::span<const Operand> arguments, const Shape& shape);
/// What is left to do after the elementwise part: the reduction, if there is one.
std::vector<ndarray> finish_reduction(const Trace& trace, std::vector<ndarray> outputs);
/// One kernel.
std::vector<ndarray> run_on_device(Trace& trace, std::span<const Operand> arguments);
/// Makes the specification of the kernel, or says in `device_reason` that it would be too large.
void prepare_kernel(Trace& trace);

/// The shape of each output; one step's operands that do not broadcast throw ShapeError.
std::vector<Shape> output_shapes(const Trace& trace, std::span<const Operand> arguments);

}  // namespace cupyxx::internal::fusion
