// SPDX-License-Identifier: MIT
// The C++ of the front pages: each block of README.md, cupyxx/README.md, chainerxx/README.md and
// docs/precision.md stands in this file, which compiles and passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "chainerxx/training/training.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect_error.h"
#include "cupyxx/testing/quotes.h"
#include "docs/readmes.h"
#include "examples/program/testing/made_up_images.h"
#include "gradcheck/gradcheck.h"

// Quoted as a block of its own.
#include "cupyxx/cupyxx.h"
namespace cp = cupyxx;
using cp::ellipsis, cp::slice;

namespace {

namespace F = chainerxx::functions;
using chainerxx::FunctionSet, chainerxx::Variable;

struct Batch {
  cp::ndarray images, labels;
};

std::vector<Batch> make_batches() {
  cp::random::seed(1);
  return {
      {cp::random::uniform({20, 784}, {.dtype = cp::float32}), cp::random::randint(0, 10, {20})}};
}

/// Files are written to the test's own folder.
class Readme : public ::testing::Test {
 public:
  Readme() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(::testing::TempDir());
  }
  ~Readme() override { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST_F(Readme, Arrays) {
  auto a = cp::arange(24).reshape({2, 3, 4});
  a(ellipsis, -1) = 0;                                // views write through
  auto centred = a - a.mean(-1, {.keepdims = true});  // broadcasting, float64
  a(a > 10) *= 2;                                     // masks
  std::cout << a(1, slice(0, 2)) << "\n" << centred.std() << "\n";
  EXPECT_EQ(a(1, 0, 0).item<int>(), 24);
  EXPECT_EQ(centred.dtype(), cp::float64);
}

TEST_F(Readme, Device) {
  const auto best = cp::cuda::is_available() ? cp::Device::cuda(0) : cp::Device::cpu();
  const cp::DeviceScope scope(best);  // where new arrays live
  auto x = cp::random::normal({1000, 1000}, {.dtype = cp::float32});
  auto y = cp::exp(-x * x / 2).dot(x);             // enqueued, nothing waits
  float largest = cp::abs(y).max().item<float>();  // waits for this value
  EXPECT_GT(largest, 10);
  EXPECT_EQ(y.device(), best);
}

TEST_F(Readme, Network) {
  const auto batches = make_batches();
  struct Mlp : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(784, 100));
    F::Linear& l2 = add("l2", F::Linear(100, 10));
    Variable operator()(const Variable& x) { return l2(F::dropout(F::relu(l1(x)))); }
  } model;

  chainerxx::optimizers::Adam optimizer({.alpha = 1e-3});
  optimizer.setup(model);
  for (const auto& [images, labels] : batches) {
    auto loss = F::softmax_cross_entropy(model(images), labels);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  }
  chainerxx::save_npz("model.npz", model);  // NumPy reads it
  EXPECT_EQ(cp::load_npz("model.npz")["l1/W"].shape(), cp::Shape({100, 784}));
}

TEST_F(Readme, NetworkOfTheLibrarysPage) {
  const auto batches = make_batches();
  struct Mlp : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(784, 100));
    F::Linear& l2 = add("l2", F::Linear(100, 10));
    Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
  } model;

  chainerxx::optimizers::Adam optimizer({.alpha = 1e-3});
  optimizer.setup(model);
  for (const auto& [images, labels] : batches) {
    auto loss = F::softmax_cross_entropy(model(images), labels);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  }
  chainerxx::save_npz("model.npz", model);
  EXPECT_EQ(optimizer.t(), 1);
}

TEST_F(Readme, GraphStepByStep) {
  Variable x(cp::array({{1.0f, -2.0f}, {3.0f, 4.0f}}));
  Variable h = F::relu(x);
  Variable loss = F::sum(h * h) + 3;
  loss.backward(true);                                // keeps h.grad() too
  loss.creator()->label();                            // "_ + 3"
  loss.unchain_backward();                            // a root from here on
  Variable fixed = F::exp(Variable(x.data(), true));  // volatile: no graph
  fixed.set_volatile(false);                          // recording begins with it
  EXPECT_EQ(fixed.creator(), nullptr);
  EXPECT_EQ(h.grad().to_vector<float>(), (std::vector<float>{2, 0, 6, 8}));
  EXPECT_EQ(loss.rank(), 0);
  EXPECT_EQ(F::exp(fixed).rank(), 1);
}

