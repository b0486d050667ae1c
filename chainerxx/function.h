// SPDX-License-Identifier: MIT
// Functions of variables. A user's own function derives from FunctionOf:
//
//   struct Square final : chainerxx::FunctionOf<Square> {
//     std::vector<ndarray> forward(ArraySpan x) override { return {x[0] * x[0]}; }
//     std::vector<ndarray> backward(ArraySpan x,
//                                   ArraySpan gy) override {
//       return {2 * x[0] * gy[0]};
//     }
//   };
//   Variable y = Square()(x);
//
// Its arrays are C-contiguous, so that they may be read at span() or data(): where variables lie
// otherwise in memory (transposed, channels last), copies are handed over. A function that reads
// arrays by their strides, or by cupyxx's operations alone, says so and is given them as they are:
//
//     bool takes_any_layout() const override { return true; }
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "chainerxx/other_names.h"
#include "chainerxx/parameter_array.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/extension/type_name.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/precision.h"

namespace typecheck {
class TypeInfos;
}  // namespace typecheck

namespace chainerxx {

namespace internal {

struct Graph;
class Unsized;

/// Where a layer is, wherever it moves; null behind its end, and once another one moved onto it.
CUPYXX_API std::shared_ptr<Function* const> place_of(Function& layer);

/// The name of a type without its namespaces.
CUPYXX_API std::string short_name(const std::type_info& type);

/// Whether a type is one of the library's own functions.
template <class T>
constexpr bool is_of_library() {
  constexpr std::string_view name = cupyxx::extension::type_name<T>();
  return name.starts_with("chainerxx::functions::") || name.starts_with("chainerxx::internal::");
}

/// What a function holds of its input: the node, but not what only handles can see. Elements that
/// no handle reaches are freed when no function retains them.
class CUPYXX_API InputRef {
 public:
  explicit InputRef(const Variable& input);
  InputRef(InputRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  InputRef& operator=(InputRef&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~InputRef();

  VariableNode* node() const { return node_; }

 private:
  VariableNode* node_;
};

}  // namespace internal

/// An array that a function owns, by name: a parameter with its gradient, or with a null `gradient`
/// a state that is saved and moved but not trained. Null arrays (a bias that is switched off) are
/// passed over.
struct Field {
  Field(const char* its_name, ndarray* its_array, ndarray* its_gradient = nullptr,
        bool is_required = false)
      : name(its_name), array(its_array), gradient(its_gradient), required(is_required) {}
  /// The parameter then knows its gradient.
  Field(const char* its_name, ParameterArray* its_array, ndarray* its_gradient,
        bool is_required = false)
      : Field(its_name, static_cast<ndarray*>(its_array), its_gradient, is_required) {
    its_array->set_gradient(its_gradient);
  }

  const char* name;  // "W"; its gradient is named "gW"
  ndarray* array;
  ndarray* gradient;
  bool required;  // a null array is a TypeError when the function is applied
};

/// What a function does with the dtypes of its inputs in a PrecisionScope of bfloat16 or float16.
enum class PrecisionRule : std::uint8_t {
  follow,  ///< takes them as they come
  narrow,  ///< casts float32 to the scope's type: for what multiplies matrices
  wide     ///< casts float16 and bfloat16 to float32: for what needs more digits
};

/// A differentiable function. Applying one copies it into the graph, so one object may be applied
/// many times; arrays that are members are shared by the copies.
class CUPYXX_API Function : public internal::OtherLayerNames {
 public:
  /// Whether check_type_forward runs; off when the environment says CHAINER_TYPE_CHECK=0.
  static bool type_check_enable;

  Function() = default;
  // The place in the graph is not copied.
  Function(const Function& other) noexcept {
    if (!other.is_initialized()) copy_unsized(other);
  }
  Function& operator=(const Function& other) noexcept {
    if (this != &other && !(is_initialized() && other.is_initialized())) copy_unsized(other);
    return *this;
  }
  /// What refers to the other one, an optimizer, refers to this one then.
  // NOLINTNEXTLINE(performance-move-constructor-init)
  Function(Function&& other) noexcept : Function(std::as_const(other)) {
    if (other.has_place_) take_place(other);
  }
  Function& operator=(Function&& other) noexcept {
    *this = std::as_const(other);
    if (this != &other && other.has_place_) take_place(other);
    return *this;
  }
  virtual ~Function();

  // The graph.
  /// The variables it was applied to; empty outside of a graph.
  std::vector<Variable> inputs() const;
  /// Its results; null for those that nobody holds any more.
  std::vector<Variable> outputs() const;
  /// The highest rank of its inputs.
  int rank() const { return rank_; }
  /// Cuts it and its outputs out of the graph.
  void unchain();

