// SPDX-License-Identifier: MIT
// The C++ of the guide's pages on networks: each block of them stands in this file, which compiles
// and passes. What the comments say is printed is compared with what is printed.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect_error.h"
#include "docs/guide/testing.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/typecheck.h"

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::FunctionSet, chainerxx::Variable;
using cp::none, cp::slice;

namespace {

using cp::testing::expect_error;

class Introduction : public docs::PrintedTest {};
class Speed : public docs::PrintedTest {};
class Recurrent : public docs::PrintedTest {};
class Gpus : public docs::PrintedTest {};
class OwnFunctions : public docs::PrintedTest {};
class TypeChecks : public docs::PrintedTest {};
class ComingFrom : public docs::PrintedTest {};

// ---- Introduction.

TEST_F(Introduction, Arithmetic) {
  Variable x(cp::array({5.0f}));
  Variable y = F::square(x) - 2 * x + 1;
  std::cout << y.data() << "\n";  // [16.]
  y.backward();
  std::cout << x.grad() << "\n";  // [8.]
  expect_printed("[16.]\n[8.]\n");
}

TEST_F(Introduction, IntermediateGradients) {
  Variable x(cp::array({5.0f}));
  Variable z = 2 * x;
  Variable y = F::square(x) - z + 1;
  y.backward(true);               // keeps what is between
  std::cout << z.grad() << "\n";  // [-1.]
  expect_printed("[-1.]\n");
}

TEST_F(Introduction, ManyElements) {
  Variable x(cp::array({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}));
  Variable y = F::square(x) - 2 * x + 1;
  y.set_grad(cp::ones_like(y.data()));
  y.backward();
  std::cout << x.grad() << "\n";
  // [[ 0.  2.  4.]
  //  [ 6.  8. 10.]]
  expect_printed("[[ 0.  2.  4.]\n [ 6.  8. 10.]]\n");
}

TEST_F(Introduction, Layer) {
  F::Linear f(3, 2);
  std::cout << f.W.shape() << " " << f.b.shape() << "\n";  // (2, 3) (2,)
  Variable x(cp::array({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}));
  Variable y = f(x);  // x W^T + b
  f.zero_grads();
  y.set_grad(cp::ones({2, 2}, cp::float32));
  y.backward();
  std::cout << f.gW << "\n" << f.gb << "\n";
  // [[5. 7. 9.]
  //  [5. 7. 9.]]
  // [2. 2.]
  expect_printed("(2, 3) (2,)\n[[5. 7. 9.]\n [5. 7. 9.]]\n[2. 2.]\n");
}

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(784, 100));
  F::Linear& l2 = add("l2", F::Linear(100, 100));
  F::Linear& l3 = add("l3", F::Linear(100, 10));

  Variable operator()(const Variable& x) {
    Variable h1 = F::dropout(F::relu(l1(x)));
    Variable h2 = F::dropout(F::relu(l2(h1)));
    return l3(h2);
  }
};

struct FineTuned : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(784, 100));
  F::Linear& head = add("head", F::Linear(100, 3));
  Variable operator()(const Variable& x) { return head(F::relu(l1(x))); }
};

