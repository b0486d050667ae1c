// SPDX-License-Identifier: MIT
// Differentiable functions as rows: a label, the value and the gradient, both generic lambdas over
// anything that has the arithmetic of arrays. Applied to arrays they compute; applied to variables
// they make gradients that have gradients.
//
//   constexpr UnaryRow kExp{"exp", [](const auto& x) { return math::exp(x); },
//                           [](const auto& x, const auto& y, const auto& gy) { return gy * y; },
//                           Keep::output};
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::internal {

/// Mathematics on arrays and on variables by one name.
namespace math {
inline ndarray exp(const ndarray& x) { return cupyxx::exp(x); }
inline Variable exp(const Variable& x) { return functions::exp(x); }
inline ndarray log(const ndarray& x) { return cupyxx::log(x); }
inline Variable log(const Variable& x) { return functions::log(x); }
inline ndarray sin(const ndarray& x) { return cupyxx::sin(x); }
inline Variable sin(const Variable& x) { return functions::sin(x); }
inline ndarray cos(const ndarray& x) { return cupyxx::cos(x); }
inline Variable cos(const Variable& x) { return functions::cos(x); }
inline ndarray abs(const ndarray& x) { return cupyxx::absolute(x); }
inline Variable abs(const Variable& x) { return functions::absolute(x); }
inline ndarray sign(const ndarray& x) { return cupyxx::sign(x); }
/// Constant wherever it has a gradient.
inline Variable sign(const Variable& x) { return cupyxx::sign(x.data()); }
template <class A, class B>
ndarray pow(const A& x,
            const B& y) requires(!std::same_as<A, Variable> && !std::same_as<B, Variable>) {
  return cupyxx::power(x, y);
}
template <class A, class B>
Variable pow(const A& x,
             const B& y) requires(std::same_as<A, Variable> || std::same_as<B, Variable>) {
  return functions::pow(x, y);
}
/// c - 1 and log(c) of a constant, within its kind, or floating below all integers.
inline cupyxx::Scalar minus_one(const cupyxx::Scalar& c) {
  if (c.kind() == cupyxx::Scalar::Kind::floating) return c.as_double() - 1;
  const std::int64_t whole = c.as_int64();
  if (whole == std::numeric_limits<std::int64_t>::min()) return static_cast<double>(whole) - 1;
  return whole - 1;
}
}  // namespace math

/// What a gradient reads of the arguments and the result; nothing else is kept for it.
enum class Keep { nothing, inputs, output, all };

inline bool keeps_inputs(Keep keep) { return keep == Keep::inputs || keep == Keep::all; }
inline bool keeps_output(Keep keep) { return keep == Keep::output || keep == Keep::all; }

/// The two gradients of a function of two arguments.
template <class A, class B>
struct Gradients {
  A first;
  B second;
};
template <class A, class B>
Gradients(A, B) -> Gradients<A, B>;

template <class Value, class Gradient>
struct UnaryRow {
  static_assert(
      std::is_invocable_r_v<Variable, Gradient, const Variable&, const Variable&, const Variable&>);
  const char* label;
  Value value;
  Gradient gradient;
  Keep keep;
};
template <class Value, class Gradient>
UnaryRow(const char*, Value, Gradient, Keep) -> UnaryRow<Value, Gradient>;

template <class Value, class Gradient>
struct BinaryRow {
  static_assert(std::is_invocable_v<Gradient, const Variable&, const Variable&, const Variable&,
                                    const Variable&>);
  const char* label;
  Value value;
  Gradient gradient;
  Keep keep;
};
template <class Value, class Gradient>
BinaryRow(const char*, Value, Gradient, Keep) -> BinaryRow<Value, Gradient>;

/// A function of a variable and a constant; the constant stands in the label between two texts.
template <class Value, class Gradient>
struct ConstantRow {
  static_assert(std::is_invocable_r_v<Variable, Gradient, const Variable&, const cupyxx::Scalar&,
                                      const Variable&, const Variable&>);
  const char* before;
  const char* after;
  Value value;
  Gradient gradient;
  Keep keep;
};
template <class Value, class Gradient>
ConstantRow(const char*, const char*, Value, Gradient, Keep) -> ConstantRow<Value, Gradient>;

/// The result of a row's function, kept where its gradient reads it.
class RowFunction {
 protected:
  ndarray kept(ndarray y, Keep keep, bool records) {
    if (records && keeps_output(keep)) y_ = SavedArray(y);
    return y;
  }
  SavedArray y_;
};

template <class Row>
class UnaryFunction final : public FunctionOf<UnaryFunction<Row>>, RowFunction {
 public:
  explicit UnaryFunction(const Row& row) : row_(&row) {}
  std::string label() const override { return row_->label; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  }
  std::vector<ndarray> forward(ArraySpan x) override {
    if (!keeps_inputs(row_->keep)) this->retain_inputs({});
    return {this->kept(row_->value(x[0]), row_->keep, this->records())};
  }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    return {row_->gradient(x[0], y_.get(*this), gy[0])};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    return {row_->gradient(x[0], this->result(), gy[0])};
  }

 private:
  Variable result() {
    return keeps_output(row_->keep) ? this->output_variable(0, y_.get(*this)) : Variable();
  }

  const Row* row_;  // constants of the program
};