TEST_F(Readme, CopiesDrawingsAndCaffe) {
  struct Mlp : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(3, 2));
  } model;
  const Variable loss = F::sum(model.l1(Variable(cp::ones({1, 3}, cp::float32))));
  const Variable images(cp::ones({2, 3}, cp::float32));
  std::ofstream("net.prototxt") << R"(input: "data" input_shape { dim: 1 dim: 3 }
      layer { name: "fc" type: "InnerProduct" bottom: "data" top: "fc"
              inner_product_param { num_output: 5 } })";
  auto copy = chainerxx::deep_copy(model);  // arrays of its own
  copy.l1.to_cpu();
  auto graph = chainerxx::build_computational_graph({loss});
  std::ofstream("graph.dot") << graph.dump();  // dump("svg") where graphviz is installed
  F::caffe::CaffeFunction net("net.prototxt", {.seed = 1});
  auto y = net({{"data", images}}, {"fc"}, {.train = false});
  EXPECT_EQ(y[0].shape(), cp::Shape({2, 5}));
  EXPECT_NE(copy.l1.W.body(), model.l1.W.body());
}

struct Swish final : chainerxx::FunctionOf<Swish> {
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  }
  std::vector<cp::ndarray> forward(std::span<const cp::ndarray> x) override {
    return {x[0] / (1 + cp::exp(-x[0]))};
  }
  std::vector<cp::ndarray> backward(std::span<const cp::ndarray> x,
                                    std::span<const cp::ndarray> gy) override {
    auto s = 1 / (1 + cp::exp(-x[0]));
    return {gy[0] * s * (1 + x[0] * (1 - s))};
  }
};

TEST_F(Readme, OwnFunction) {
  const auto x = cp::linspace(-2, 2, 6).reshape({2, 3});
  const auto gy = cp::ones_like(x);
  auto swish = [](const Variable& v) { return Swish()(v); };
  gradcheck::check_backward(swish, {x}, gy, {.eps = 1e-4});
}

TEST_F(Readme, GradientsOfGradients) {
  F::Linear critic(4, 1);
  Variable x(cp::random::normal({3, 4}, {.dtype = cp::float32}));
  auto y = F::sum(F::square(F::tanh(critic(x))));
  auto gx = chainerxx::grad({y}, {x}, {.enable_double_backprop = true})[0];
  auto norm = F::sqrt(F::sum(F::square(gx)));
  auto penalty = F::square(norm - 1);
  penalty.backward();  // reaches the parameters behind y
  EXPECT_GT(cp::absolute(critic.gW).sum().item<float>(), 0);
}

TEST_F(Readme, Mistakes) {
  const auto mistake = [](bool is_first) {
    if (is_first) cp::dot(cp::ones({2, 3}), cp::ones({4, 5}));
    // ShapeError: dot: inner dimensions differ: (2, 3) and (4, 5)
    F::relu(Variable(cp::arange(3)));
    // InvalidType: ReLU: int64 input 0, try .astype(cupyxx::float32): invalid types of the inputs
    // Expect: in_types[0].dtype.kind == f
    // Actual: i != f
  };
  cp::testing::expect_error<cp::ShapeError>([&] { mistake(true); },
                                            "dot: inner dimensions differ: (2, 3) and (4, 5)");
  cp::testing::expect_error<typecheck::InvalidType>(
      [&] { mistake(false); },
      "ReLU: int64 input 0, try .astype(cupyxx::float32): invalid types of the "
      "inputs\nExpect: in_types[0].dtype.kind == f\nActual: i != f");
}

TEST_F(Readme, ArrayPage) {
  auto a = cp::array({{1.0, 2.0}, {3.0, 4.0}});
  auto b = cp::linspace(0, 1, 4).reshape({2, 2});
  auto c = cp::where(a > 2, a + b, 0);
  cp::ndarray row = c(0);  // a view; `row = ...` would rebind the name
  c(0) = 7;                // writes through, so row is 7 too
  std::vector<double> values = row.to_vector<double>();
  cp::save("/tmp/c.npy", c);
  EXPECT_EQ(values, (std::vector<double>{7, 7}));
}

TEST_F(Readme, KernelText) {
  auto a = cp::array({{3.0, 4.0}, {6.0, 8.0}});
  const cp::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                           "squared_diff");
  auto d = squared_diff(a, 1);
  const cp::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  auto lengths = l2norm(a, {.axis = 1});
  EXPECT_EQ(d.to_vector<double>(), (std::vector<double>{4, 9, 25, 49}));
  EXPECT_EQ(lengths.to_vector<double>(), (std::vector<double>{5, 10}));
}