TEST_F(Introduction, Training) {
  cp::random::seed(1);
  // Images that can be learned: of class c some pixels are bright.
  auto labels = cp::random::randint(0, 10, {500}).astype(cp::int32);
  auto images = cp::random::uniform({500, 784}, {.dtype = cp::float32}) * 0.5f;
  for (int c = 0; c < 10; ++c) images(labels == c, slice(70 * c, 70 * c + 70)) += 0.5f;
  auto test_images = images(slice(0, 100)), test_labels = labels(slice(0, 100));

  Mlp model;
  chainerxx::optimizers::Adam optimizer({.alpha = 1e-3});
  optimizer.setup(model);

  for (int epoch = 0; epoch < 10; ++epoch) {
    auto order = cp::random::permutation(500);
    for (int i = 0; i < 500; i += 100) {
      auto batch = order(slice(i, i + 100));
      Variable x(images(batch)), t(labels(batch));

      Variable loss = F::softmax_cross_entropy(model(x), t);
      optimizer.zero_grads();
      loss.backward();
      optimizer.update();
    }
  }

  {
    chainerxx::NoGradScope no_graph;          // nothing is recorded
    chainerxx::TrainScope no_dropout(false);  // dropout lets everything through
    Variable y = model(Variable(test_images));
    float accuracy = F::accuracy(y, Variable(test_labels)).item<float>();
    EXPECT_GT(accuracy, 0.95);
  }

  std::string folder = ::testing::TempDir();
  chainerxx::save_npz(folder + "/model.npz", model);
  Mlp again;
  chainerxx::load_npz(folder + "/model.npz", again);
  EXPECT_TRUE(cp::array_equal(again.l1.W, model.l1.W));

  FineTuned tuned;
  auto report = chainerxx::load_npz(folder + "/model.npz", tuned, {.strict = false});
  std::cout << report.str() << "\n";
  // missing head/W, head/b; unexpected l2/W, l2/b, l3/W, l3/b
  chainerxx::optimizers::SGD fine({.lr = 0.01});
  fine.setup(tuned);
  fine.add_group("frozen", {"l1"}, {.rate = 0});  // only the head learns
  EXPECT_EQ(report.str(), "missing head/W, head/b; unexpected l2/W, l2/b, l3/W, l3/b");
  EXPECT_TRUE(cp::array_equal(tuned.l1.W, model.l1.W));
  const cp::ndarray head = tuned.head.W.data().copy();
  fine.update(
      [&] { return F::softmax_cross_entropy(tuned(test_images), Variable(test_labels % 3)); });
  EXPECT_TRUE(cp::array_equal(tuned.l1.W, model.l1.W));
  EXPECT_FALSE(cp::array_equal(tuned.head.W, head));

  std::string path = folder + "/weights.safetensors";
  cp::save_safetensors(path, {{"layers.0.weight", cp::ones({100, 784}, cp::float32)},
                              {"layers.0.bias", cp::zeros({100}, cp::float32)}});
  auto weights = cp::load_safetensors(path);
  for (const std::string& name : weights.files()) std::cout << name << "\n";
  tuned.l1.W = weights["layers.0.weight"];
  tuned.l1.b = weights["layers.0.bias"];
  EXPECT_TRUE(cp::array_equal(tuned.l1.W, cp::ones({100, 784})));
}

// ---- Recurrent nets.

struct Rnn : FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(1000, 100));
  F::Linear& x_to_h = add("x_to_h", F::Linear(100, 50));
  F::Linear& h_to_h = add("h_to_h", F::Linear(50, 50));
  F::Linear& h_to_y = add("h_to_y", F::Linear(50, 1000));

  /// Reads a word, changes the state h, and returns how badly it guessed the next one.
  Variable step(Variable& h, const Variable& word, const Variable& next) {
    Variable x = F::tanh(embed(word));
    h = F::tanh(x_to_h(x) + h_to_h(h));
    return F::softmax_cross_entropy(h_to_y(h), next);
  }

  /// The loss of a whole text, (words, n): n texts are read side by side.
  Variable loss(const cp::ndarray& text) {
    Variable h(cp::zeros({text.shape(1), 50}, cp::float32));
    Variable sum;  // null: the first += makes it what is added
    for (int i = 0; i + 1 < text.len(); ++i) {
      sum += step(h, Variable(text(i)), Variable(text(i + 1)));
    }
    return sum;
  }
};

// ---- Speed: what is about networks.

TEST_F(Speed, SlowFunctions) {
  F::Linear layer(4, 3);
  Variable x(cp::ones({2, 4}, cp::float32));
  chainerxx::TimerHook timer;
  {
    chainerxx::FunctionHookScope watched(timer);
    for (int i = 0; i < 10; ++i) F::sum(layer(x)).backward();
  }
  timer.print_report();  // FunctionName, ElapsedTime/ms, Occurrence: the slowest first
  EXPECT_EQ(timer.summary().size(), 2U);
  EXPECT_EQ(timer.summary()[0].occurrence, 20);
}

