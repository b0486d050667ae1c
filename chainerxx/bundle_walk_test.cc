// SPDX-License-Identifier: MIT
// The kernel bundles have what networks of float32 and float64 launch: training one loads no
// compiler. Runs without a device; nothing is computed.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/kernel_walk.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::float32, cp::int32;

struct Mlp : FunctionSet {
  explicit Mlp(cp::dtype type)
      : l1(add("l1", F::Linear(20, 30, {.dtype = type}))),
        l2(add("l2", F::Linear(30, 30, {.dtype = type}))),
        l3(add("l3", F::Linear(30, 5, {.dtype = type}))) {}
  Variable operator()(const Variable& x) { return l3(F::dropout(F::tanh(l2(F::relu(l1(x)))))); }
  F::Linear &l1, &l2, &l3;
};

// The plain form of convolutions; cuDNN's kernels are its own.
struct Convnet : FunctionSet {
  explicit Convnet(cp::dtype type)
      : c1(add("c1", F::Convolution2D(3, 8, 3, {.pad = 1, .use_cudnn = false, .dtype = type}))),
        bn(add("bn", F::BatchNormalization(8, {.dtype = type}))),
        c2(add("c2", F::Convolution2D(8, 8, 3, {.stride = 2, .use_cudnn = false, .dtype = type}))),
        l(add("l", F::Linear(8 * 3 * 3, 5, {.dtype = type}))) {}
  Variable operator()(const Variable& x) {
    Variable h = F::max_pooling_2d(F::relu(bn(c1(x))), 2);
    h = F::average_pooling_2d(F::local_response_normalization(F::relu(c2(h))), 2);
    return l(F::reshape(h, {4, 8 * 3 * 3}));
  }
  F::Convolution2D& c1;
  F::BatchNormalization& bn;
  F::Convolution2D& c2;
  F::Linear& l;
};

template <class Model>
void train(cp::testing::KernelWatch& watch, const std::string& name, const cp::Shape& shape,
           Optimizer& optimizer, cp::dtype type) {
  watch(name, [&] {
    Model model(type);
    model.to_gpu();
    optimizer.setup(model);
    const Variable x(cp::ones(shape, type)), t(cp::zeros({shape[0]}, int32));
    for (int step = 0; step < 2; ++step) {
      const Variable y = model(x);
      const Variable loss = F::softmax_cross_entropy(y, t);
      F::accuracy(y, t);
      optimizer.zero_grads();
      loss.backward();
      optimizer.weight_decay(0.001);
      optimizer.lasso(0.001);
      optimizer.clip_grad_values(-1, 1);
      optimizer.clip_grads(5);
      optimizer.update();
    }
  });
}

class KernelBundle : public ::testing::TestWithParam<cp::dtype> {
 public:
  ~KernelBundle() override {
    EXPECT_EQ(watch_.missed(), "");
    EXPECT_EQ(failed_without_products(), "");
  }

  // Products of float64 are cuBLAS's, which does not start without a device; those of float32 that
  // are walked here are ours.
  std::string failed_without_products() const {
    std::istringstream lines(watch_.failed());
    std::string others;
    for (std::string line; std::getline(lines, line);) {
      const bool is_product = line.find("gemm: cublas") != std::string::npos;
      if (GetParam() != cp::float64 || !is_product) others += line + "\n";
    }
    return others;
  }

  // A function of arrays, there and back.
  void step(const std::string& name, const std::vector<cp::Shape>& shapes,
            const std::function<Variable(const std::vector<Variable>&)>& call) {
    watch_(name, [&] {
      std::vector<Variable> x;
      for (const cp::Shape& shape : shapes) x.emplace_back(cp::ones(shape, GetParam()));
      Variable y = call(x);
      y.set_grad(cp::ones_like(y.data()));
      y.backward();
    });
  }

  cp::DeviceScope scope_{cp::Device::cuda(0)};
  cp::testing::KernelWatch watch_;
};
INSTANTIATE_TEST_SUITE_P(, KernelBundle, ::testing::Values(cp::float32, cp::float64),
                         [](const auto& type) { return std::string(type.param.name()); });

TEST_P(KernelBundle, TrainsWithEveryOptimizer) {
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  optimizers.push_back(std::make_unique<optimizers::SGD>());
  optimizers.push_back(std::make_unique<optimizers::MomentumSGD>());
  optimizers.push_back(std::make_unique<optimizers::CorrectedMomentumSGD>());
  optimizers.push_back(std::make_unique<optimizers::NesterovAG>());
  optimizers.push_back(std::make_unique<optimizers::AdaGrad>());
  optimizers.push_back(std::make_unique<optimizers::AdaDelta>());
  optimizers.push_back(std::make_unique<optimizers::Adam>());
  optimizers.push_back(std::make_unique<optimizers::AdamW>());
  optimizers.push_back(std::make_unique<optimizers::Adamax>());
  optimizers.push_back(std::make_unique<optimizers::AMSGrad>());
  optimizers.push_back(std::make_unique<optimizers::AdaBound>());
  optimizers.push_back(std::make_unique<optimizers::AMSBound>());
  optimizers.push_back(std::make_unique<optimizers::MSVAG>());
  optimizers.push_back(std::make_unique<optimizers::LAMB>());
  optimizers.push_back(std::make_unique<optimizers::LARS>());
  optimizers.push_back(std::make_unique<optimizers::RAdam>());
  optimizers.push_back(std::make_unique<optimizers::RMSprop>());
  optimizers.push_back(std::make_unique<optimizers::RMSpropGraves>());
  optimizers.push_back(std::make_unique<optimizers::SMORMS3>());
  for (std::size_t i = 0; i < optimizers.size(); ++i) {
    train<Mlp>(watch_, "network with optimizer " + std::to_string(i), {7, 20}, *optimizers[i],
               GetParam());
  }
}

