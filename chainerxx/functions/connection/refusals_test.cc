// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, but for convolutions, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "chainerxx/functions/connection/attention.h"
#include "chainerxx/functions/connection/bilinear.h"
#include "chainerxx/functions/connection/embed_id.h"
#include "chainerxx/functions/connection/feed_forward.h"
#include "chainerxx/functions/connection/gru.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/lstm_sequence.h"
#include "chainerxx/functions/connection/multi_head_attention.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/functions/connection/rotary_embedding.h"
#include "chainerxx/functions/connection/scale.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class ConnectionRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ConnectionRefusalsTest);

using Inputs = std::vector<Variable>;

TEST_P(ConnectionRefusalsTest, FeedForward) {
  expect_refusals({
      {"a negative size", [] { F::FeedForward(2, -1); }, "ValueError",
       "Linear: a size is negative; (2, -1)"},
      {"another dtype than W",
       [] {
         F::FeedForward(3, 4)(f64({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"another width",
       [] {
         F::FeedForward(3, 4)(f32({2, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == wide.W.shape[1]\nActual: 4 != 3"},
      {"a vector", [] { F::FeedForward(3, 4)(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
  });
}

TEST_P(ConnectionRefusalsTest, Linear) {
  expect_refusals({
      {"a negative size", [] { F::Linear(-1, 2); }, "ValueError",
       "Linear: a size is negative; (-1, 2)"},
      {"a negative size of the result", [] { F::Linear(1, -2); }, "ValueError",
       "Linear: a size is negative; (1, -2)"},
      {"initialW of another shape",
       [] {
         F::Linear(3, 2, {.initialW = cupyxx::ones({3, 2}, cupyxx::float32)});
       },
       "ShapeError", "Linear: initialW has the wrong shape; (3, 2) instead of (2, 3)"},
      {"initialW of integers",
       [] {
         F::Linear(3, 2, {.initialW = cupyxx::ones({2, 3}, cupyxx::int32)});
       },
       "DtypeError", "Linear: initialW: parameters are floating; int32"},
      {"initial_bias of another shape",
       [] { F::Linear(3, 2, {.initial_bias = cupyxx::ones({3}, cupyxx::float32)}); }, "ShapeError",
       "Linear: initial_bias has the wrong shape; (3,) instead of (2,)"},
      {"initial_bias of another dtype",
       [] { F::Linear(3, 2, {.initial_bias = cupyxx::ones({2}, cupyxx::float64)}); }, "DtypeError",
       "Linear: initial_bias has another dtype than W; float64 and float32"},
      {"parameters of integers", [] { F::Linear(3, 2, {.dtype = cupyxx::int32}); }, "DtypeError",
       "Linear: parameters are floating; int32"},
      {"integers",
       [] {
         F::Linear(3, 2)(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: int32 != float32"},
      {"another dtype than W",
       [] {
         F::Linear(3, 2)(f64({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"a bias beside other weights",
       [] {
         F::Linear layer(3, 2);
         layer.W = cupyxx::ones({5, 3}, cupyxx::float32);
         layer(f32({2, 3}));
       },
       "ShapeError", "Linear: b has shape (2,) beside W of shape (5, 3); (5,) is needed"},
      {"weights without rows",
       [] {
         F::Linear layer(3, 2, {.nobias = true});
         layer.W = cupyxx::ones({3}, cupyxx::float32);
         layer(f32({2, 3}));
       },
       "ShapeError", "Linear: W has shape (3,); 2 axes are needed"},
      {"a vector", [] { F::Linear(3, 2)(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"another width",
       [] {
         F::Linear(3, 2)(f32({2, 4}));
       },
       "InvalidType", "Expect: prod(in_types[0].shape[1:]) == W.shape[1]\nActual: 4 != 3"},
      {"two inputs",
       [] {
         F::Linear(3, 2).call(Inputs{f32({2, 3}), f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
      {"x of integers",
       [] {
         F::linear(i32({2, 3}), f32({4, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"W of another dtype",
       [] {
         F::linear(f32({2, 3}), f64({4, 3}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"x as a vector",
       [] {
         F::linear(f32({3}), f32({4, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"W as a vector",
       [] {
         F::linear(f32({2, 3}), f32({3}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 2\nActual: 1 != 2"},
      {"W of another width",
       [] {
         F::linear(f32({2, 2, 3}), f32({4, 5}));
       },
       "InvalidType",
       "Expect: prod(in_types[0].shape[1:]) == in_types[1].shape[1]\nActual: 6 != 5"},
      {"b of another dtype",
       [] {
         F::linear(f32({2, 3}), f32({4, 3}), f64({4}));
       },
       "InvalidType", "Expect: in_types[2].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"b as a matrix",
       [] {
         F::linear(f32({2, 3}), f32({4, 3}), f32({4, 1}));
       },
       "InvalidType", "Expect: in_types[2].ndim == 1\nActual: 2 != 1"},
      {"b of another extent",
       [] {
         F::linear(f32({2, 3}), f32({4, 3}), f32({3}));
       },
       "InvalidType", "Expect: in_types[2].shape[0] == in_types[1].shape[0]\nActual: 3 != 4"},
      {"x alone",
       [] {
         F::LinearFunction().call(Inputs{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size >= 2\nActual: 1 < 2"},
      {"four inputs",
       [] {
         F::LinearFunction().call(Inputs{f32({2, 3}), f32({4, 3}), f32({4}), f32({4})});
       },
       "InvalidType", "Expect: in_types.size <= 3\nActual: 4 > 3"},
  });
}

TEST_P(ConnectionRefusalsTest, BilinearAsAFunction) {
  const Variable e1 = f32({2, 3}), e2 = f32({2, 4}), W = f32({3, 4, 5});
  expect_refusals({
      {"another batch",
       [=] {
         F::bilinear(e1, f32({1, 4}), W);
       },
       "ShapeError", "bilinear: the shapes do not fit; e1 (2, 3), e2 (1, 4) and W (3, 4, 5)"},
      {"W of two axes",
       [=] {
         F::bilinear(e1, e2, f32({3, 4}));
       },
       "ShapeError", "bilinear: the shapes do not fit; e1 (2, 3), e2 (2, 4) and W (3, 4)"},
      {"the linear part in part",
       [=] {
         F::bilinear(e1, e2, W, f32({3, 5}));
       },
       "TypeError", "bilinear: input 4 is None"},
      {"another linear part",
       [=] {
         F::bilinear(e1, e2, W, f32({3, 5}), f32({4, 5}), f32({4}));
       },
       "ShapeError",
       "bilinear: the shapes do not fit; V1 (3, 5), V2 (4, 5), b (4,) and W (3, 4, 5)"},
      {"another dtype",
       [=] {
         F::bilinear(e1, f64({2, 4}), W);
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
  });
}

TEST_P(ConnectionRefusalsTest, Bilinear) {
  expect_refusals({
      {"a negative size", [] { F::Bilinear(-1, 2, 3); }, "ValueError",
       "Bilinear: a size is negative; (-1, 2, 3)"},
      {"initialW of another shape",
       [] {
         F::Bilinear(1, 2, 3, {.initialW = cupyxx::ones({1, 2}, cupyxx::float32)});
       },
       "ShapeError", "Bilinear: initialW has the wrong shape; (1, 2) instead of (1, 2, 3)"},
      {"initial_V1 of another shape",
       [] {
         F::Bilinear(1, 2, 3, {.initial_V1 = cupyxx::ones({2, 3}, cupyxx::float32)});
       },
       "ShapeError", "Bilinear: initial_V1 has the wrong shape; (2, 3) instead of (1, 3)"},
      {"initial_V2 of another shape",
       [] {
         F::Bilinear(1, 2, 3, {.initial_V2 = cupyxx::ones({1, 3}, cupyxx::float32)});
       },
       "ShapeError", "Bilinear: initial_V2 has the wrong shape; (1, 3) instead of (2, 3)"},
      {"initial_bias of another shape",
       [] { F::Bilinear(1, 2, 3, {.initial_bias = cupyxx::ones({2}, cupyxx::float32)}); },
       "ShapeError", "Bilinear: initial_bias has the wrong shape; (2,) instead of (3,)"},
      {"integers",
       [] {
         F::Bilinear(2, 3, 4)(i32({5, 2}), f32({5, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: int32 != float32"},
      {"another dtype of the second",
       [] {
         F::Bilinear(2, 3, 4)(f32({5, 2}), f64({5, 3}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"a vector",
       [] {
         F::Bilinear(2, 3, 4)(f32({2}), f32({5, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"a vector as the second",
       [] {
         F::Bilinear(2, 3, 4)(f32({5, 2}), f32({3}));
       },
       "InvalidType", "Expect: in_types[1].ndim >= 2\nActual: 1 < 2"},
      {"another batch",
       [] {
         F::Bilinear(2, 3, 4)(f32({5, 2}), f32({6, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 5 != 6"},
      {"another width",
       [] {
         F::Bilinear(2, 3, 4)(f32({5, 3}), f32({5, 3}));
       },
       "InvalidType", "Expect: prod(in_types[0].shape[1:]) == W.shape[0]\nActual: 3 != 2"},
      {"another width of the second",
       [] {
         F::Bilinear(2, 3, 4)(f32({5, 2}), f32({5, 2}));
       },
       "InvalidType", "Expect: prod(in_types[1].shape[1:]) == W.shape[1]\nActual: 2 != 3"},
      {"one input",
       [] {
         F::Bilinear(2, 3, 4).call(Inputs{f32({5, 2})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

// NumPy's default dtype, where the layer has Chainer's.
TEST_P(ConnectionRefusalsTest, AnInputOfAnotherDtypeSaysWhatToWrite) {
  const cupyxx::ndarray x = cupyxx::ones({2, 3});
  cupyxx::testing::expect_error<typecheck::InvalidType>(
      [&] { F::Linear(3, 2)(x); },
      "Linear: float64 input 0, try .astype(cupyxx::float32): invalid types of the inputs\nExpect: "
      "in_types[0].dtype == float32\nActual: float64 != float32");
}

TEST_P(ConnectionRefusalsTest, EmbedID) {
  expect_refusals({
      {"a negative size", [] { F::EmbedID(-1, 2); }, "ValueError",
       "EmbedID: a size is negative; (-1, 2)"},
      {"initialW of another shape",
       [] {
         F::EmbedID(2, 3, {.initialW = cupyxx::ones({3, 2}, cupyxx::float32)});
       },
       "ShapeError", "EmbedID: initialW has the wrong shape; (3, 2) instead of (2, 3)"},
      {"floating ids", [] { F::EmbedID(2, 3)(f32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == i\nActual: f != i"},
      {"a number as ids", [] { F::EmbedID(2, 3)(i32({})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
      {"two inputs",
       [] {
         F::EmbedID(2, 3).call(Inputs{i32({2}), i32({2})});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
      {"floating ids of a variable",
       [] {
         F::embed_id(f32({2}), f32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == i\nActual: f != i"},
      {"W of integers",
       [] {
         F::embed_id(i32({2}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == f\nActual: i != f"},
      {"W as a vector", [] { F::embed_id(i32({2}), f32({2})); }, "InvalidType",
       "Expect: in_types[1].ndim == 2\nActual: 1 != 2"},
      {"embedding_dropout of everything",
       [] {
         F::embedding_dropout(f32({2, 3}), 1);
       },
       "ValueError", "dropout: the ratio is outside of [0, 1); 1.0"},
      {"embedding_dropout of a vector", [] { F::embedding_dropout(f32({2})); }, "ShapeError",
       "embedding_dropout: W is no matrix; (2,)"},
  });
  for (const int id : {2, -3}) {
    const auto call = [&] { F::EmbedID(2, 3)(cupyxx::array({0, id})).data().to_vector<float>(); };
    EXPECT_THROW(call(), cupyxx::IndexError) << id;
  }
}

TEST_P(ConnectionRefusalsTest, Others) {
  const std::string place = cupyxx::current_device().name();
  const std::string other_tokens = cupyxx::message(
      "MultiHeadAttention: the cache is of other tokens; keys (2, 2, 64, 2) float32 on ", place,
      " of 3 tokens and (1, 2, 3, 2) float32 on ", place);
  expect_refusals({
      {"Parameter of None", [] { F::Parameter(cupyxx::ndarray{}); }, "TypeError",
       "Parameter: the array is None"},
      {"Parameter of integers", [] { F::Parameter(cupyxx::ones({2}, cupyxx::int32)); },
       "DtypeError", "Parameter: parameters are floating; int32"},
      {"Parameter of an input",
       [] {
         const F::Parameter layer(cupyxx::ones({2}, cupyxx::float32));
         layer.call(Inputs{f32({2})});
       },
       "InvalidType", "Expect: in_types.size == 0\nActual: 1 != 0"},
      {"Scale from a negative axis", [] { F::Scale({2}, -1); }, "ValueError",
       "Scale: the axis is negative; -1"},
      {"Scale with initialW of another shape",
       [] { F::Scale({2}, 1, {.initialW = cupyxx::ones({3}, cupyxx::float32)}); }, "ShapeError",
       "Scale: initialW has the wrong shape; (3,) instead of (2,)"},
      {"Scale of another dtype",
       [] {
         F::Scale({2})(f64({3, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"Scale of too few axes", [] { F::Scale({2})(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= axis + W.ndim\nActual: 1 < 2"},
      {"Scale of another extent",
       [] {
         F::Scale({2})(f32({3, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == W.shape[0]\nActual: 4 != 2"},
      {"scale beyond the axes",
       [] {
         F::scale(f32({3, 2}), f32({2}), 2);
       },
       "ShapeError", "scale: y does not fit into x from axis 2; (2,) and (3, 2)"},
      {"Scale from an axis beyond all",
       [] {
         F::Scale({2}, 2147483647)(f32({3, 2}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= axis + W.ndim\nActual: 2 < 2147483648"},
      {"scale from an axis beyond all",
       [] {
         F::scale(f32({3, 2}), f32({2}), 2147483647);
       },
       "ShapeError", "scale: y does not fit into x from axis 2147483647; (2,) and (3, 2)"},
      {"scale from a negative axis",
       [] {
         F::scale(f32({3, 2}), f32({2}), -1);
       },
       "ShapeError", "scale: y does not fit into x from axis -1; (2,) and (3, 2)"},
      {"scale of another extent",
       [] {
         F::scale(f32({3, 2}), f32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == shape[-1]\nActual: 3 != 2"},
      {"attention of matrices",
       [] {
         F::scaled_dot_product_attention(f32({2, 3}), f32({2, 3}), f32({2, 3}));
       },
       "ShapeError",
       "scaled_dot_product_attention: the inputs have fewer than 3 axes; (2, 3), (2, 3) and (2, "
       "3)"},
      {"attention with keys of another depth",
       [] {
         F::scaled_dot_product_attention(f32({1, 2, 3}), f32({1, 2, 4}), f32({1, 2, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == in_types[1].shape[-1]\nActual: 3 != 4"},
      {"attention with other numbers of keys and values",
       [] {
         F::scaled_dot_product_attention(f32({1, 2, 3}), f32({1, 4, 3}), f32({1, 5, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == in_types[1].shape[-2]\nActual: 4 != 5"},
      {"attention with a mask of numbers",
       [] {
         F::scaled_dot_product_attention(f32({1, 2, 3}), f32({1, 4, 3}), f32({1, 4, 3}),
                                         {.mask = cupyxx::ones({2, 4})});
       },
       "DtypeError", "scaled_dot_product_attention: the mask is not bool; float64"},
      {"attention with a mask of another shape",
       [] {
         F::scaled_dot_product_attention(f32({1, 2, 3}), f32({1, 4, 3}), f32({1, 4, 3}),
                                         {.mask = cupyxx::ones({2, 5}, cupyxx::bool_)});
       },
       "ShapeError",
       "scaled_dot_product_attention: the mask does not broadcast to the weights; (2, 5) and (1, "
       "2, 4)"},
      {"attention with batches that do not broadcast",
       [] {
         F::scaled_dot_product_attention(f32({2, 2, 3}), f32({3, 4, 3}), f32({3, 4, 3}));
       },
       "ShapeError",
       "scaled_dot_product_attention: operands could not be broadcast together with shapes (2,) "
       "and (3,)"},
      {"attention that drops everything",
       [] {
         F::scaled_dot_product_attention(f32({1, 2, 3}), f32({1, 4, 3}), f32({1, 4, 3}),
                                         {.dropout_ratio = 1});
       },
       "ValueError", "scaled_dot_product_attention: the ratio is outside of [0, 1); 1.0"},
      {"self-attention of a matrix",
       [] {
         F::self_attention(f32({2, 6}), 1);
       },
       "ShapeError", "self_attention: qkv is not (n, length, 3 heads depth); (2, 6) and 1 heads"},
      {"self-attention of heads that do not divide",
       [] {
         F::self_attention(f32({2, 3, 12}), 3);
       },
       "ShapeError",
       "self_attention: qkv is not (n, length, 3 heads depth); (2, 3, 12) and 3 heads"},
      {"heads whose number triples beyond 64 bits",
       [] {
         F::self_attention(f32({2, 3, 12}), std::numeric_limits<std::int64_t>::max());
       },
       "ShapeError",
       "self_attention: qkv is not (n, length, 3 heads depth); (2, 3, 12) and 9223372036854775807 "
       "heads"},
      {"units that triple beyond 64 bits", [] { F::MultiHeadAttention(INT64_C(1) << 62, 1); },
       "ValueError", "MultiHeadAttention: the extent exceeds 64 bits; 3 * 4611686018427387904"},
      {"rotary positions of a depth that doubles beyond 64 bits",
       [] { F::MultiHeadAttention(6, INT64_C(1) << 62, {.rotary_base = 10}); }, "ValueError",
       "MultiHeadAttention: the heads do not divide the units, evenly as rotary positions ask; 6 "
       "units and 4611686018427387904 heads"},
      {"heads that do not divide the units", [] { F::MultiHeadAttention(6, 4); }, "ValueError",
       "MultiHeadAttention: the heads do not divide the units; 6 units and 4 heads"},
      {"rotary positions of an odd depth", [] { F::MultiHeadAttention(6, 2, {.rotary_base = 10}); },
       "ValueError",
       "MultiHeadAttention: the heads do not divide the units, evenly as rotary positions ask; 6 "
       "units and 2 heads"},
      {"several heads of other units",
       [] {
         F::MultiHeadAttention(4, 2)(f32({2, 3, 5}));
       },
       "ShapeError", "MultiHeadAttention: x is not (n, length, 4); (2, 3, 5)"},
      {"a cache in training",
       [] {
         F::KeyValueCache cache;
         F::MultiHeadAttention(4, 2)(f32({2, 3, 4}), {}, &cache);
       },
       "ValueError",
       "MultiHeadAttention: a cache is for generation, without a graph: in NoGradScope"},
      {"a cache of another batch",
       [] {
         F::KeyValueCache cache;
         F::MultiHeadAttention layer(4, 2);
         const NoGradScope generation;
         layer(f32({2, 3, 4}), {}, &cache);
         layer(f32({1, 3, 4}), {}, &cache);
       },
       "ShapeError", other_tokens.c_str()},
      {"rotary embedding of an odd depth",
       [] {
         F::rotary_embedding(f32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] % 2 == 0\nActual: 1 != 0"},
      {"rotary embedding of base 0",
       [] {
         F::rotary_embedding(f32({2, 4}), {.base = 0});
       },
       "ValueError", "rotary_embedding: the base is not positive; 0.0"},
      {"self-attention of no heads",
       [] {
         F::self_attention(f32({2, 3, 12}), 0);
       },
       "ShapeError",
       "self_attention: qkv is not (n, length, 3 heads depth); (2, 3, 12) and 0 heads"},
      {"GRU of negative size", [] { F::GRU(-1, 2); }, "ValueError",
       "Linear: a size is negative; (-1, 2)"},
      {"LSTMSequence of gates beyond 64 bits", [] { F::LSTMSequence(2, INT64_C(1) << 62); },
       "ValueError", "LSTMSequence: the extent exceeds 64 bits; 4 * 4611686018427387904"},
      {"LSTMSequence of negative size", [] { F::LSTMSequence(2, -1); }, "ValueError",
       "LSTMSequence: a size is negative; (2, -1)"},
      {"LSTMSequence with U of another shape",
       [] {
         F::LSTMSequence layer(3, 2);
         layer.U = f32({7, 2}).data();
         layer.gU = f32({7, 2}).data();
         layer(f32({2, 1, 3}), f32({1, 2}), f32({1, 2}));
       },
       "ShapeError", "LSTMSequence: U has shape (7, 2) beside W of shape (8, 3); (8, 2) is needed"},
      {"LSTMSequence of rows",
       [] {
         F::LSTMSequence layer(3, 2);
         layer(f32({1, 3}), f32({1, 2}), f32({1, 2}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 3\nActual: 2 != 3"},
      {"LSTMSequence of another batch",
       [] {
         F::LSTMSequence layer(3, 2);
         layer(f32({4, 2, 3}), f32({1, 2}), f32({1, 2}));
       },
       "InvalidType", "Expect: in_types[1].shape[0] == in_types[0].shape[1]\nActual: 1 != 2"},
      {"GRU of another width",
       [] {
         F::GRU gru(3, 2);
         gru(f32({1, 2}), f32({1, 2}));
       },
       "InvalidType", "Expect: prod(in_types[0].shape[1:]) == W.shape[1]\nActual: 2 != 3"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