TEST_F(Recurrent, WholeAndTruncated) {
  cp::random::seed(2);
  Rnn model;
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  const auto text = cp::random::randint(0, 1000, {71, 2}).astype(cp::int32);
  const auto before = model.loss(text(slice(0, 11))).item<float>();
  {
    auto some = text(slice(0, 11));
    optimizer.update([&] { return model.loss(some); });
  }
  EXPECT_LT(model.loss(text(slice(0, 11))).item<float>(), before);

  Variable h(cp::zeros({text.shape(1), 50}, cp::float32));
  Variable sum;
  for (int i = 0; i + 1 < text.len(); ++i) {
    sum += model.step(h, Variable(text(i)), Variable(text(i + 1)));
    if ((i + 1) % 30 == 0 || i + 2 == text.len()) {
      optimizer.zero_grads();
      sum.backward();
      sum.unchain_backward();  // what led to h is forgotten, h itself stays
      optimizer.update();
      sum = {};
    }
  }
  EXPECT_EQ(h.creator(), nullptr);
  EXPECT_EQ(optimizer.t(), 1 + 3);

  {
    chainerxx::NoGradScope no_graph;
    Variable loss = model.loss(text);
    std::cout << (loss.creator() == nullptr) << "\n";  // 1
  }
  expect_printed("1\n");
}

TEST_F(Recurrent, FixedPart) {
  F::Linear fixed(4, 3), predictor(3, 2);
  auto images = cp::ones({5, 4}, cp::float32);
  Variable x(images, true);  // volatile: functions of it leave no graph
  Variable features = F::relu(fixed(x));
  features.set_volatile(false);  // the graph begins here
  Variable y = predictor(features);
  y.set_grad(cp::ones_like(y.data()));
  y.backward();
  std::cout << x.grad().is_none() << " " << features.grad().shape() << "\n";  // 1 (5, 3)
  expect_printed("1 (5, 3)\n");
}

TEST_F(Recurrent, WholeSequencesAtOnce) {
  F::LSTMSequence lstm(100, 50);
  Variable c(cp::zeros({2, 50}, cp::float32)), h(cp::zeros({2, 50}, cp::float32));
  Variable words(cp::random::normal({30, 2, 100}, {.dtype = cp::float32}));
  auto [states, last_cells] = lstm(words, c, h);
  std::cout << states.shape() << " " << last_cells.shape() << "\n";  // (30, 2, 50) (2, 50)
  expect_printed("(30, 2, 50) (2, 50)\n");
}

// ---- GPUs.

TEST_F(Gpus, OneDevice) {
  auto images = cp::ones({100, 784}, cp::float32);
  auto labels = cp::zeros({100}, cp::int32);
  cp::random::seed(3);

  auto best = cp::cuda::is_available() ? cp::Device::cuda(0) : cp::Device::cpu();
  cp::DeviceScope scope(best);  // models and arrays made below live there
  Mlp model;
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(model);
  Variable x(images.to(best)), t(labels.to(best));
  Variable loss = optimizer.update([&] { return F::softmax_cross_entropy(model(x), t); });
  EXPECT_EQ(loss.device(), best);
  EXPECT_EQ(model.l1.W.device(), best);

  // A model that was made elsewhere moves as a whole.
  Mlp other;
  other.to_cpu();
  EXPECT_TRUE(other.l1.W.device().is_cpu());
}

TEST_F(Gpus, CapturedStep) {
  Mlp model;
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(model);
  auto images = cp::ones({100, 784}, cp::float32);
  auto labels = cp::zeros({100}, cp::int32);

  auto step = chainerxx::capture([&](const cp::ndarray& x, const cp::ndarray& t) {
    auto loss = [&] { return F::softmax_cross_entropy(model(Variable(x)), Variable(t)); };
    return optimizer.update(loss).data();
  });
  cp::ndarray loss;
  for (int i = 0; i < 5; ++i) loss = step(images, labels);  // from the third call on a graph
  EXPECT_LT(loss.item<float>(), 3);
  EXPECT_EQ(optimizer.t(), 5);
}

