// SPDX-License-Identifier: MIT
// What the reference networks of //conformance:caffe do not reach.
#include "chainerxx/functions/caffe/caffe_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "chainerxx/functions/caffe/caffe.pb.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx::functions::caffe {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using Names = std::vector<std::string>;

const char kText[] = R"(
name: "small"
input: "data"
input_dim: 4 input_dim: 2 input_dim: 6 input_dim: 6
layer {
  name: "block/conv" type: "Convolution" bottom: "data" top: "conv"
  convolution_param { num_output: 3 kernel_size: 3 stride: 2 pad: 1 bias_filler { value: 0.5 } }
}
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer {
  name: "pool" type: "Pooling" bottom: "conv" top: "pool"
  pooling_param { pool: AVE kernel_size: 2 stride: 2 }
}
layer {
  name: "fc" type: "InnerProduct" bottom: "pool" top: "fc"
  inner_product_param { num_output: 5 weight_filler { type: "constant" value: 1 } }
}
layer { name: "drop" type: "Dropout" bottom: "fc" top: "drop" }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "fc" bottom: "label" top: "loss" }
layer { name: "odd" type: "Mystery" bottom: "fc" top: "odd" an_unknown_field: 3 }
layer { name: "quiet" type: "Silence" bottom: "fc" }
layer { name: "late" type: "TanH" bottom: "fc" top: "late" include { phase: TEST } }
)";

class CaffeFunctionTest : public cupyxx::testing::DeviceTest {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = ::testing::TempDir() + "/chainerxx_caffe_" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  /// A network of one layer in Caffe's binary form.
  std::string binary(const std::string& name, const caffe_files::Layer& layer) const {
    caffe_files::Network network;
    *network.add_layer() = layer;
    return write(name + ".caffemodel", network.SerializeAsString());
  }
  caffe_files::Layer convolution() const {
    caffe_files::Layer layer;
    layer.set_name("conv");
    layer.set_type("Convolution");
    layer.add_bottom("data");
    layer.add_top("conv");
    layer.mutable_convolution_param()->set_num_output(2);
    layer.mutable_convolution_param()->add_kernel_size(1);
    layer.mutable_convolution_param()->set_bias_term(false);
    caffe_files::Blob* W = layer.add_blobs();
    for (const int extent : {2, 1, 1, 1}) W->mutable_shape()->add_dim(extent);
    W->add_data(3);
    W->add_data(-1);
    return layer;
  }
  Variable images(std::int64_t n) const {
    return Variable(cupyxx::ones({n, 2, 6, 6}, cupyxx::float32));
  }
};
CUPYXX_TEST_ON_DEVICES(CaffeFunctionTest);

TEST_P(CaffeFunctionTest, TextsGetSeededWeights) {
  const std::string path = write("small.prototxt", kText);
  CaffeFunction network(path, {.seed = 3}), same(path, {.seed = 3}), other(path, {.seed = 4});
  EXPECT_EQ(network.names(), Names({"block/conv", "relu", "pool", "fc", "drop", "loss", "late"}));
  EXPECT_EQ(network.ignored(), Names({"odd", "quiet"}));
  EXPECT_EQ(network.fs().fields()[0].name, "block/conv/W");
  EXPECT_EQ(network.fs().fields()[0].array->device(), device());
  const auto run = [&](const CaffeFunction& f, const char* blob) {
    return f({{"data", images(2)}}, {blob}, {.train = false})[0].data();
  };
  EXPECT_EQ(run(network, "pool").shape(), (Shape{2, 3, 2, 2}));
  EXPECT_EQ(run(network, "fc").shape(), (Shape{2, 5}));
  cupyxx::testing::expect_array_equal(run(network, "fc"), run(same, "fc"));
  EXPECT_NE(run(network, "fc").to_vector<float>(), run(other, "fc").to_vector<float>());
}

