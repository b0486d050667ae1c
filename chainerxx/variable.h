// SPDX-License-Identifier: MIT
// An array that remembers the computation it came from.
//
//   Variable x(cupyxx::array({5.0f}));
//   Variable y = x * x - 2 * x + 1;
//   y.backward();
//   x.grad();                                          // [8.]
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/argument_kinds.h"
#include "chainerxx/axes_arg.h"
#include "chainerxx/backward_options.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/method_functions.h"
#include "chainerxx/other_names.h"
#include "chainerxx/parameter_array.h"
#include "chainerxx/parameter_term.h"
#include "chainerxx/variable_arithmetic.h"
#include "cupyxx/core/index.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

using cupyxx::ndarray;

class Function;
class Variable;

/// What functions are applied to: arrays, and variables.
using ArraySpan = std::span<const ndarray>;
using VariableSpan = std::span<const Variable>;

namespace internal {
struct VariableNode;
CUPYXX_API void retain(VariableNode* node) noexcept;
CUPYXX_API void release(VariableNode* node) noexcept;
}  // namespace internal

/// A handle to a node of the graph: copies share the node, as Python names do. It holds its data,
/// the gradient that backward() leaves, and the function that made it. A variable without creator
/// is a root, where backward() stops; what it finds there it adds to the gradient, so several
/// losses accumulate. A default-constructed Variable is null and stands for None, and so is one
/// that starts as 0, `Variable loss = 0;` or `= 0.0`: += and -= count None as 0. Its operators,
/// with variables, arrays and numbers, are functions::add and its kin; `x += y` rebinds the name,
/// as in Python.
class CUPYXX_API Variable : public internal::OtherNames<Variable>,
                            public internal::VariableArithmetic<Variable>,
                            public internal::ListIndex<Variable> {
 public:
  Variable() = default;
  /// A root. Functions of volatile variables leave no graph behind and give volatile variables.
  explicit Variable(const ndarray& data, bool volatile_flag = false);
  /// An array where a variable is expected is a constant: it receives no gradient and follows the
  /// volatility of the variables beside it.
  template <internal::ArrayLike A>  // loses to the constructor above in `Variable x(data)`
  requires(!internal::ParameterLike<A>) Variable(const A& data)  // NOLINT
      : Variable(constant(data)) {}
  /// A layer's parameter itself, whose gradient it adds to: `F::square(layer.W)`. Throws ValueError
  /// for a copy of the handle, which knows no gradient. `Variable x(layer.W)` is a root.
  template <std::same_as<ParameterArray> P>
  Variable(const P& parameter)  // NOLINT(google-explicit-constructor)
      : Variable(of_parameter(parameter)) {}
  /// None, of the constant 0.0 alone: `Variable loss = 0.0;`, to which += adds.
  template <std::floating_point T>
  consteval Variable(T zero) {  // NOLINT(google-explicit-constructor)
    if (zero != 0) internal::a_variable_is_made_of_an_array_or_of_0();
  }
  /// Not of a number, which has no dtype of its own.
  template <internal::Numeric T>
  requires(!std::floating_point<T>) explicit Variable(T) {
    static_assert(internal::kNever<T>,
                  "write Variable x(cupyxx::array(2.0f)); for a number, Variable loss = 0; for a "
                  "sum that begins");
  }
  template <class T>
  requires(std::floating_point<T>&& internal::Numeric<T>) explicit Variable(T) {
    static_assert(internal::kNever<T>,
                  "write Variable x(cupyxx::array(2.0f)); for a number, Variable loss = 0; for a "
                  "sum that begins");
  }
  /// None, of the literal 0 alone: `Variable loss = 0;`, to which += adds.
  Variable(internal::LiteralZero) {}  // NOLINT(google-explicit-constructor)
  explicit Variable(const ParameterArray& data, bool volatile_flag = false)
      : Variable(static_cast<const ndarray&>(data), volatile_flag) {}
  /// Parts of arrays are roots as arrays are: `Variable x(images(slice(0, 100)))`.
  explicit Variable(const cupyxx::View& data, bool volatile_flag = false)
      : Variable(static_cast<const ndarray&>(data), volatile_flag) {}
  explicit Variable(const cupyxx::Selection& data, bool volatile_flag = false)
      : Variable(static_cast<const ndarray&>(data), volatile_flag) {}
  /// Not by what later libraries say of gradients.
  template <std::same_as<internal::LaterOptions> O = internal::LaterOptions>
  Variable(const ndarray&, O) {
    static_assert(internal::kNever<O>,
                  "Variable x(array) has a gradient; where none is wanted write the array itself, "
                  "or Variable x = array, a constant");
  }
  /// Arithmetic of layers' parameters, with gradients: `F::sum(layer.W * layer.W)`.
  template <std::same_as<ParameterTerm> T>
  Variable(const T& term)  // NOLINT(google-explicit-constructor)
      : Variable(term.variable()) {}
  /// A part of a layer's parameter, with its gradient: `F::sum(layer.W(0))`.
  template <class Base>
  Variable(const ParameterPart<Base>& part)  // NOLINT(google-explicit-constructor)
      : Variable(ParameterTerm(part)) {}
  /// None: `nullptr` and `none` where a variable is optional.
  template <internal::NoneLike N>
  Variable(N) {}  // NOLINT(google-explicit-constructor)

  Variable(const Variable& other) noexcept : node_(other.node_) {
    if (node_ != nullptr) internal::retain(node_);
  }
  Variable(Variable&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Variable& operator=(const Variable& other) & noexcept {
    Variable copy(other);
    std::swap(node_, copy.node_);
    return *this;
  }
  Variable& operator=(Variable&& other) & noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  /// None again: `loss = 0`, for a sum that starts anew. Throws TypeError for another number.
  template <std::same_as<int> Zero>
  Variable& operator=(Zero number) & {
    if (number != 0) refuse_number(number);
    return *this = Variable();
  }
  /// A number is no variable.
  template <internal::Numeric T>
  requires(!std::same_as<T, int> && !std::floating_point<T>) void operator=(T) & {
    static_assert(internal::kNever<T>,
                  "a Variable is no number: write `Variable loss = 0;` and `loss = 0` for a sum "
                  "that starts anew, to which += adds; `Variable x(cupyxx::array(2.0f))` for one");
  }
  /// Not for results: `x(0) = y` would change nothing.
  template <class T>
  void operator=(const T&) && {
    static_assert(
        internal::kNever<T>,
        "a part of a variable is not assigned to, which would have no gradient: choose "
        "elements with functions::where, join parts with functions::concat, or change the "
        "array x.data() before the computation starts");
  }
  constexpr ~Variable() {
    if (node_ != nullptr) internal::release(node_);
  }

  /// Whether this handle is null (None).
  bool is_none() const { return node_ == nullptr; }

  /// The elements. Throws ValueError for an intermediate result that was found again through the
  /// graph after its last handle had gone: its elements are freed unless a gradient needs them.
  const ndarray& data() const& { return checked_data("data"); }
  ndarray data() && { return checked_data("data"); }
  /// The same, as Chainer calls it since 3. Of a temporary, both are a handle for a loop to hold.
  const ndarray& array() const& { return checked_data("array"); }
  ndarray array() && { return checked_data("array"); }
  /// Gives it other elements. The result of a function keeps its shape, dtype and device; a root
  /// may get others, but then the backward() of what has been computed of it before throws. Throws
  /// TypeError for None, ValueError for a result that would get another form.
  void set_data(const ndarray& data) const;
  /// The gradient; null until backpropagation reaches this variable.
  const ndarray& grad() const&;
  ndarray grad() && { return std::as_const(*this).grad(); }
  /// Sets where backward() starts from, or clears it with a null array. Throws ShapeError or
  /// DtypeError when it does not match the data.
  void set_grad(const ndarray& grad) const;
  /// The gradient as a variable: after backward() with `enable_double_backprop` one with a graph
  /// behind it, else a root. Null without gradient.
  Variable grad_var() const;
  /// Sets the gradient to a variable, which may have a graph behind it; null clears it. Throws as
  /// set_grad.
  void set_grad_var(const Variable& grad) const;
  /// The function in the graph that made this variable; null for a root. It lives as long as one of
  /// its outputs does.
  Function* creator() const;
  bool volatile_() const;
  /// Makes a volatile result the root of a new graph (false), or stops recording (true).
  void set_volatile(bool volatile_flag) const;
  /// Shape and dtype: "(2, 3), float32".
  std::string label() const;
  /// Distance from the roots: 0 for a root.
  int rank() const;

  cupyxx::Shape shape(internal::NoAxis axis = {}) const;
  cupyxx::dtype dtype() const;
  cupyxx::Device device() const;
  int ndim() const;
  std::int64_t size(internal::NoAxis axis = {}) const;
  /// Number of elements, as Chainer's len().
  std::int64_t len() const;
  /// The only element as a C++ number; throws ValueError for other sizes. Synchronises.
  template <class T>
  T item() const {
    return checked_data("item").template item<T>();
  }
  auto item() const { return checked_data("item").item(); }
  /// `float(loss)`: item<T>().
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) explicit operator T() const {
    return item<T>();
  }
  /// Clears the gradient, or sets it to zeros.
  void cleargrad() const;
  void zerograd() const;

  // Functions of this variable, which leave a graph behind them; see chainerxx/functions.
  /// A part of it, as of an array: integers, slices, newaxis, ellipsis, index arrays, masks.
  template <class... I>
  requires(sizeof...(I) > 0 && ((std::constructible_from<cupyxx::Index, const I&> ||
                                 std::same_as<I, Variable>)&&...)) Variable
  operator()(const I&... index) const {
    return functions::get_item(*this, std::vector<cupyxx::Index>{entry(index)...});
  }
  /// And lists, one for all axes or one an axis: `x({0, 2})`, `x({0, 1}, {1, 0})`.
  using internal::ListIndex<Variable>::operator();
  template <class I>
  Variable operator[](const I&) const {
    static_assert(internal::kNever<I>, "write x(0), x(0, slice(1, 3)), x(ellipsis, -1), x(mask)");
    return *this;
  }
  /// The axes reversed.
  Variable T() const { return transpose(); }
  Variable transpose() const { return functions::transpose(*this); }
  Variable transpose(const cupyxx::Shape& axes) const { return functions::transpose(*this, axes); }
  template <std::integral I, std::integral... More>
  requires(sizeof...(More) > 0) Variable transpose(I first, More... more)
  const { return transpose(cupyxx::Shape(first, more...)); }
  /// The same elements in another shape; one extent may be -1.
  Variable reshape(const cupyxx::Shape& shape) const { return functions::reshape(*this, shape); }
  template <std::integral I, std::integral... More>
  requires(sizeof...(More) > 0) Variable reshape(I first, More... more)
  const { return reshape(cupyxx::Shape(first, more...)); }
  /// All elements in one axis; without axes of extent 1; with two axes exchanged; of another
  /// floating dtype.
  Variable flatten() const { return functions::flatten(*this); }
  Variable ravel() const { return flatten(); }
  Variable squeeze(const AxesArg& axis = {}) const { return functions::squeeze(*this, axis); }
  Variable swapaxes(int axis1, int axis2) const { return functions::swapaxes(*this, axis1, axis2); }
  Variable astype(cupyxx::dtype dtype) const { return functions::cast(*this, dtype); }
  /// min(max(x, x_min), x_max).
  Variable clip(double x_min, double x_max) const { return functions::clip(*this, x_min, x_max); }
  template <class Low, class High>
  requires internal::OneBound<Low, High> Variable clip(Low x_min, High x_max)
  const { return clip(internal::bound(x_min, -1), internal::bound(x_max, 1)); }
  /// Its array as a constant, where gradients stop, as PyTorch's. `Variable(x.data())` has a
  /// gradient of its own.
  Variable detach() const;
  /// Functions of single elements by the names that they have in chainerxx::functions.
  Variable abs() const { return functions::absolute(*this); }
  Variable exp() const { return functions::exp(*this); }
  Variable expm1() const { return functions::expm1(*this); }
  Variable log() const { return functions::log(*this); }
  Variable log1p() const { return functions::log1p(*this); }
  Variable sin() const { return functions::sin(*this); }
  Variable cos() const { return functions::cos(*this); }
  Variable sqrt() const { return functions::sqrt(*this); }
  Variable square() const { return functions::square(*this); }
  Variable tanh() const { return functions::tanh(*this, true); }
  Variable sigmoid() const { return functions::sigmoid(*this, true); }
  Variable relu() const { return functions::relu(*this, true); }
  /// x to the power of y.
  Variable pow(const cupyxx::Scalar& y) const { return functions::pow(*this, y); }
  template <internal::Numeric T>
  Variable pow(T y) const {
    return functions::pow(*this, cupyxx::Scalar(y));
  }
  Variable pow(const Variable& y) const { return functions::pow(*this, y); }
  /// exp(x) divided by its sum over an axis, and the logarithm of that. The axis has no default:
  /// functions::softmax takes axis 1, PyTorch's the one that it is given.
  Variable softmax(int axis) const { return internal::softmax_over(*this, axis); }
  Variable log_softmax(int axis) const { return internal::log_softmax_over(*this, axis); }
  /// The variance and the standard deviation over axes, of all elements as NumPy's.
  Variable var(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::var(*this, axis, keepdims);
  }
  template <std::same_as<VarianceOptions> O = VarianceOptions>
  Variable var(O options) const {
    return internal::spread(*this, options, false);
  }
  template <std::same_as<VarianceOptions> O = VarianceOptions>
  Variable var(const AxesArg& axis, O options) const {
    options.axis = internal::only_axis("var", axis, options.axis);
    return internal::spread(*this, options, false);
  }
  Variable std(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::std(*this, axis, keepdims);
  }
  template <std::same_as<VarianceOptions> O = VarianceOptions>
  Variable std(O options) const {
    return internal::spread(*this, options, true);
  }
  template <std::same_as<VarianceOptions> O = VarianceOptions>
  Variable std(const AxesArg& axis, O options) const {
    options.axis = internal::only_axis("std", axis, options.axis);
    return internal::spread(*this, options, true);
  }
  /// Where the largest and the smallest element along an axis stand.
  Variable argmax(std::optional<int> axis = {}) const { return functions::argmax(*this, axis); }
  template <internal::NoneLike N>
  Variable argmax(N) const {
    return argmax();
  }
  template <std::same_as<AxisOptions> O = AxisOptions>
  Variable argmax(O options) const {
    return argmax(options.axis);
  }
  Variable argmin(std::optional<int> axis = {}) const { return functions::argmin(*this, axis); }
  template <internal::NoneLike N>
  Variable argmin(N) const {
    return argmin();
  }
  template <std::same_as<AxisOptions> O = AxisOptions>
  Variable argmin(O options) const {
    return argmin(options.axis);
  }
  /// Sums and products of all elements up to each, along an axis.
  Variable cumsum(std::optional<int> axis = {}) const { return functions::cumsum(*this, axis); }
  template <internal::NoneLike N>
  Variable cumsum(N) const {
    return cumsum();
  }
  template <std::same_as<AxisOptions> O = AxisOptions>
  Variable cumsum(O options) const {
    return cumsum(options.axis);
  }
  Variable cumprod(std::optional<int> axis = {}) const { return functions::cumprod(*this, axis); }
  template <internal::NoneLike N>
  Variable cumprod(N) const {
    return cumprod();
  }
  template <std::same_as<AxisOptions> O = AxisOptions>
  Variable cumprod(O options) const {
    return cumprod(options.axis);
  }
  /// The sum, the product, the mean, the largest and the smallest elements over axes.
  Variable sum(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::sum(*this, axis, keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable sum(O options) const {
    return sum(options.axis, options.keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable sum(const AxesArg& axis, O options) const {
    return sum(internal::only_axis("sum", axis, options.axis), options.keepdims);
  }
  Variable prod(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::prod(*this, axis, keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable prod(O options) const {
    return prod(options.axis, options.keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable prod(const AxesArg& axis, O options) const {
    return prod(internal::only_axis("prod", axis, options.axis), options.keepdims);
  }
  Variable mean(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::mean(*this, axis, keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable mean(O options) const {
    return mean(options.axis, options.keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable mean(const AxesArg& axis, O options) const {
    return mean(internal::only_axis("mean", axis, options.axis), options.keepdims);
  }
  Variable max(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::max(*this, axis, keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable max(O options) const {
    return max(options.axis, options.keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable max(const AxesArg& axis, O options) const {
    return max(internal::only_axis("max", axis, options.axis), options.keepdims);
  }
  Variable min(const AxesArg& axis = {}, bool keepdims = false) const {
    return functions::min(*this, axis, keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable min(O options) const {
    return min(options.axis, options.keepdims);
  }
  template <std::same_as<ReductionOptions> O = ReductionOptions>
  Variable min(const AxesArg& axis, O options) const {
    return min(internal::only_axis("min", axis, options.axis), options.keepdims);
  }

  /// Computes the gradients of everything this variable was made from. Starts from grad(), which is
  /// 1 by itself for a single element; throws ValueError for more elements without a gradient, and
  /// when an array that a function needs has been changed in place. Gradients of intermediate
  /// variables are dropped on the way unless `retain_grad`. May be called again; does nothing for a
  /// root. Throws ValueError for results without a graph: of volatile variables, and those computed
  /// in NoGradScope. In debug mode (see scope.h) a gradient that is not finite is an error.
  void backward(const BackwardOptions& options = {}) const&;
  template <std::same_as<bool> B>
  void backward(B retain_grad) const& {
    backward(BackwardOptions{.retain_grad = retain_grad});
  }
  /// Starts from a gradient, as PyTorch's: set_grad(gradient), then backward().
  template <class G>
  requires(internal::ArrayLike<G> ||
           std::same_as<G, Variable>) void backward(const G& gradient,
                                                    const BackwardOptions& options = {}) const& {
    if constexpr (std::same_as<G, Variable>) {
      set_grad(gradient.data());
    } else {
      set_grad(gradient);
    }
    backward(options);
  }
  /// Neither of what is no gradient nor by PyTorch's names.
  template <internal::NoGradient G>
  void backward(const G&, const BackwardOptions& = {}) const& {
    static_assert(internal::kNever<G>,
                  "write y.backward(); starting from another gradient than 1 "
                  "y.backward(cupyxx::full_like(y.data(), 2));");
  }
  template <std::same_as<internal::BackwardOfPyTorch> O = internal::BackwardOfPyTorch>
  void backward(O) const& {
    static_assert(internal::kNever<O>,
                  "graphs are kept: write y.backward(); from a gradient y.backward(gy); for "
                  "gradients of gradients y.backward({.enable_double_backprop = true});");
  }
  /// The same from a variable that is given away, `std::move(loss).backward()`: memory is freed
  /// during the walk as soon as nobody else can reach it. The handle is null afterwards.
  void backward(const BackwardOptions& options = {}) &&;
  template <std::same_as<bool> B>
  void backward(B retain_grad) && {
    std::move(*this).backward(BackwardOptions{.retain_grad = retain_grad});
  }
  /// Makes this variable output number `index` of a function of the graph.
  void set_creator(Function& function, int index = 0) const;
  /// Cuts the graph behind this variable: it becomes a root, and what only the graph held is freed.
  void unchain_backward() const;

  internal::VariableNode* node() const { return node_; }
  /// Takes over one reference to `node`.
  static Variable adopt(internal::VariableNode* node) noexcept {
    Variable v;
    v.node_ = node;
    return v;
  }

  // PyTorch and others give it an axis.
  template <std::integral Axis>
  Variable flatten(Axis) const {
    static_assert(internal::kNever<Axis>, "write x.reshape(x.shape()[0], -1)");
    return *this;
  }

  // A variable is neither an array nor a truth value: functions of arrays would cut the graph.
  template <class A>
  requires std::same_as<A, cupyxx::Operand>
  operator A() const {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNever<A>,
                  "a Variable is no array: functions of variables are in chainerxx::functions, "
                  "F::exp(x) and not cupyxx::exp(x); its array is x.data()");
  }
  template <class B>
  requires std::same_as<B, bool>
  explicit operator B() const {
    static_assert(internal::kNever<B>,
                  "a Variable is no truth value: ask x.is_none(), x.item() or x.data()");
  }
  /// Elementwise, as an array of bool without a gradient: the condition of functions::where.
  friend ndarray operator<(const Variable& x, const Variable& y) { return less(x, y); }
  friend ndarray operator<=(const Variable& x, const Variable& y) { return less_equal(x, y); }
  friend ndarray operator>(const Variable& x, const Variable& y) { return less(y, x); }
  friend ndarray operator>=(const Variable& x, const Variable& y) { return less_equal(y, x); }
  template <internal::Numeric T>
  friend ndarray operator<(const Variable& x, T y) {
    return less(x, cupyxx::Scalar(y));
  }
  template <internal::Numeric T>
  friend ndarray operator<=(const Variable& x, T y) {
    return less_equal(x, cupyxx::Scalar(y));
  }
  template <internal::Numeric T>
  friend ndarray operator>(const Variable& x, T y) {
    return greater(x, cupyxx::Scalar(y));
  }
  template <internal::Numeric T>
  friend ndarray operator>=(const Variable& x, T y) {
    return greater_equal(x, cupyxx::Scalar(y));
  }
  template <internal::Numeric T>
  friend ndarray operator<(T x, const Variable& y) {
    return greater(y, cupyxx::Scalar(x));
  }
  template <internal::Numeric T>
  friend ndarray operator<=(T x, const Variable& y) {
    return greater_equal(y, cupyxx::Scalar(x));
  }
  template <internal::Numeric T>
  friend ndarray operator>(T x, const Variable& y) {
    return less(y, cupyxx::Scalar(x));
  }
  template <internal::Numeric T>
  friend ndarray operator>=(T x, const Variable& y) {
    return less_equal(y, cupyxx::Scalar(x));
  }
  template <class T>
  friend bool operator==(const Variable&, const T&) {
    static_assert(internal::kNever<T>,
                  "== of variables has no one meaning: compare x.data() == y.data() by elements, "
                  "x.node() == y.node() for the same variable, or ask x.is_none()");
    return false;
  }

 private:
  static Variable constant(const ndarray& data);
  [[noreturn]] static void refuse_number(int number);
  static Variable of_parameter(const ParameterArray& parameter);
  const ndarray& checked_data(const char* operation) const;
  static const ndarray& entry(const Variable& index) { return index.checked_data("index"); }
  template <class I>
  static cupyxx::Index entry(const I& index) {
    return cupyxx::Index(index);
  }
  static ndarray less(const Variable& x, const Variable& y);
  static ndarray less_equal(const Variable& x, const Variable& y);
  static ndarray less(const Variable& x, const cupyxx::Scalar& y);
  static ndarray less_equal(const Variable& x, const cupyxx::Scalar& y);
  static ndarray greater(const Variable& x, const cupyxx::Scalar& y);
  static ndarray greater_equal(const Variable& x, const cupyxx::Scalar& y);

  internal::VariableNode* node_ = nullptr;
};

/// Prints the elements as `variable([1. 2.])`, of a null variable `None`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const Variable& x);

}  // namespace chainerxx

#include "chainerxx/operand_forms.h"
#include "chainerxx/other_calls.h"
#include "chainerxx/parameter_functions.h"