TEST_F(Gpus, Precision) {
  Mlp model;
  chainerxx::PrecisionScope precision(cp::Precision::bfloat16);
  Variable y = model(Variable(cp::ones({4, 784}, cp::float32)));
  std::cout << y.dtype() << " " << model.l1.W.dtype() << "\n";  // bfloat16 float32
  expect_printed("bfloat16 float32\n");
}

struct TwoHalves : FunctionSet {
  TwoHalves(cp::Device a, cp::Device b) : first(a), second(b) {
    l1.move_to(first);
    l2.move_to(second);
  }
  Variable operator()(const Variable& x) {
    Variable h = F::relu(l1(x));
    return l2(F::copy(h, second));  // its gradient travels back
  }
  cp::Device first, second;
  F::Linear& l1 = add("l1", F::Linear(784, 1000));
  F::Linear& l2 = add("l2", F::Linear(1000, 10));
};

TEST_F(Gpus, TwoDevices) {
  const auto cpu = cp::Device::cpu();
  TwoHalves model(cpu, cpu);
  Variable y = model(Variable(cp::ones({4, 784}, cp::float32)));
  y.set_grad(cp::ones_like(y.data()));
  y.backward();
  EXPECT_GT(cp::abs(model.l1.gW).max().item<float>(), 0);
}

TEST_F(Gpus, Copies) {
  Mlp model;
  auto other = chainerxx::deep_copy(model);
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  auto images = cp::random::normal({8, 784}, {.dtype = cp::float32});
  auto labels = cp::zeros({8}, cp::int32);
  auto half = [&](Mlp& m, int from, int to) {
    m.zero_grads();
    Variable x(images(slice(from, to))), t(labels(slice(from, to)));
    (F::softmax_cross_entropy(m(x), t) * 0.5).backward();
  };
  half(model, 0, 4);
  half(other, 4, 8);
  optimizer.accumulate_grads(other.gradients());
  optimizer.update();
  other.copy_parameters_from(model.parameters());
  EXPECT_TRUE(cp::array_equal(other.l2.W, model.l2.W));
}

// ---- Functions of one's own.

struct MulAdd final : chainerxx::FunctionOf<MulAdd> {
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> in) override {
    return {in[0] * in[1] + in[2]};
  }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> in,
                                    std::span<const cp::ndarray> gw) override {
    return {in[1] * gw[0], in[0] * gw[0], gw[0]};
  }
};

TEST_F(OwnFunctions, Applied) {
  Variable x(cp::array({1.0f, 2.0f})), y(cp::array({3.0f, 4.0f})), z(cp::array({5.0f, 6.0f}));
  Variable w = MulAdd()(x, y, z);
  w.set_grad(cp::ones_like(w.data()));
  w.backward();
  std::cout << w.data() << " " << x.grad() << "\n";  // [ 8. 14.] [3. 4.]
  expect_printed("[ 8. 14.] [3. 4.]\n");
}

const cp::ElementwiseKernel muladd_forward("T x, T y, T z", "T w", "w = x * y + z",
                                           "muladd_forward");
const cp::ElementwiseKernel muladd_backward("T x, T y, T gw", "T gx, T gy",
                                            "gx = y * gw; gy = x * gw", "muladd_backward");

struct FastMulAdd final : chainerxx::FunctionOf<FastMulAdd> {
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> in) override {
    retain_inputs({0, 1});  // z is not needed any more
    return {muladd_forward(in[0], in[1], in[2])};
  }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> in,
                                    std::span<const cp::ndarray> gw) override {
    auto g = muladd_backward.call_all(in[0], in[1], gw[0]);
    return {g[0], g[1], gw[0]};
  }
};

struct Scaled final : chainerxx::FunctionOf<Scaled> {
  explicit Scaled(const cp::Shape& shape)
      : W(cp::random::normal(shape, {.dtype = cp::float32})), gW(cp::zeros_like(W)) {}

  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> x) override { return {W * x[0]}; }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> x,
                                    std::span<const cp::ndarray> gy) override {
    gW += gy[0] * x[0];  // gradients of parameters are added
    return {gy[0] * W};
  }
  std::vector<chainerxx::Field> fields() override { return {{"W", &W, &gW}}; }

  cp::ndarray W, gW;
};