  /// Applies it to variables that are all volatile or all not; throws ValueError for a mixture and
  /// typecheck::InvalidType when check_type_forward refuses them. Runs on the inputs' device.
  std::vector<Variable> call(VariableSpan inputs) const;
  /// The same for functions with one result.
  template <internal::AsVariable... Inputs>
  Variable operator()(const Inputs&... inputs) const {
    const std::array<Variable, sizeof...(Inputs)> list{inputs...};
    return only(call(list));
  }

  /// Short text for messages and drawings; the name of the type by default.
  virtual std::string label() const;

  // What a function overrides.
  /// States conditions on the inputs by typecheck::expect.
  virtual void check_type_forward(const typecheck::TypeInfos& in_types) const;
  /// The results for arrays of inputs; calls forward_gpu or forward_cpu by default.
  virtual std::vector<ndarray> forward(ArraySpan inputs);
  virtual std::vector<ndarray> forward_cpu(ArraySpan inputs);
  virtual std::vector<ndarray> forward_gpu(ArraySpan inputs);
  /// A gradient per input, null where there is none; `grad_outputs` holds null where no gradient
  /// arrived. The default is not differentiable. Results may share memory with `grad_outputs`.
  virtual std::vector<ndarray> backward(ArraySpan inputs, ArraySpan grad_outputs);
  virtual std::vector<ndarray> backward_cpu(ArraySpan inputs, ArraySpan grad_outputs);
  virtual std::vector<ndarray> backward_gpu(ArraySpan inputs, ArraySpan grad_outputs);
  /// The same made of functions of variables, for gradients of gradients. `inputs` and
  /// `grad_outputs` are part of the graph; an input that is not retained may have no data.
  /// By default the gradients of backward(), whose own gradients are a TypeError that names this
  /// function.
  virtual std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan grad_outputs);
  /// What a PrecisionScope does to its inputs before forward sees them, and to their gradients
  /// behind backward; `follow` by default.
  virtual PrecisionRule precision_rule() const;
  /// Whether forward and backward take arrays of any layout. Where not, which is so of functions of
  /// one's own unless they override this, inputs and gradients are C-contiguous, copied where need
  /// be; what forward was given is what backward is given. The functions of this library take any.
  virtual bool takes_any_layout() const;
  /// The arrays that belong to it; everything below works on these.
  virtual std::vector<Field> fields();

  // Parameters.
  /// Whether they have their arrays: false for a layer that was made without its size, as
  /// `Linear(none, 10)`, until its first call or a file gives it one. Until then the four below
  /// throw ValueError.
  bool is_initialized() const { return !is_unsized_.load(std::memory_order_acquire); }
  std::vector<std::string> parameter_names() const;
  std::vector<std::string> gradient_names() const;
  std::vector<ndarray> parameters() const;
  std::vector<ndarray> gradients() const;
  /// Fills all gradients with 0.
  void zero_grads() const;
  /// The same: what makes room for new gradients in later Chainer.
  void cleargrads() const { zero_grads(); }
  void zerograds() const { zero_grads(); }
  /// As PyTorch calls it.
  void zero_grad() const { zero_grads(); }
  /// Moves all fields; the handles then hold other arrays.
  virtual void move_to(cupyxx::Device device);
  Function& to_cpu();
  /// To the current CUDA device (cuda::Device()), or a given one. Throws DeviceError when there is
  /// none such, and ValueError for the host.
  Function& to_gpu();
  Function& to_gpu(int device);
  Function& to_gpu(cupyxx::Device device);
  /// Not here: an optimizer leaves parameters alone that are in a group of rate 0.
  template <class... A>
  void disable_update(const A&...) const {
    static_assert(internal::kNever<A...>,
                  "write optimizer.add_group(\"frozen\", {\"l1\"}, {.rate = 0}), with the layer's "
                  "name in the model");
  }
  template <class... A>
  void enable_update(const A&...) const {
    static_assert(internal::kNever<A...>, "write optimizer.group(\"frozen\").rate = 1");
  }

  /// Another object of the same type whose fields share their arrays with this one's.
  virtual std::unique_ptr<Function> clone() const = 0;
  /// The same with its own copies of the arrays.
  std::unique_ptr<Function> deep_copy() const;