/// What broadcasting has spread, summed back; a gradient of the input's shape as it is.
inline ndarray summed_to(const ndarray& g, const cupyxx::Shape& shape) {
  return g.shape() == shape ? g : sum_to(g, shape);
}
inline Variable summed_to(const Variable& g, const cupyxx::Shape& shape) {
  return g.shape() == shape ? g : functions::sum_to(g, shape);
}

/// Refuses two shapes that do not broadcast.
CUPYXX_API void expect_operands(const typecheck::TypeInfos& in);

template <class Row>
class BinaryFunction final : public FunctionOf<BinaryFunction<Row>>, RowFunction {
 public:
  explicit BinaryFunction(const Row& row) : row_(&row) {}
  std::string label() const override { return row_->label; }
  void check_type_forward(const typecheck::TypeInfos& in) const override { expect_operands(in); }
  std::vector<ndarray> forward(ArraySpan x) override {
    if (!keeps_inputs(row_->keep)) this->retain_inputs({});
    return {this->kept(row_->value(x[0], x[1]), row_->keep, this->records())};
  }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    const auto gradients = row_->gradient(x[0], x[1], y_.get(*this), gy[0]);
    return {summed_to(gradients.first, this->input_shape(0)),
            summed_to(gradients.second, this->input_shape(1))};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    const auto gradients = row_->gradient(x[0], x[1], this->result(), gy[0]);
    return {summed_to(gradients.first, this->input_shape(0)),
            summed_to(gradients.second, this->input_shape(1))};
  }

 private:
  Variable result() {
    return keeps_output(row_->keep) ? this->output_variable(0, y_.get(*this)) : Variable();
  }

  const Row* row_;
};

/// The constant as Python prints it, in parentheses when it is negative.
inline std::string constant_text(const cupyxx::Scalar& c) {
  std::string text = c.str();
  return text.starts_with('-') ? "(" + text + ")" : text;
}

template <class Row>
class ConstantFunction final : public FunctionOf<ConstantFunction<Row>>, RowFunction {
 public:
  ConstantFunction(const Row& row, const cupyxx::Scalar& constant)
      : row_(&row), constant_(constant) {}
  std::string label() const override {
    return row_->before + constant_text(constant_) + row_->after;
  }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  }
  std::vector<ndarray> forward(ArraySpan x) override {
    if (!keeps_inputs(row_->keep)) this->retain_inputs({});
    return {this->kept(row_->value(x[0], constant_), row_->keep, this->records())};
  }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    return {row_->gradient(x[0], constant_, y_.get(*this), gy[0])};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    return {row_->gradient(x[0], constant_, this->result(), gy[0])};
  }

 private:
  Variable result() {
    return keeps_output(row_->keep) ? this->output_variable(0, y_.get(*this)) : Variable();
  }

  const Row* row_;
  cupyxx::Scalar constant_;
};

template <class V, class G>
Variable apply_row(const UnaryRow<V, G>& row, const Variable& x) {
  return UnaryFunction<UnaryRow<V, G>>(row)(x);
}
template <class V, class G>
Variable apply_row(const BinaryRow<V, G>& row, const Variable& x, const Variable& y) {
  return BinaryFunction<BinaryRow<V, G>>(row)(x, y);
}
template <class V, class G>
Variable apply_row(const ConstantRow<V, G>& row, const Variable& x, const cupyxx::Scalar& c) {
  return ConstantFunction<ConstantRow<V, G>>(row, c)(x);
}

}  // namespace chainerxx::internal
