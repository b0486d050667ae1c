// SPDX-License-Identifier: MIT
// An array that remembers the computation it came from.
//
//   Variable x(cupyxx::array({5.0f}));
//   Variable y = x * x - 2 * x + 1;
//   y.backward();
//   x.grad();                                          // [8.]
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "chainerxx/functions/math/arithmetic.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

using cupyxx::ndarray;

class Function;

namespace internal {
struct VariableNode;
CUPYXX_API void retain(VariableNode* node) noexcept;
CUPYXX_API void release(VariableNode* node) noexcept;
}  // namespace internal

/// Options of Variable::backward.
struct BackwardOptions {
  bool retain_grad = false;  ///< keeps the gradients of intermediate variables
  /// Makes the gradients of functions, so that they have gradients themselves: see grad_var().
  bool enable_double_backprop = false;
  /// Gives the graph up on the way: what only the graph holds is freed as soon as it has been
  /// used, and the variable becomes a root. Another backward() through that part finds nothing.
  bool release_graph = false;
};

/// A handle to a node of the graph: copies share the node, as Python names do. It holds its data,
/// the gradient that backward() leaves, and the function that made it. A variable without creator
/// is a root, where backward() stops; what it finds there it adds to the gradient, so several
/// losses accumulate. A default-constructed Variable is null and stands for None.
class CUPYXX_API Variable {
 public:
  Variable() = default;
  /// A root. Functions of volatile variables leave no graph behind and give volatile variables.
  explicit Variable(const ndarray& data, bool volatile_flag = false);
  /// An array where a variable is expected is a constant: it receives no gradient and follows the
  /// volatility of the variables beside it.
  template <int = 0>             // a template loses to the constructor above in `Variable x(data)`
  Variable(const ndarray& data)  // NOLINT(google-explicit-constructor)
      : Variable(constant(data)) {}

  Variable(const Variable& other) noexcept : node_(other.node_) {
    if (node_ != nullptr) internal::retain(node_);
  }
  Variable(Variable&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Variable& operator=(const Variable& other) noexcept {
    Variable copy(other);
    std::swap(node_, copy.node_);
    return *this;
  }
  Variable& operator=(Variable&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Variable() {
    if (node_ != nullptr) internal::release(node_);
  }

  /// Whether this handle is null (None).
  bool is_none() const { return node_ == nullptr; }

  /// The elements. Throws ValueError for an intermediate result that was found again through the
  /// graph after its last handle had gone: its elements are freed unless a gradient needs them.
  const ndarray& data() const;
  void set_data(const ndarray& data) const;
  /// The gradient; null until backpropagation reaches this variable.
  const ndarray& grad() const;
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

  cupyxx::Shape shape() const;
  cupyxx::dtype dtype() const;
  cupyxx::Device device() const;
  int ndim() const { return shape().ndim(); }
  std::int64_t size() const { return shape().element_count(); }
  /// Number of elements, as Chainer's len().
  std::int64_t len() const { return size(); }

  /// Computes the gradients of everything this variable was made from. Starts from grad(), which is
  /// 1 by itself for a single element; throws ValueError for more elements without a gradient, and
  /// when an array that a function needs has been changed in place. Gradients of intermediate
  /// variables are dropped on the way unless `retain_grad`. May be called again. In debug mode (see
  /// scope.h) a gradient that is not finite is an error.
  void backward(const BackwardOptions& options = {}) const&;
  void backward(bool retain_grad) const&;
  /// The same from a variable that is given away, `std::move(loss).backward()`: memory is freed
  /// during the walk as soon as nobody else can reach it. The handle is null afterwards.
  void backward(const BackwardOptions& options = {}) &&;
  void backward(bool retain_grad) &&;
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
  friend bool operator==(const Variable& a, const Variable& b) = delete;

  // Arithmetic; see functions/math/arithmetic.h. Found for variables only, so that arrays keep
  // theirs.
  friend Variable operator-(const Variable& x) { return functions::neg(x); }
  friend Variable operator+(const Variable& x) { return x; }
  friend Variable operator+(const Variable& x, const Variable& y) { return functions::add(x, y); }
  friend Variable operator+(const Variable& x, const cupyxx::Scalar& y) {
    return functions::add(x, y);
  }
  friend Variable operator+(const cupyxx::Scalar& x, const Variable& y) {
    return functions::add(x, y);
  }
  friend Variable operator-(const Variable& x, const Variable& y) { return functions::sub(x, y); }
  friend Variable operator-(const Variable& x, const cupyxx::Scalar& y) {
    return functions::sub(x, y);
  }
  friend Variable operator-(const cupyxx::Scalar& x, const Variable& y) {
    return functions::sub(x, y);
  }
  friend Variable operator*(const Variable& x, const Variable& y) { return functions::mul(x, y); }
  friend Variable operator*(const Variable& x, const cupyxx::Scalar& y) {
    return functions::mul(x, y);
  }
  friend Variable operator*(const cupyxx::Scalar& x, const Variable& y) {
    return functions::mul(x, y);
  }
  friend Variable operator/(const Variable& x, const Variable& y) { return functions::div(x, y); }
  friend Variable operator/(const Variable& x, const cupyxx::Scalar& y) {
    return functions::div(x, y);
  }
  friend Variable operator/(const cupyxx::Scalar& x, const Variable& y) {
    return functions::div(x, y);
  }
  /// Rebinds the name, as in Python; a null variable counts as 0, so that a sum may start from
  /// `Variable loss;`.
  friend Variable& operator+=(Variable& x, const Variable& y) {
    return x = x.is_none() ? y : functions::add(x, y);
  }
  friend Variable& operator-=(Variable& x, const Variable& y) { return x = functions::sub(x, y); }
  friend Variable& operator*=(Variable& x, const Variable& y) { return x = functions::mul(x, y); }
  friend Variable& operator/=(Variable& x, const Variable& y) { return x = functions::div(x, y); }

 private:
  static Variable constant(const ndarray& data);

  internal::VariableNode* node_ = nullptr;
};

}  // namespace chainerxx
