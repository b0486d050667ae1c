// SPDX-License-Identifier: MIT
// Functions over images: convolutions forward and with their gradients, pooling, normalisation, and
// a training step of a small convolutional network.
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;
using cupyxx::ndarray;

/// Batch 32 of 64 channels of 28 x 28.
const cupyxx::Shape kImages = {32, 64, 28, 28};

ndarray images(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32) {
  return benchmarks::random(shape).astype(dtype);
}

/// Multiplications and additions of a 3x3 convolution with as many filters as channels.
double convolution_flops() { return 2.0 * 32 * 64 * 64 * 9 * 28 * 28; }

cupyxx::dtype type_of(const benchmark::State& state) {
  return state.range(0) == 16 ? cupyxx::float16 : cupyxx::float32;
}

void ConvolutionForward(benchmark::State& state) {
  const F::Convolution2D layer(
      64, 64, 3, {.pad = 1, .use_cudnn = state.range(1) != 0, .dtype = type_of(state)});
  const Variable x(images(kImages, type_of(state)));
  const chainerxx::NoGradScope no_graph;
  benchmarks::time_calls(state, 20, [&] { benchmark::DoNotOptimize(layer(x).node()); });
  benchmarks::set_flops(state, convolution_flops());
}

/// Beside ConvolutionForward: what the bias costs.
void ConvolutionForwardWithoutBias(benchmark::State& state) {
  const F::Convolution2D layer(
      64, 64, 3,
      {.pad = 1, .nobias = true, .use_cudnn = state.range(1) != 0, .dtype = type_of(state)});
  const Variable x(images(kImages, type_of(state)));
  const chainerxx::NoGradScope no_graph;
  benchmarks::time_calls(state, 20, [&] { benchmark::DoNotOptimize(layer(x).node()); });
  benchmarks::set_flops(state, convolution_flops());
}

void ConvolutionForwardBackward(benchmark::State& state) {
  const F::Convolution2D layer(
      64, 64, 3, {.pad = 1, .use_cudnn = state.range(1) != 0, .dtype = type_of(state)});
  const Variable x(images(kImages, type_of(state)));
  const ndarray gy = images(kImages, type_of(state));
  benchmarks::time_calls(state, 20, [&] {
    x.set_grad({});
    const Variable y = layer(x);
    y.set_grad(gy);
    y.backward();
  });
  benchmarks::set_flops(state, 3 * convolution_flops());
}

/// Forward and backward of a function of images without parameters, as bytes of its input and
/// output, read and written once in each direction.
template <class Function>
void both_ways(benchmark::State& state, const cupyxx::Shape& shape, Function&& f) {
  const Variable x(images(shape));
  const ndarray gy = images(f(x).shape());
  benchmarks::time_calls(state, 20, [&] {
    x.set_grad({});
    const Variable y = f(x);
    y.set_grad(gy);
    y.backward();
  });
  benchmarks::set_bytes(state, 2 * 4 * (x.size() + gy.size()));
}

void MaxPooling(benchmark::State& state) {
  both_ways(state, {64, 64, 112, 112},
            [](const Variable& x) { return F::max_pooling_2d(x, 3, {.stride = 2, .pad = 1}); });
}

void AveragePooling(benchmark::State& state) {
  both_ways(state, {64, 64, 112, 112},
            [](const Variable& x) { return F::average_pooling_2d(x, 2); });
}

void BatchNormalization(benchmark::State& state) {
  const F::BatchNormalization bn(256);
  both_ways(state, {64, 256, 56, 56}, [&](const Variable& x) { return bn(x); });
}

void BatchNormalizationOfRows(benchmark::State& state) {
  const F::BatchNormalization bn(1024);
  both_ways(state, {4096, 1024}, [&](const Variable& x) { return bn(x); });
}

void ResponseNormalization(benchmark::State& state) {
  both_ways(state, {32, 64, 56, 56},
            [](const Variable& x) { return F::local_response_normalization(x); });
}

void LayerNormalization(benchmark::State& state) {
  const Variable gamma(cupyxx::ones({1024}, cupyxx::float32));
  const Variable beta(cupyxx::zeros({1024}, cupyxx::float32));
  both_ways(state, {4096, 1024},
            [&](const Variable& x) { return F::layer_normalization(x, gamma, beta); });
}

/// conv5x5-relu-pool, conv5x5-relu-pool, two linear layers, on 28 x 28 images of one channel.
struct Network : chainerxx::FunctionSet {
  F::Convolution2D& c1 = add("c1", F::Convolution2D(1, 16, 5, {.pad = 2}));
  F::Convolution2D& c2 = add("c2", F::Convolution2D(16, 32, 5, {.pad = 2}));
  F::Linear& l1 = add("l1", F::Linear(7 * 7 * 32, 128));
  F::Linear& l2 = add("l2", F::Linear(128, 10));

  Variable operator()(const Variable& x) const {
    const Variable h = F::max_pooling_2d(F::relu(c1(x)), 2);
    return l2(F::relu(l1(F::max_pooling_2d(F::relu(c2(h)), 2))));
  }
};

void TrainingStep(benchmark::State& state) {
  Network model;
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(model);
  const ndarray x = images({100, 1, 28, 28});
  const ndarray t = cupyxx::random::randint(0, 10, {100}).astype(cupyxx::int32);
  benchmarks::time_calls(state, 20, [&] {
    const Variable loss = F::softmax_cross_entropy(model(x), Variable(t));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  });
}

void kinds(benchmark::internal::Benchmark* b) {
  b->ArgNames({"bits", "cudnn"})->Args({32, 1})->Args({16, 1})->Args({32, 0})->UseRealTime();
}

BENCHMARK(ConvolutionForward)->Apply(kinds);
BENCHMARK(ConvolutionForwardWithoutBias)->Apply(kinds);
BENCHMARK(ConvolutionForwardBackward)->Apply(kinds);
BENCHMARK(MaxPooling)->UseRealTime();
BENCHMARK(AveragePooling)->UseRealTime();
BENCHMARK(BatchNormalization)->UseRealTime();
BENCHMARK(BatchNormalizationOfRows)->UseRealTime();
BENCHMARK(ResponseNormalization)->UseRealTime();
BENCHMARK(LayerNormalization)->UseRealTime();
BENCHMARK(TrainingStep)->UseRealTime();

}  // namespace