TEST_P(CaffeFunctionTest, PhasesAndDisabledLayersAreLeftOut) {
  const CaffeFunction network(write("small.prototxt", kText));
  const Variable x = images(2);
  const Variable t(cupyxx::array({0, 4}));
  EXPECT_EQ(network({{"data", x}, {"label", t}}, {"loss"})[0].shape(), Shape{});
  EXPECT_EQ(network({{"data", x}}, {"late"}, {.train = false})[0].shape(), (Shape{2, 5}));
  expect_error<cupyxx::ValueError>(
      [&] {
        network({{"data", x}}, {"late"});
      },
      "CaffeFunction: the blob is neither given nor computed; 'late'");
  expect_error<cupyxx::ValueError>(
      [&] {
        network({{"data", x}}, {"fc"}, {.disable = {"pool"}});
      },
      "CaffeFunction: the blob is neither given nor computed; 'fc'");
  // A network may be entered in the middle.
  const Variable fc(cupyxx::zeros({1, 5}, cupyxx::float32));
  expect_elements<float>(network({{"fc", fc}}, {"late"}, {.train = false})[0].data(), {1, 5},
                         {0, 0, 0, 0, 0});
}

TEST_P(CaffeFunctionTest, GradientsGoThroughTheNetwork) {
  CaffeFunction network(write("small.prototxt", kText));
  const Variable x = images(2), t(cupyxx::array({0, 4}));
  network({{"data", x}, {"label", t}}, {"loss"})[0].backward();
  EXPECT_EQ(x.grad().shape(), x.shape());
  const auto& fields = network.fs().fields();
  EXPECT_NE(fields[2].gradient->to_vector<float>(), std::vector<float>(60, 0.0f));
}

TEST_P(CaffeFunctionTest, ReadsWeights) {
  const CaffeFunction network(binary("sound", convolution()));
  const Variable x(cupyxx::full({1, 1, 1, 1}, 2, cupyxx::float32));
  expect_elements<float>(network({{"data", x}}, {"conv"})[0].data(), {1, 2, 1, 1}, {6, -2});
}

TEST_P(CaffeFunctionTest, RefusesWhatDoesNotFit) {
  const auto refuses = [](const std::string& path, const std::string& what) {
    expect_error<cupyxx::ValueError>([&] { CaffeFunction{path}; },
                                     "CaffeFunction: " + path + ": " + what);
  };
  caffe_files::Layer layer = convolution();
  layer.mutable_blobs(0)->mutable_data()->RemoveLast();
  refuses(binary("short", layer),
          "layer 'conv' (Convolution) declares an array of shape (2, 1, 1, 1) but holds 1 numbers");
  layer = convolution();
  layer.mutable_blobs(0)->mutable_shape()->set_dim(1, std::int64_t{1} << 62);
  refuses(binary("huge", layer),
          "layer 'conv' (Convolution) declares an impossible shape; shape: the number of elements "
          "exceeds 64 bits; (2, 4611686018427387904, 1, 1)");
  layer = convolution();
  layer.mutable_convolution_param()->set_num_output(5);
  refuses(binary("outputs", layer),
          "layer 'conv' (Convolution) does not fit its weights; Convolution2D: initialW has the "
          "wrong shape; (2, 1, 1, 1) instead of (5, 1, 1, 1)");
  layer = convolution();
  layer.set_type("Pooling");
  refuses(binary("window", layer), "layer 'conv' (Pooling) has an impossible window");
  layer = convolution();
  layer.set_type("LRN");
  layer.mutable_lrn_param()->set_norm_region(caffe_files::LrnParam::WITHIN_CHANNEL);
  layer.mutable_lrn_param()->set_local_size(4);
  refuses(binary("lrn", layer), "layer 'conv' (LRN) has a window without centre; local_size is 4");
  refuses(write("bare.prototxt", R"(layer { name: "fc" type: "InnerProduct" bottom: "data"
            top: "fc" inner_product_param { num_output: 2 } })"),
          "layer 'fc' (InnerProduct) has no weights, and the shape of its input is not known");
}

