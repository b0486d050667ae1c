// SPDX-License-Identifier: MIT
// A function of one's own: its forward and backward computation, the conditions on its inputs, and
// the proof that the two computations belong together.
#include <iostream>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/typecheck.h"

namespace cp = cupyxx;
using chainerxx::Variable;

namespace {

/// x * sigmoid(beta * x).
struct Swish final : chainerxx::FunctionOf<Swish> {
  explicit Swish(double slope = 1) : beta(slope) {}

  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1);
    typecheck::expect(in[0].dtype() == cp::float32, in[0].ndim() >= 1);
  }

  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> x) override {
    return {x[0] * sigmoid(x[0])};
  }

  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> x,
                                    std::span<const cp::ndarray> gy) override {
    const cp::ndarray s = sigmoid(x[0]);
    return {gy[0] * (s + beta * x[0] * s * (1 - s))};
  }

  double beta;

 private:
  cp::ndarray sigmoid(const cp::ndarray& x) const { return 1 / (1 + cp::exp(-beta * x)); }
};

/// The same with a mistake: the derivative of the sigmoid is forgotten.
struct WrongSwish final : chainerxx::FunctionOf<WrongSwish> {
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> x) override {
    return {x[0] / (1 + cp::exp(-x[0]))};
  }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> x,
                                    std::span<const cp::ndarray> gy) override {
    return {gy[0] / (1 + cp::exp(-x[0]))};
  }
};

}  // namespace

namespace {

int run() {
  // Functions are applied to variables, and gradients flow back through them.
  const Variable x(cp::array({-1.0f, 0.0f, 2.0f}));
  const Variable y = Swish(2)(x);
  y.set_grad(cp::ones_like(y.data()));
  y.backward();
  std::cout << "y  = " << cp::array_str(y.data(), {.precision = 4}) << "\n";
  std::cout << "gx = " << cp::array_str(x.grad(), {.precision = 4}) << "\n";

  // A wrong input is refused before anything is computed, and the message says why.
  try {
    Swish()(Variable(cp::array({1, 2, 3})));
  } catch (const typecheck::InvalidType& error) {
    std::cout << error.what() << "\n";
  }

  // gradcheck compares backward with finite differences of forward.
  const cp::ndarray input = cp::linspace(-2, 2, 6, {.dtype = cp::float32}).reshape({2, 3});
  const cp::ndarray gy = cp::ones({2, 3}, cp::float32);
  gradcheck::check_backward([](const Variable& v) { return Swish(2)(v); }, {input}, gy);
  std::cout << "Swish: backward agrees with forward\n";
  try {
    gradcheck::check_backward([](const Variable& v) { return WrongSwish()(v); }, {input}, gy);
  } catch (const gradcheck::Mismatch&) {
    std::cout << "WrongSwish: backward does not agree with forward\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_program(
      {"custom_function", "shows a function of one's own, with its gradient.", {}, ""}, argc, argv,
      run);
}