TEST_P(KernelBundle, TrainsConvolutions) {
  optimizers::MomentumSGD optimizer;
  train<Convnet>(watch_, "convolutions", {4, 3, 28, 28}, optimizer, GetParam());
}

TEST_P(KernelBundle, HasTheActivations) {
  using V = std::vector<Variable>;
  step("sigmoid", {{3, 4}}, [](const V& x) { return F::sigmoid(x[0]); });
  step("clipped_relu", {{3, 4}}, [](const V& x) { return F::clipped_relu(x[0]); });
  step("leaky_relu", {{3, 4}}, [](const V& x) { return F::leaky_relu(x[0]); });
  step("elu", {{3, 4}}, [](const V& x) { return F::elu(x[0]); });
  step("softplus", {{3, 4}}, [](const V& x) { return F::softplus(x[0]); });
  step("gelu", {{3, 4}}, [](const V& x) { return F::gelu(x[0]); });
  step("gelu_tanh", {{3, 4}}, [](const V& x) { return F::gelu(x[0], true); });
  step("swish", {{3, 4}}, [](const V& x) { return F::swish(x[0]); });
  step("softsign", {{3, 4}}, [](const V& x) { return F::softsign(x[0]); });
  step("mish", {{3, 4}}, [](const V& x) { return F::mish(x[0]); });
  step("softmax", {{3, 4}}, [](const V& x) { return F::softmax(x[0]); });
  step("log_softmax", {{3, 4}}, [](const V& x) { return F::log_softmax(x[0]); });
  step("softmax of planes", {{3, 4, 5, 6}}, [](const V& x) { return F::softmax(x[0]); });
  step("prelu", {{3, 4}, {4}}, [](const V& x) { return F::prelu(x[0], x[1]); });
  step("maxout", {{3, 6}}, [](const V& x) { return F::maxout(x[0], 2); });
  step("lstm", {{3, 4}, {3, 16}}, [](const V& x) { return F::lstm(x[0], x[1])[1]; });
  for (const std::int64_t depth : {32, 64, 128}) {
    const cp::Shape shape{1, 2, 9, depth};
    step("attention", {shape, shape, shape}, [](const V& x) {
      return F::scaled_dot_product_attention(x[0], x[1], x[2], {.is_causal = true});
    });
    step("attention with dropout", {shape, shape, shape}, [](const V& x) {
      return F::scaled_dot_product_attention(x[0], x[1], x[2], {.dropout_ratio = 0.1});
    });
  }
  step("rotary_embedding", {{2, 9, 4}}, [](const V& x) { return F::rotary_embedding(x[0]); });
  step("lstm_sequence", {{3, 2, 4}, {2, 5}, {2, 5}}, [](const V& x) {
    return F::LSTMSequence(4, 5, {.dtype = x[0].dtype()})(x[0], x[1], x[2])[0];
  });
}