TEST_P(CaffeFunctionTest, LayersAreFunctionsByTheirNames) {
  const CaffeFunction network(write("small.prototxt", kText));
  const auto layers = network.forwards();
  EXPECT_EQ(layers.size(), 7u);
  EXPECT_FALSE(layers.contains("odd"));
  const Variable x(cupyxx::array({{-1.f, 2.f}}));
  expect_elements<float>(layers.at("relu")({x}, false)[0].data(), {1, 2}, {0, 2});
  expect_elements<float>(layers.at("drop")({x}, false)[0].data(), {1, 2}, {-1, 2});
  const Variable conv = layers.at("block/conv")({images(2)}, false)[0];
  const Variable pool = layers.at("pool")(layers.at("relu")({conv}, false), false)[0];
  cupyxx::testing::expect_array_equal(pool.data(),
                                      network({{"data", images(2)}}, {"pool"})[0].data());
}

// Caffe: the squares are averaged under a window of one channel, zeros outside included, then
// 1 + alpha * mean is the base of the power.
TEST_P(CaffeFunctionTest, NormalisesWithinChannels) {
  caffe_files::Layer layer = convolution();
  layer.set_type("LRN");
  layer.clear_blobs();
  layer.mutable_lrn_param()->set_norm_region(caffe_files::LrnParam::WITHIN_CHANNEL);
  layer.mutable_lrn_param()->set_local_size(3);
  layer.mutable_lrn_param()->set_alpha(0.5);
  layer.mutable_lrn_param()->set_beta(0.75);
  layer.mutable_lrn_param()->set_k(7);  // has no effect here, as in Caffe
  const CaffeFunction network(binary("within", layer));
  constexpr int kSize = 4;
  const ndarray x = cupyxx::arange(2 * kSize * kSize, cupyxx::float32).reshape({1, 2, 4, 4}) - 9;
  const std::vector<float> in = x.to_vector<float>();
  std::vector<float> expected;
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        double sum = 0;
        for (int p = std::max(i - 1, 0); p < std::min(i + 2, kSize); ++p) {
          for (int q = std::max(j - 1, 0); q < std::min(j + 2, kSize); ++q) {
            const int place = (c * kSize + p) * kSize + q;
            const double v = in[static_cast<std::size_t>(place)];
            sum += v * v;
          }
        }
        const int place = (c * kSize + i) * kSize + j;
        const double v = in[static_cast<std::size_t>(place)];
        expected.push_back(static_cast<float>(v / std::pow(1 + 0.5 * sum / 9, 0.75)));
      }
    }
  }
  cupyxx::testing::expect_allclose(network({{"data", Variable(x)}}, {"conv"})[0].data(),
                                   cupyxx::array(expected).reshape({1, 2, 4, 4}), 1e-5, 1e-6);
}

TEST_P(CaffeFunctionTest, RefusesDamagedFiles) {
  const auto refuses = [](const std::string& path, const std::string& what) {
    expect_error<cupyxx::ValueError>([&] { CaffeFunction{path}; },
                                     "CaffeFunction: " + path + ": " + what);
  };
  caffe_files::Network network;
  *network.add_layer() = convolution();
  const std::string whole = network.SerializeAsString();
  refuses(write("cut.caffemodel", whole.substr(0, whole.size() - 3)),
          "is damaged or no network in Caffe's binary form");
  refuses(write("noise.caffemodel", "\377\377\377\377 not a network"),
          "is damaged or no network in Caffe's binary form");
  refuses(write("empty.caffemodel", ""), "holds no layers");
  refuses(write("wrong.prototxt", "layer {\n  name: 3\n}"),
          "is no network; line 2, column 9: Expected string, got: 3");
  // Deeper than the stack has frames for.
  for (const char* open : {"layer {", "unknown {", "unknown: [", "unknown <"}) {
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += i == 0 || open[0] == 'u' ? open : "unknown {";
    refuses(write("deep.prototxt", deep), "is no network; line 1, column ");
  }
  std::string lists = "unknown: ";
  lists.append(200000, '[');
  refuses(write("lists.prototxt", lists), "is no network; line 1, column ");
  refuses("/nowhere/model.caffemodel", "cannot be opened; No such file or directory");
  refuses(::testing::TempDir(), "cannot be read; it is a directory");
}

}  // namespace
}  // namespace chainerxx::functions::caffe