TEST_F(Readme, FusedAndChecked) {
  auto a = cp::array({{3.0, 4.0}, {6.0, 8.0}});
  auto b = cp::array({{4.0, 3.0}, {8.0, 6.0}});
  const auto hypotenuse = cp::fuse([](auto x, auto y) { return cp::sqrt(x * x + y * y); });
  auto h = hypotenuse(a, b);           // one pass over memory
  std::cout << hypotenuse.plan(a, b);  // what runs, or why it is more than one pass
  const auto add_reverse =             // checked when the program is compiled
      cp::elementwise_kernel<"T x, raw T y", "T z", "z = x + y[n - i - 1]">("add_reverse");
  EXPECT_EQ(h.to_vector<double>(), (std::vector<double>{5, 5, 10, 10}));
  EXPECT_EQ(add_reverse(a, b).to_vector<double>(), (std::vector<double>{9, 12, 9, 12}));
}

TEST_F(Readme, RawKernels) {
  const cp::RawKernel axpy(R"(
      extern "C" __global__ void axpy(int n, float a, const float* x, float* y) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] += a * x[i];
      })",
                           "axpy");
  EXPECT_EQ(axpy.name(), "axpy");
  if (!cp::cuda::is_available()) return;  // it needs a device
  const cp::DeviceScope scope(cp::Device::cuda(0));
  auto x = cp::ones({1000}, cp::float32);
  auto y = cp::ones({1000}, cp::float32);
  axpy(4, 256, 1000, 2.0f, x, y);  // grid, block, arguments
  EXPECT_EQ(y.sum().item<int>(), 3000);
}

TEST_F(Readme, Training) {
  std::filesystem::create_directory("folder");
  examples::write_made_up_images("folder", "train", 300);
  examples::write_made_up_images("folder", "t10k", 100);
  struct Mlp : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(784, 100));
    F::Linear& l2 = add("l2", F::Linear(100, 10));
    Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
  };

  // clang-format off
  namespace training = chainerxx::training;
  namespace extensions = training::extensions;
  const auto [train, test] = chainerxx::datasets::get_mnist("folder");
  chainerxx::iterators::SerialIterator train_iter(train, 100), test_iter(test, 100, {.repeat = false});
  chainerxx::links::Classifier<Mlp> model;               // reports "loss" and "accuracy"
  chainerxx::optimizers::Adam optimizer;
  optimizer.setup(model);
  training::StandardUpdater updater(train_iter, optimizer, model, {.capture = true});
  training::Trainer trainer(updater, {20, "epoch"}, "result");
  trainer.extend(extensions::Evaluator(test_iter, model));
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PrintReport({"epoch", "main/loss", "validation/main/accuracy"}));
  trainer.extend(extensions::snapshot({.n_retains = 2, .autoload = true}));
  trainer.run();
  // clang-format on
  EXPECT_EQ(optimizer.t(), 60);
  EXPECT_TRUE(std::filesystem::exists("result/log"));
}

TEST_F(Readme, Precision) {
  using chainerxx::Precision, chainerxx::PrecisionScope;
  struct Net : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(4, 3));
    Variable operator()(const Variable& x, const Variable& t) {
      return F::softmax_cross_entropy(l1(x), t);
    }
  } model;
  model.zero_grads();
  const Variable x(cp::ones({2, 4}, cp::float32)), t(cp::zeros({2}, cp::int32));
  // clang-format off
  const PrecisionScope narrow(Precision::bfloat16);   // or CHAINERXX_PRECISION=bfloat16 in the environment
  Variable loss = model(x, t);                        // x of float32, parameters of float32
  loss.backward();                                    // here or behind the scope: gradients follow forward
  // clang-format on
  EXPECT_EQ(model.l1(x).dtype(), cp::bfloat16_);
  EXPECT_EQ(model.l1.gW.dtype(), cp::float32);
  EXPECT_GT(cp::abs(model.l1.gW).sum().item<float>(), 0);
}

TEST_F(Readme, PagesQuoteThisFile) {
  namespace readmes = docs::readmes;
  // The network's page names what it uses first.
  const std::string names =
      "namespace cp = cupyxx;\nnamespace F = chainerxx::functions;\n"
      "using chainerxx::FunctionSet, chainerxx::Variable;\n";
  std::string source, pages;
  for (unsigned long i = 0; i < readmes::kFilesCount; ++i) {
    const bool is_source = std::string(readmes::kFiles[i].name).ends_with(".cc");
    (is_source ? source : pages) += readmes::kFiles[i].text;
  }
  const std::size_t at = pages.find(names);
  ASSERT_NE(at, std::string::npos);
  pages.erase(at, names.size());
  EXPECT_GE(cupyxx::testing::expect_quotes(pages, source), 18);
}

}  // namespace