TEST_F(OwnFunctions, WithParameters) {
  FunctionSet model;
  auto& scaled = model.add("scaled", Scaled(cp::Shape{3}));
  chainerxx::optimizers::SGD optimizer({.lr = 1});
  optimizer.setup(model);
  const auto before = scaled.W.copy();
  optimizer.update([&] { return F::sum(scaled(Variable(cp::array({1.0f, 2.0f, 3.0f})))); });
  EXPECT_TRUE(cp::allclose(scaled.W, before - cp::array({1.0f, 2.0f, 3.0f})));
}

TEST_F(OwnFunctions, Checked) {
  cp::random::seed(4);
  auto x = cp::random::normal({2, 3}), y = cp::random::normal({2, 3});
  auto z = cp::random::normal({2, 3}), gw = cp::random::normal({2, 3});
  auto f = [](const Variable& a, const Variable& b, const Variable& c) {
    return MulAdd()(a, b, c);
  };
  gradcheck::check_backward(f, {x, y, z}, gw);
  auto fast = [](const Variable& a, const Variable& b, const Variable& c) {
    return FastMulAdd()(a, b, c);
  };
  gradcheck::check_backward(fast, {x, y, z}, gw);

  Scaled scaled(cp::Shape{3});
  gradcheck::check_backward(
      [&](const Variable& v) { return scaled(v); }, {cp::ones({3}, cp::float32)},
      cp::ones({3}, cp::float32),
      {.eps = 1e-2, .rtol = 1e-2, .parameters = scaled.W, .gradients = scaled.gW});

  auto squares = [&] { return x * x; };
  auto gx = gradcheck::numerical_grad(squares, {x}, {gw});
  gradcheck::assert_allclose(gx[0], 2 * x * gw);
}

struct Cube final : chainerxx::FunctionOf<Cube> {
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> x) override {
    return {x[0] * x[0] * x[0]};
  }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> x,
                                    std::span<const cp::ndarray> gy) override {
    return {3 * x[0] * x[0] * gy[0]};
  }
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override {
    return {3 * x[0] * x[0] * gy[0]};  // the same formula, on variables
  }
};

TEST_F(OwnFunctions, Twice) {
  Variable x(cp::array({2.0}));
  Variable gx = chainerxx::grad({Cube()(x)}, {x}, {.enable_double_backprop = true})[0];
  gx.backward();
  std::cout << gx.data() << " " << x.grad() << "\n";  // [12.] [12.]
  expect_printed("[12.] [12.]\n");
}

// ---- Type checks.

struct Checked final : chainerxx::FunctionOf<Checked> {
  explicit Checked(int the_size) : in_size(the_size) {}

  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 2);
    const auto x = in[0], W = in[1];
    typecheck::expect(x.dtype().kind() == 'f', x.ndim() >= 2, W.ndim() == 2,
                      x.shape()[1] == W.shape()[1],
                      W.shape()[1] == typecheck::Variable(in_size, "in_size"));
  }
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> in) override {
    return {in[0].dot(in[1].T())};
  }
  int in_size;
};

TEST_F(TypeChecks, Messages) {
  auto x = cp::ones({10, 4}, cp::float32), W = cp::ones({5, 3}, cp::float32);
  try {
    Checked(3)(Variable(x), Variable(W));
  } catch (const typecheck::InvalidType& error) {
    std::cout << error.what() << "\n";
  }
  // Checked: invalid types of the inputs
  // Expect: in_types[0].shape[1] == in_types[1].shape[1]
  // Actual: 4 != 3
  expect_printed(
      "Checked: invalid types of the inputs\nExpect: in_types[0].shape[1] == in_types[1].shape[1]\n"
      "Actual: 4 != 3\n");
  EXPECT_EQ(Checked(4)(Variable(x), Variable(cp::ones({5, 4}, cp::float32))).shape(),
            cp::Shape({10, 5}));
  expect_error<typecheck::InvalidType>(
      [] {
        Checked(7)(Variable(cp::ones({10, 4})), Variable(cp::ones({5, 4})));
      },
      "Checked: invalid types of the inputs\nExpect: in_types[1].shape[1] == in_size\n"
      "Actual: 4 != 7");
}