TEST_P(KernelBundle, HasTheOtherFunctions) {
  using V = std::vector<Variable>;
  step("sum", {{3, 4}}, [](const V& x) { return F::sum(x[0]); });
  step("sum of rows", {{3, 4}}, [](const V& x) { return F::sum(x[0], 1); });
  step("arithmetic", {{3, 4}, {3, 4}},
       [](const V& x) { return (x[0] + x[1]) * x[0] / x[1] - 2 * x[0]; });
  step("powers", {{3, 4}},
       [](const V& x) { return F::pow(x[0], 2.0) + F::exp(x[0]) * F::log(x[0]); });
  step("matmul", {{3, 4}, {4, 5}}, [](const V& x) { return F::matmul(x[0], x[1]); });
  step("concat", {{3, 4}, {3, 5}}, [](const V& x) { return F::concat({x[0], x[1]}); });
  step("transpose", {{3, 4}}, [](const V& x) { return F::transpose(x[0]); });
  step("broadcast_to", {{1, 4}}, [](const V& x) { return F::broadcast_to(x[0], {3, 4}); });
  step("mean_squared_error", {{3, 4}, {3, 4}},
       [](const V& x) { return F::mean_squared_error(x[0], x[1]); });
  step("sigmoid_cross_entropy", {{3, 4}}, [](const V& x) {
    return F::sigmoid_cross_entropy(x[0], Variable(cp::zeros({3, 4}, int32)));
  });
  for (const std::int64_t width : {4, 128, 4096}) {
    step("layer_normalization", {{3, width}, {width}, {width}},
         [](const V& x) { return F::layer_normalization(x[0], x[1], x[2]); });
    step("softmax of rows", {{3, width}}, [](const V& x) { return F::softmax(x[0]); });
    step("softmax_cross_entropy of rows", {{1000, width}}, [](const V& x) {
      return F::softmax_cross_entropy(x[0], Variable(cp::zeros({1000}, int32)));
    });
  }
  for (const cp::Shape& shape : {cp::Shape{4, 8}, {4, 3}, {4, 3, 2, 2}, {4, 3, 40, 40}}) {
    step("batch_normalization and relu", {shape, shape}, [](const V& x) {
      F::BatchNormalization bn(x[0].shape()[1], {.dtype = x[0].dtype()});
      return bn.add_relu(bn.relu(x[0]), x[1]);
    });
  }
  for (const std::int64_t side : {2, 3, 4}) {
    step("max_pooling_2d", {{2, 3, 9, 9}}, [=](const V& x) {
      return F::max_pooling_2d(F::max_pooling_2d(x[0], side, {.stride = 2}), 1, {.stride = 1});
    });
  }
  step("dropout", {{3, 4}}, [](const V& x) { return F::dropout(x[0]); });
  step("gaussian", {{3, 4}, {3, 4}}, [](const V& x) { return F::gaussian(x[0], x[1]); });
  step("gaussian_kl_divergence", {{3, 4}, {3, 4}},
       [](const V& x) { return F::gaussian_kl_divergence(x[0], x[1]); });
  step("embed_id", {{1}}, [](const V& x) {
    F::EmbedID table(10, 4, {.dtype = x[0].dtype()});
    table.to_gpu();
    return table(Variable(cp::zeros({3}, int32))) * F::broadcast_to(x[0], {3, 4});
  });
}

// What steps of networks in 16 bits launch between their products, which are cuBLAS's.
TEST(NarrowKernelBundle, HasWhatStandsBetweenProducts) {
  using V = std::vector<Variable>;
  const cp::DeviceScope scope(cp::Device::cuda(0));
  for (const Precision precision : {Precision::bfloat16, Precision::float16}) {
    const PrecisionScope narrow(precision);
    const cp::dtype type = precision == Precision::bfloat16 ? cp::bfloat16_ : cp::float16;
    cp::testing::KernelWatch watch;
    const auto step = [&](const char* name, const std::vector<cp::Shape>& shapes,
                          const std::function<Variable(const V&)>& call) {
      watch(name, [&] {
        V x;
        for (const cp::Shape& shape : shapes) x.emplace_back(cp::ones(shape, type));
        Variable y = call(x);
        y.set_grad(cp::ones_like(y.data()));
        y.backward();
      });
    };
    step("to float32 and back", {{3, 4}},
         [=](const V& x) { return F::cast(F::cast(x[0], float32), type); });
    step("residual sums", {{6, 4}, {6, 4}}, [](const V& x) { return x[0] + x[1] * 2 + x[0]; });
    step("rows added to all", {{6, 5, 4}, {5, 4}}, [](const V& x) { return x[0] + x[1]; });
    step("activations", {{6, 4}},
         [](const V& x) { return F::gelu(F::relu(F::tanh(F::sigmoid(F::gelu(x[0], true))))); });
    step("dropout", {{6, 4}}, [](const V& x) { return F::dropout(x[0]); });
    step("concat", {{2, 3, 4, 4}, {2, 5, 4, 4}}, [](const V& x) {
      return F::concat({x[0], x[1]});
    });
    step("layer norm", {{6, 16}}, [](const V& x) {
      F::LayerNorm norm(16);
      norm.to_gpu();
      return norm(x[0]);
    });
    step("pooling", {{2, 3, 9, 9}},
         [](const V& x) { return F::average_pooling_2d(F::max_pooling_2d(x[0], 3), 3); });
    for (const std::int64_t ids : {30, 3000}) {
      step("embeddings", {{ids, 4}}, [=](const V& x) {
        F::EmbedID table(10, 4);
        table.to_gpu();
        return table(Variable(cp::zeros({ids}, int32))) + x[0];
      });
    }
    for (const cp::Shape& shape : {cp::Shape{30, 10}, {3000, 100}, {30, 40000}}) {
      step("loss", {shape}, [=](const V& x) {
        return F::softmax_cross_entropy(x[0], Variable(cp::zeros({shape[0]}, int32)));
      });
    }
    EXPECT_EQ(watch.missed(), "");
    EXPECT_EQ(watch.failed(), "");
  }
}

// The watch sees what is not there.
TEST(KernelWatch, SeesOtherTypes) {
  const cp::DeviceScope scope(cp::Device::cuda(0));
  cp::testing::KernelWatch watch;
  watch("exp", [] { F::exp(Variable(cp::zeros({3, 4}, cp::float16))); });
  EXPECT_EQ(watch.missed(), "exp: exp_float16_float16\n");
}

}  // namespace
}  // namespace chainerxx
