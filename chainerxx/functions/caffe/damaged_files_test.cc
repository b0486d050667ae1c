// SPDX-License-Identifier: MIT
// Caffe's files cut anywhere and with any bit or character changed: they are refused with a text
// that names the file, or give a network that computes or says why it cannot.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "chainerxx/functions/caffe/caffe.pb.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx::functions::caffe {
namespace {

const char kText[] = R"(input: "data" input_shape { dim: 1 dim: 2 dim: 4 dim: 4 }
layer { name: "c" type: "Convolution" bottom: "data" top: "c"
  convolution_param { num_output: 3 kernel_size: 3 pad: 1 group: 1 } }
layer { name: "p" type: "Pooling" bottom: "c" top: "p" pooling_param { pool: AVE kernel_size: 2 } }
layer { name: "n" type: "BatchNorm" bottom: "p" top: "n" }
layer { name: "s" type: "Scale" bottom: "n" top: "s" scale_param { axis: 1 bias_term: true } }
layer { name: "f" type: "InnerProduct" bottom: "s" top: "f" inner_product_param { num_output: 2 } }
layer { name: "d" type: "Dropout" bottom: "f" top: "d" dropout_param { dropout_ratio: 0.5 } }
layer { name: "o" type: "Softmax" bottom: "d" top: "o" softmax_param { axis: 1 } }
)";

void add_blob(caffe_files::Layer& layer, const std::vector<int>& shape) {
  caffe_files::Blob* blob = layer.add_blobs();
  int size = 1;
  for (const int extent : shape) {
    blob->mutable_shape()->add_dim(extent);
    size *= extent;
  }
  for (int i = 0; i < size; ++i) blob->add_data(static_cast<float>(i) / 8);
}

caffe_files::Layer& add_layer(caffe_files::Network& network, const char* name, const char* type,
                              const char* bottom) {
  caffe_files::Layer& layer = *network.add_layer();
  layer.set_name(name);
  layer.set_type(type);
  layer.add_bottom(bottom);
  layer.add_top(name);
  return layer;
}

/// A network of several layers with weights.
std::string binary() {
  caffe_files::Network network;
  caffe_files::Layer& c = add_layer(network, "c", "Convolution", "data");
  c.mutable_convolution_param()->set_num_output(3);
  c.mutable_convolution_param()->add_kernel_size(1);
  add_blob(c, {3, 2, 1, 1});
  add_blob(c, {3});
  caffe_files::Layer& p = add_layer(network, "p", "Pooling", "c");
  p.mutable_pooling_param()->set_kernel_size(2);
  caffe_files::Layer& n = add_layer(network, "n", "BatchNorm", "p");
  add_blob(n, {3});
  add_blob(n, {3});
  add_blob(n, {1});
  caffe_files::Layer& l = add_layer(network, "l", "LRN", "n");
  l.mutable_lrn_param()->set_local_size(3);
  caffe_files::Layer& f = add_layer(network, "o", "InnerProduct", "l");
  f.mutable_inner_product_param()->set_num_output(2);
  add_blob(f, {2, 27});
  add_blob(f, {2});
  return network.SerializeAsString();
}

class DamagedNetworksTest : public ::testing::Test {
 public:
  // A network may ask for more memory than there is: that must be an error like any other.
  DamagedNetworksTest() {
    ::getrlimit(RLIMIT_AS, &limit_);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return;  // whose shadows are terabytes of addresses
#endif
    ::rlimit little = limit_;
    little.rlim_cur = ::rlim_t{3} << 30;
    ::setrlimit(RLIMIT_AS, &little);
  }
  ~DamagedNetworksTest() override { ::setrlimit(RLIMIT_AS, &limit_); }

  /// Whether a file with this content is a network.
  bool loads(const std::string& extension, const std::string& content) {
    const std::string path = ::testing::TempDir() + "/chainerxx_damaged." + extension;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    try {
      const CaffeFunction network(path);
      ++loaded_;
      run(network);
      return true;
    } catch (const cupyxx::ValueError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with("CaffeFunction: " + path + ": ")) << text;
      return false;
    }
  }

  /// Whatever the network has become, it gives numbers or an error.
  void run(const CaffeFunction& network) {
    const Variable x(cupyxx::ones({1, 2, 4, 4}, cupyxx::float32), true);
    try {
      network({{"data", x}}, {"o"}, {.train = false});
      ++computed_;
    } catch (const cupyxx::Error& error) {
      EXPECT_NE(std::string(error.what()).find(": "), std::string::npos) << error.what();
    }
  }

  ::rlimit limit_{};
  int loaded_ = 0, computed_ = 0;
};

TEST_F(DamagedNetworksTest, TheSoundOnesCompute) {
  EXPECT_TRUE(loads("caffemodel", binary()));
  EXPECT_TRUE(loads("prototxt", kText));
  EXPECT_EQ(computed_, 2);
}

TEST_F(DamagedNetworksTest, PipesAreNotWaitedFor) {
  const std::string path = ::testing::TempDir() + "/chainerxx_pipe.caffemodel";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(CaffeFunction network(path), cupyxx::ValueError);
  ::unlink(path.c_str());
}

// What the parser does not know it keeps, at many times its bytes.
TEST_F(DamagedNetworksTest, ManyUnknownFieldsAreRefused) {
  std::string bytes = binary();
  for (int i = 0; i < 100'000; ++i) bytes += "\x78\x01";  // field 15, a number
  EXPECT_TRUE(loads("caffemodel", bytes));
  const std::string path = ::testing::TempDir() + "/chainerxx_unknown.caffemodel";
  std::ofstream(path, std::ios::binary) << bytes + "\x78\x01";
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { CaffeFunction network(path); },
      "CaffeFunction: " + path + ": holds 100001 fields that no network has");
}

TEST_F(DamagedNetworksTest, BinaryCutAnywhere) {
  const std::string whole = binary();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    loads("caffemodel", whole.substr(0, length));
  }
  EXPECT_LT(loaded_, 10);  // a cut between two layers is a smaller network
}

TEST_F(DamagedNetworksTest, BinaryWithAnyBitTurned) {
  const std::string whole = binary();
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    loads("caffemodel", changed);
  }
  EXPECT_GT(computed_, 0);
  EXPECT_LT(computed_, loaded_);
}

TEST_F(DamagedNetworksTest, TextCutAnywhere) {
  const std::string whole = kText;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    loads("prototxt", whole.substr(0, length));
  }
  EXPECT_LT(loaded_, static_cast<int>(whole.size()) / 2);
}

TEST_F(DamagedNetworksTest, TextWithAnyCharacterChanged) {
  const std::string whole = kText;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char c : {'9', '-', '}', '\377'}) {
      std::string changed = whole;
      changed[i] = c;
      loads("prototxt", changed);
    }
  }
  EXPECT_GT(computed_, 0);
  EXPECT_LT(computed_, loaded_);
}

TEST_F(DamagedNetworksTest, HugeNumbersInTexts) {
  const std::string whole = kText;
  for (const char* key : {"num_output: ", "kernel_size: ", "pad: ", "group: ", "dim: ", "axis: "}) {
    for (std::size_t at = whole.find(key); at != std::string::npos; at = whole.find(key, at + 1)) {
      for (const char* number : {"4294967295", "2147483647", "1000000", "-1", "0"}) {
        std::string changed = whole;
        changed.replace(at + std::string(key).size(), 1, number);
        loads("prototxt", changed);
      }
    }
  }
  EXPECT_LT(computed_, loaded_ + 1);
}

}  // namespace
}  // namespace chainerxx::functions::caffe