void check_more(const typecheck::TypeInfos& in) {
  typecheck::expect(in[0].shape()[0] == in[1].shape()[0] * 4);
  typecheck::expect(sum(in[0].shape()) == 10,
                    prod(in[0].shape()[typecheck::slice(1, typecheck::none)]) == 2);
  const cp::Shape shape = in.types()[0].shape();  // the value itself, for what has no expression
  if (shape[0] % 2 != 0) {
    throw typecheck::InvalidType("the first extent is even", "it is " + std::to_string(shape[0]));
  }
}

TEST_F(TypeChecks, ExpressionsAndValues) {
  const auto check = [](const cp::Shape& a, const cp::Shape& b) {
    const std::vector<typecheck::TypeInfo> types = {{a, cp::float32}, {b, cp::float32}};
    check_more(types);
  };
  check({8, 2}, {2, 5});
  expect_error<typecheck::InvalidType>(
      [&] {
        check({3, 2}, {1, 5});
      },
      "Expect: in_types[0].shape[0] == in_types[1].shape[0] * 4\nActual: 3 != 4");
}

// ---- Coming from Chainer, PyTorch and libtorch: what stands in the tables.

TEST_F(ComingFrom, NetworkLibraries) {
  struct Net : FunctionSet {
    F::Linear& l = add("l", F::Linear(3, 2));
    Variable operator()(const Variable& x) { return F::dropout(F::relu(l(x))); }
  } model;
  chainerxx::optimizers::Adam optimizer({.alpha = 1e-3});
  optimizer.setup(model);
  Variable x(cp::ones({4, 3}, cp::float32)), t(cp::zeros({4}, cp::int32));
  Variable y = model(x);
  Variable loss = F::softmax_cross_entropy(y, t);
  optimizer.zero_grads();
  loss.backward();
  optimizer.clip_grads(1);
  optimizer.update();
  optimizer.update([&] { return F::softmax_cross_entropy(model(x), t); });
  optimizer.lr();
  optimizer.alpha = 1e-4;
  optimizer.add_hook(chainerxx::WeightDecay(5e-4));
  optimizer.add_group("biases", {"*/b"}, {.rate = 2, .decay = 0});
  x.data();
  x.grad();
  loss.creator();
  y.detach();
  loss.item<float>();
  Variable total = 0;  // NOLINT(modernize-use-nullptr): Chainer's form
  total += loss;
  EXPECT_EQ(total.item<float>(), loss.item<float>());
  total = 0;
  loss.unchain_backward();
  chainerxx::NoGradScope no_graph;
  chainerxx::TrainScope testing(false);
  chainerxx::PrecisionScope precision(cp::Precision::bfloat16);
  chainerxx::DebugScope debug;
  model.to_cpu();
  model.parameters();
  F::accuracy(y, t);
  F::concat({y, y}, 1);
  y.reshape({-1});
  y(0, slice(0, 1));
  y.exp().mean(0);
  y.softmax(1);
  y.transpose(1, 0);
  y.clip(0, 1);
  F::expand_dims(y, 0);
  F::leaky_relu(x, {.slope = 0.1});
  F::matmul(y, y, {.transb = true});
  F::Linear first(none, 10), second(10);
  F::BatchNormalization norm;
  EXPECT_EQ(second(norm(first(x))).shape(), cp::Shape({4, 10}));
  const std::string folder = ::testing::TempDir();
  chainerxx::save_npz(folder + "/m.npz", model);
  chainerxx::load_npz(folder + "/m.npz", model);
  chainerxx::save_safetensors(folder + "/m.safetensors", model);
  chainerxx::deep_copy(model);
  chainerxx::build_computational_graph({loss});
  auto step = chainerxx::capture([](const cp::ndarray& a) { return a + 1; });
  EXPECT_EQ(step(cp::ones({2})).sum().item<int>(), 4);
}

