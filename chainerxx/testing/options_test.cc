// SPDX-License-Identifier: MIT
// Lists of options never become an axis, a shape, a size or an index: g++ 12 drops the names of
// such a list where a constructor that is no template could take the values.
#include <gtest/gtest.h>

#include "chainerxx/chainerxx.h"

namespace chainerxx {
namespace {

namespace F = functions;
namespace O = optimizers;

/// Whether a generic lambda accepts a variable; asked in templates only, where a call that does not
/// compile is an answer.
template <class Call>
constexpr bool kAccepts = std::invocable<Call, Variable>;

#define ACCEPTS(...) (kAccepts<decltype([](const auto& x) requires requires { __VA_ARGS__; } {})>)
#define REFUSES(...) static_assert(!ACCEPTS(__VA_ARGS__))
#define TAKES(...) static_assert(ACCEPTS(__VA_ARGS__))

// Types of cupyxx, as soon as their own constructors refuse such lists.
template <class T>
constexpr bool kLeaks = requires(void (*f)(const T&)) {
  f({.a = 1, .b = 2});
}
|| requires(void (*f)(const T&)) { f({.a = 1}); };
#define REFUSES_OF(type, ...) static_assert(kLeaks<cupyxx::type> || !ACCEPTS(__VA_ARGS__))

// What must work.
TAKES(F::sum(x, {.axis = 1, .keepdims = true}));
TAKES(F::sum(x, {.axis = {0, 1}}));
TAKES(F::sum(x, {.keepdims = true}));
TAKES(F::sum(x, {}));
TAKES(F::sum(x, {0, 1}));
TAKES(F::sum(x, {}, true));
TAKES(F::sum(x, 1, {.keepdims = true}));
TAKES(F::prod(x, 1, {.keepdims = true}));
TAKES(x.mean({.axis = 0, .keepdims = true}));
TAKES(F::softmax(x, {.axis = 1}));
TAKES(F::softmax(x, {.axis = 1, .use_cudnn = false}));
TAKES(F::dropout(x, {.ratio = 0.2}));
TAKES(F::dropout(x, {.train = false}));
TAKES(F::dropout(x, 0));
TAKES(F::dropout(x, 0, false));
TAKES(F::max_pooling_2d(x, 2, {.stride = 2}));
TAKES(F::max_pooling_2d(x, 2, {.stride = 2, .pad = 1}));
TAKES(F::max_pooling_2d(x, {2, 3}, {2, 1}));
TAKES(F::convolution_2d(x, x, x, {.stride = 2, .pad = {1, 0}}));
TAKES(F::concat({x, x}, {.axis = 0}));
TAKES(F::softmax_cross_entropy(x, x, {.normalize = false}));
TAKES(F::var(x, 1, {.ddof = 1}));
TAKES(F::std(x, {.axis = 0, .ddof = 1, .keepdims = true}));
TAKES(F::std(x, {0, 1}, true));
TAKES(F::pad(x, 1, 0));
TAKES(F::pad(x, 1, "constant", 2));
TAKES(F::pad(x, {{1, 1}, {0, 2}}, "constant"));
TAKES(F::pad(x, {{1}, {2}}));
TAKES(F::unpooling_2d(x, 2, 2, 0, {}, false));
TAKES(F::unpooling_2d(x, 2, {.stride = 2, .cover_all = false}));
TAKES(F::accuracy(x, x, -1));
TAKES(F::huber_loss(x, x, 1, F::Reduce::no));
TAKES(F::leaky_relu(x, {.slope = 0.1}));
TAKES(F::swish(x, x));
TAKES(F::swish(x, {.beta = 2}));
TAKES(F::matmul(x, x, {.transa = true, .transb = false}));
TAKES(F::argmax(x, {.axis = 1}));
TAKES(F::transpose(x, {.axes = {1, 0}}));
TAKES(F::split_axis(x, {1, 2}, {.axis = 1}));
TAKES(F::average(x, {.axis = 0, .weights = x}));
TAKES(F::rrelu(x, {.l = 0, .u = 0.5}));
TAKES(F::zoneout(x, x, {.ratio = 0.1}));
TAKES(F::triplet(x, x, x, {.margin = 1, .reduce = F::Reduce::no}));
TAKES(x.var({.axis = 0, .ddof = 1}));
TAKES(x.argmax({.axis = 0}));
TAKES(x.prod({.keepdims = true}));
TAKES(F::Linear(x.ndim()));
TAKES(F::Linear(cupyxx::none, x.ndim(), {.nobias = true}));
TAKES(F::Linear(x.ndim(), {.nobias = true}));
TAKES(F::Convolution2D(x.ndim(), 3, {.pad = 1}));
TAKES(F::Convolution2D(x.ndim(), {3, 5}));
TAKES(F::Convolution2D(x.ndim(), 3, 3, 2, 1, {.nobias = true}));
TAKES(F::Convolution2D(x.ndim(), 3, 3, 2, {.nobias = true}));
TAKES(F::Deconvolution3D(x.ndim(), 3, 3, {2, 1, 1}, {0, 1, 1}, {.groups = 1}));
TAKES(F::Convolution1D(x.ndim(), 3, 3, 2, 1, true));
TAKES(F::ConvolutionND(2, x.ndim(), 3, {.pad = 1}));
TAKES(F::Highway(x.ndim(), {.activate = F::tanh}));
TAKES(F::BatchNormalization({x.ndim(), 3}));
TAKES(F::BatchNormalization({.eps = x.item()}));

// Nonsense.
REFUSES(F::sum(x, {.nonsense = 1}));
REFUSES(F::sum(x, {.nonsense = 1, .other = 2}));
REFUSES(F::sum(x, {.keepdims = true, .axis = 1}));  // another order than declared
REFUSES(F::sum(x, {.axis = 1, .nonsense = 2}));
REFUSES(F::sum(x, true));
REFUSES(F::mean(x, {.nonsense = 0}));
REFUSES(F::mean(x, true));
REFUSES(F::mean(x, {.dtype = 1}));
REFUSES(F::max(x, {.initial = 1}));
REFUSES(F::max(x, {.nonsense = 0, .other = 1}));
REFUSES(F::min(x, {.nonsense = 0}));
REFUSES(F::logsumexp(x, {.keepdims = true}));
REFUSES(F::var(x, {.nonsense = 1}));
REFUSES(F::var(x, {.nonsense = 1, .other = 2}));
REFUSES(F::var(x, true));
REFUSES(F::std(x, 1, {.nonsense = 1}));
REFUSES(x.var({.nonsense = 1}));
REFUSES(x.std({.nonsense = 1, .other = 1}));
REFUSES(F::pad(x, 1, nullptr));
REFUSES(F::unpooling_2d(x, 2, {.nonsense = 1}));
REFUSES(F::glu(x, {.nonsense = 1}));
REFUSES(F::logsumexp(x, {.nonsense = 0, .other = 1}));
REFUSES(F::squeeze(x, {.nonsense = 0}));
REFUSES(F::squeeze(x, {.nonsense = 0, .other = 1}));
REFUSES(x.sum({.nonsense = 1}));
REFUSES(x.mean({.nonsense = 1, .other = 1}));
REFUSES(x.max({.nonsense = 1}));
REFUSES(x.min({.nonsense = 1, .other = 0}));
REFUSES(F::softmax(x, {.nonsense = 1}));
REFUSES(F::log_softmax(x, {.nonsense = 1, .other = 1}));
REFUSES(F::maxout(x, {.nonsense = 2}, {.axis = 1}));
REFUSES(F::expand_dims(x, {.nonsense = 1, .other = 1}));
REFUSES(F::swapaxes(x, {.axis1 = 0}, {.nonsense = 1, .other = 1}));
REFUSES(F::concat({x, x}, {.nonsense = 0}));
REFUSES(F::concat({x, x}, {.nonsense = 0, .other = 1}));
REFUSES(F::stack({x, x}, {.nonsense = 0}));
REFUSES(F::get_item(x, {.nonsense = 1}));
REFUSES(F::get_item(x, {.start = 1, .stop = 2}));
REFUSES(F::dropout(x, {.nonsense = 0.5}));
REFUSES(F::dropout(x, {.nonsense = 0.5, .other = true}));
REFUSES(F::dropout(x, true));
REFUSES(F::max_pooling_2d(x, {.nonsense = 2, .other = 3}));
REFUSES(F::max_pooling_2d(x, 2, {.nonsense = 2, .other = 3}));
REFUSES(F::max_pooling_2d(x, 2, {.nonsense = 2}));
REFUSES(F::max_pooling_2d(x, 2, {2, 1, 0}));
REFUSES(F::max_pooling_2d(x, 2, true));
REFUSES(F::average_pooling_2d(x, 2, {.nonsense = 2, .other = 3}));
REFUSES(F::unpooling_2d(x, 2, {.nonsense = 2, .other = 3}));
TAKES(F::unpooling_2d(x, 2, {2, 1}));
TAKES(F::max_pooling_nd(x, 2, 2, 1, false));
TAKES(F::max_pooling_1d(x, 2, {.stride = 1}));
REFUSES(F::average_pooling_3d(x, {2, 1, 1}, {1, 2, 1}));  // several strides by name only
TAKES(F::convolution_1d(x, x, x, 1, 1));
TAKES(F::convolution_nd(x, x, nullptr, {.pad = 1}));
TAKES(F::im2col(x, 3, 1, 1));
TAKES(F::batch_normalization(x, x, x, 2e-5));
TAKES(x.reshape(2, -1));
TAKES(x.transpose(1, 0));
REFUSES(F::max_pooling_nd(x, 2, true));
REFUSES(F::convolution_1d(x, x, x, {.nonsense = 1}));
REFUSES(x.reshape({.nonsense = 1}));
REFUSES(F::convolution_2d(x, x, {.nonsense = 2, .other = 3}));
REFUSES(F::convolution_2d(x, x, x, {.nonsense = 2, .other = 3}));
REFUSES(F::convolution_2d(x, x, {2, 1}));
REFUSES(F::deconvolution_2d(x, x, x, {.nonsense = 2, .other = 3}));
REFUSES(F::relu({.nonsense = x}, x));
REFUSES(F::linear(x, {.nonsense = 1, .other = true}));
REFUSES(F::linear(x, x, {.nonsense = 1}));
REFUSES(F::accuracy(x, {.nonsense = 1}));
REFUSES(F::where(x, {.nonsense = 1}, x));
REFUSES(F::embed_id(x, x, {.nonsense = 1}));
REFUSES(F::local_response_normalization(x, {.nonsense = 1}));
REFUSES(F::batch_normalization(x, x, x, {.nonsense = 1}));
REFUSES(F::softmax_cross_entropy(x, x, {.nonsense = true}));
REFUSES(F::softmax_cross_entropy(x, x, {.nonsense = true, .other = true}));
REFUSES(F::sigmoid_cross_entropy(x, x, {.nonsense = true}));
REFUSES(F::scaled_dot_product_attention(x, x, x, {.nonsense = 1}));
REFUSES(x.backward({.nonsense = true}));
REFUSES(x(decltype(x){}, "text"));
REFUSES(F::leaky_relu(x, {.nonsense = 0.1}));
REFUSES(F::leaky_relu(x, {.nonsense = 0.1, .other = 1}));
REFUSES(F::elu(x, {.slope = 0.1}));
REFUSES(F::swish(x, {.nonsense = 1}));
REFUSES(F::swish(x, {.beta = x}));  // by position: of a variable
REFUSES(F::matmul(x, x, {.nonsense = true}));
REFUSES(F::matmul(x, x, {.nonsense = true, .other = true}));
REFUSES(F::argmax(x, {.nonsense = 1}));
REFUSES(F::cumsum(x, {.nonsense = 1, .other = 1}));
REFUSES(F::split_axis(x, 2, {.nonsense = 1}));
REFUSES(F::average(x, {.nonsense = 1}));
REFUSES(F::diagonal(x, {.nonsense = 1, .other = 1}));
REFUSES(F::kl_div(x, x, {.nonsense = F::Reduce::no}));
REFUSES(F::layer_normalization(x, x, x, {.nonsense = 1}));
REFUSES(F::accuracy(x, x, {.nonsense = 1}));
REFUSES(F::embed_id(x, x, {.nonsense = 1, .other = 2}));
REFUSES(x.argmax({.nonsense = 1}));
REFUSES(x.pow({.nonsense = 1}));
REFUSES(x.softmax({.nonsense = 1, .other = 1}));
REFUSES(x.softmax());
REFUSES(F::Linear(x.ndim(), {.nonsense = 1}));
REFUSES(F::Linear(cupyxx::none, x));
REFUSES(F::Linear(x.shape(), 2));
REFUSES(F::Convolution2D(x.ndim(), 2, {.nonsense = 1, .other = 2}));
REFUSES(F::ConvolutionND(2, x.ndim(), {.pad = 1}));  // no window
REFUSES(F::max_pooling_nd(x, {.stride = 2}));
REFUSES(F::convolution_nd(x, x, x, {.stride = {.nonsense = 1}}));
REFUSES(F::StatefulLSTM(x.ndim(), {.nonsense = 1}));
REFUSES(F::BatchNormalization({.nonsense = x.ndim()}));
REFUSES(F::LayerNorm({.nonsense = x.ndim()}));
REFUSES(F::Linear(x.ndim(), 2, {.nonsense = 1}));
TAKES(F::Linear(x.ndim(), 2, true));  // without a bias, as in Chainer since 2
REFUSES(F::Convolution2D(x.ndim(), 2, 3, {.nonsense = 1, .other = 2}));
REFUSES(F::Convolution2D(x.ndim(), 2, 3, {.nonsense = 1}));
REFUSES(F::Bilinear(x.ndim(), 2, 3, {.nonsense = 1}));
REFUSES(F::BatchNormalization(x.ndim(), {.nonsense = 1}));
REFUSES(F::EmbedID(x.ndim(), 2, {.nonsense = 1}));
REFUSES(F::Max({.nonsense = x.ndim()}));
REFUSES(F::Sum({.nonsense = x.ndim(), .other = 1}));
REFUSES(O::SGD({.nonsense = x.ndim()}));
REFUSES(O::Adam({.nonsense = x.ndim(), .other = 1}));
REFUSES(O::SGD(x.is_none()));

REFUSES_OF(Shape, F::reshape(x, {.nonsense = 1}));
REFUSES_OF(Shape, F::reshape(x, {.nonsense = 1, .other = 2}));
REFUSES_OF(Shape, F::transpose(x, {.nonsense = 1, .other = 2}));
REFUSES_OF(Shape, F::broadcast_to(x, {.nonsense = 1, .other = 2}));
REFUSES_OF(Shape, F::sum_to(x, {.nonsense = 1, .other = 2}));
REFUSES_OF(Shape, F::tile(x, {.nonsense = 1, .other = 2}));
REFUSES_OF(Shape, x.reshape({.nonsense = 1, .other = 2}));
REFUSES_OF(Sections, F::split_axis(x, {.nonsense = 2}, 0));
REFUSES_OF(PadWidth, F::pad(x, {.nonsense = 2}));
REFUSES_OF(PadWidth, F::pad(x, {.nonsense = 2, .other = 1}));
REFUSES_OF(Shape, x.transpose({.nonsense = 1, .other = 2}));

TEST(Options, AreHeldByTheCompiler) {
  const Variable x(cupyxx::ndarray(cupyxx::Shape{2, 3}));
  EXPECT_EQ(F::sum(x, {.keepdims = true}).ndim(), 2);
  EXPECT_EQ(F::prod(x, 1, {.keepdims = true}).ndim(), 2);
}

}  // namespace
}  // namespace chainerxx