 protected:
  /// Whether this application keeps what backward needs; false for volatile inputs.
  bool records() const { return records_; }
  /// Whether a gradient of an input will be used; false for constants.
  bool needs_gradient(std::size_t input) const;
  /// Called in forward: names the inputs whose elements backward reads; it finds null arrays in
  /// place of the others, whose memory may be reused. All are kept by default.
  void retain_inputs(std::initializer_list<int> inputs);
  /// Shapes that backward can ask for whether the elements are retained or not.
  cupyxx::Shape input_shape(std::size_t input) const;
  /// In backward_variables: a result as a variable of the graph, whose elements forward kept.
  Variable output_variable(std::size_t output, const ndarray& data);

 private:
  friend struct internal::Graph;
  friend class internal::Unsized;
  friend class Variable;
  friend std::shared_ptr<Function* const> internal::place_of(Function& layer);

  void take_place(Function& other) noexcept;
  void copy_unsized(const Function& other) noexcept;
  std::vector<Field> trained_fields(const char* operation) const;
  static Variable only(std::vector<Variable> outputs);

  std::atomic<std::int32_t> refs_{0};  // 0 outside of a graph
  std::atomic<bool> is_unsized_{false};
  bool has_place_ = false;  // somebody asked for place_of()
  std::int32_t rank_ = 0;
  bool records_ = false;
  // Of the thread at forward, and again in backward.
  cupyxx::Precision precision_ = cupyxx::Precision::float32;
  cupyxx::Precision compute_ = cupyxx::Precision::float32;
  std::uint64_t retained_ = ~std::uint64_t{0};  // a bit per input; the last one for all beyond
  std::uint64_t visit_ = 0;
  std::vector<internal::InputRef> inputs_;
  std::vector<ndarray> arrays_;                   // the inputs' elements where they are retained
  std::vector<std::uint64_t> versions_;           // of the inputs' memory at forward
  std::vector<internal::VariableNode*> outputs_;  // not owned; null once freed
  std::shared_ptr<internal::Unsized> unsized_;    // what gives it its arrays, until it has them
};

/// Prints a function with its arrays: `Linear(W (100, 784), b (100,))`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const Function& function);

namespace internal {

template <int kOutputs>
auto results_of(std::vector<Variable> outputs) {
  if constexpr (kOutputs == 1) {
    return std::move(outputs[0]);
  } else if constexpr (kOutputs == 0) {
    return outputs;
  } else {
    VariableArray<static_cast<std::size_t>(kOutputs)> array;
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = std::move(outputs[i]);
    return array;
  }
}

CUPYXX_API void check_output_count(const Function& function, std::size_t expected,
                                   std::size_t found);

/// An array kept from forward for backward, which must not change in between.
class CUPYXX_API SavedArray {
 public:
  SavedArray() = default;
  explicit SavedArray(const ndarray& array) : array_(array), version_(array.version()) {}
  bool is_none() const { return array_.is_none(); }
  /// Throws ValueError, naming the function, when the elements have changed.
  const ndarray& get(const Function& function) const;

 private:
  ndarray array_;
  std::uint64_t version_ = 0;
};

}  // namespace internal

/// The base of a function type. Its call returns one Variable; with kOutputs above 1 an array of
/// them (`auto [c, h] = ...`), with 0 a vector.
template <class Derived, int kOutputs = 1>
class FunctionOf : public Function {
 public:
  /// For gradcheck: what its objects are called with, by ones or in a vector.
  using variable_type = Variable;

  template <internal::AsVariable... Inputs>
  auto operator()(const Inputs&... inputs) const {
    const std::array<Variable, sizeof...(Inputs)> list{inputs...};
    return apply(list);
  }
  auto operator()(const std::vector<Variable>& inputs) const { return apply(inputs); }

  bool takes_any_layout() const override { return internal::is_of_library<Derived>(); }
  std::unique_ptr<Function> clone() const override {
    // Not by make_unique: a std::unique_ptr for each function was half of what a user waited for.
    return std::unique_ptr<Function>(new Derived(static_cast<const Derived&>(*this)));
  }
  Derived& to_cpu() { return static_cast<Derived&>(Function::to_cpu()); }
  Derived& to_gpu() { return static_cast<Derived&>(Function::to_gpu()); }
  Derived& to_gpu(int device) { return static_cast<Derived&>(Function::to_gpu(device)); }
  Derived& to_gpu(cupyxx::Device device) { return static_cast<Derived&>(Function::to_gpu(device)); }

 private:
  auto apply(VariableSpan inputs) const {
    std::vector<Variable> outputs = call(inputs);
    if constexpr (kOutputs != 0) {
      internal::check_output_count(*this, kOutputs, outputs.size());
    }
    return internal::results_of<kOutputs>(std::move(outputs));
  }
};

}  // namespace chainerxx