TEST_F(ComingFrom, GradientsAsValues) {
  F::Linear block(3, 3);
  Variable x(cp::ones({2, 3}, cp::float32));
  Variable y = F::sum(F::forget([&](const Variable& h) { return F::tanh(block(h)); }, x));
  auto gx = chainerxx::grad({y}, {x})[0];
  chainerxx::grad({F::sum(F::tanh(x))}, {x}, {.enable_double_backprop = true});
  EXPECT_EQ(gx.shape(), x.shape());
}
TEST_F(ComingFrom, GradientsOfParametersAndRows) {
  struct Net : FunctionSet {
    F::Linear& l = add("l", F::Linear(3, 1));
    Variable operator()(const Variable& x) { return l(x); }
  } model;
  Variable x(cp::ones({2, 3}, cp::float32));
  Variable loss = F::sum(F::square(model(x)));
  const auto grads = chainerxx::grad({loss}, model.params(), {.enable_double_backprop = true});
  EXPECT_EQ(grads.size(), 2u);
  Variable total = 0;  // NOLINT(modernize-use-nullptr): Chainer's form
  for (const Variable& row : x) {
    total += F::sum(row);
  }
  EXPECT_EQ(total.item<float>(), 6);
  Variable p(cp::ones({2}, cp::float32));
  F::sum(3 * p).backward();
  p.data() -= 0.1 * p.grad();
  EXPECT_NEAR(p.data()(0).item<float>(), 0.7f, 1e-6);
  model.astype(cp::float64);
  EXPECT_EQ(model.l.W.dtype(), cp::float64);
}

/// One parameter, at 1 at first, and what an update by given gradients makes of it.
struct One : FunctionSet {
  chainerxx::links::Parameter& w =
      add("w", chainerxx::links::Parameter(cp::ones({1}, cp::float64)));
  template <class O>
  double step(O& optimizer, double gradient) {
    optimizer.zero_grads();
    w.gW.fill(gradient);
    optimizer.update();
    return 1 - w.W.item<double>();
  }
};

// The table of numbers that differ from PyTorch's.
TEST_F(ComingFrom, ChainersNumbersHold) {
  chainerxx::optimizers::MomentumSGD momentum({.lr = 0.1, .momentum = 0.9});
  One moved;
  momentum.setup(moved);
  EXPECT_NEAR(moved.step(momentum, 1), 0.1, 1e-15);
  momentum.lr = 0.01;
  EXPECT_NEAR(moved.step(momentum, 1), 0.1 + (0.9 * 0.1 + 0.01), 1e-15);  // not 0.1 + 0.019

  chainerxx::optimizers::Adam adam({.alpha = 1e-3});
  chainerxx::optimizers::AdamW adam_w({.alpha = 1e-3, .weight_decay = 0});
  const double root = std::sqrt(0.001);                               // of 1 - beta2
  const double expected = 1e-3 * root * 1e-8 / (root * 1e-8 + 1e-8);  // not 1e-3 / 2
  One a, b;
  adam.setup(a);
  adam_w.setup(b);
  EXPECT_NEAR(a.step(adam, 1e-8), expected, 1e-12);
  EXPECT_NEAR(b.step(adam_w, 1e-8), expected, 1e-12);

  const cp::ndarray scores = cp::array({{1.0, 2.0}, {0.5, -1.0}, {3.0, 3.0}});
  const cp::ndarray labels = cp::array({1, 0, -1}, cp::int32), weights = cp::array({1.0, 3.0});
  const double first = std::log(1 + std::exp(-1)), second = std::log(1 + std::exp(-1.5));
  EXPECT_NEAR(F::softmax_cross_entropy(scores, labels, {.class_weight = weights}).item<double>(),
              (3 * first + second) / 2, 1e-12);  // not / 4
  EXPECT_EQ(Variable(scores).len(), 6);
  EXPECT_EQ(Variable(scores).shape()[0], 3);
}

TEST(GuideOfNetworks, PagesQuoteThisFile) {
  docs::expect_pages_quote({"introduction.md", "recurrent.md", "gpu.md", "several_gpus.md",
                            "functions.md", "type_checks.md"},
                           {"networks_test.cc"});
  docs::expect_pages_quote({"speed.md"}, {"arrays_test.cc", "networks_test.cc"});
  docs::expect_tables_quote("coming_from.md", {"arrays_test.cc", "networks_test.cc"});
}

}  // namespace
