// SPDX-License-Identifier: MIT
// Readers of networks, models and optimizers take time and memory in proportion to what a file
// holds.
#include "cupyxx/testing/fuzz/reader_costs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "chainerxx/functions/caffe/caffe.pb.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace cupyxx::fuzz {
namespace {

namespace F = chainerxx::functions;
using chainerxx::caffe_files::Blob;
using chainerxx::caffe_files::Layer;
using chainerxx::caffe_files::Network;

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

double write_repeated(const std::string& path, std::int64_t bytes, const std::string& part,
                      double held_per_part) {
  const std::int64_t count = bytes / static_cast<std::int64_t>(part.size());
  std::ofstream file(path, std::ios::binary);
  for (std::int64_t i = 0; i < count; ++i) file << part;
  return held_per_part * static_cast<double>(count);
}

/// A layer with a matrix of 4 rows, whose numbers are added to the blob.
Blob& product(Network& network, std::int64_t columns) {
  Layer& layer = *network.add_layer();
  layer.set_name("fc");
  layer.set_type("InnerProduct");
  layer.add_bottom("data");
  layer.add_top("fc");
  layer.mutable_inner_product_param()->set_num_output(4);
  layer.mutable_inner_product_param()->set_bias_term(false);
  Blob& blob = *layer.add_blobs();
  blob.mutable_shape()->add_dim(4);
  blob.mutable_shape()->add_dim(columns);
  return blob;
}

std::string product_as_text(std::int64_t columns) {
  return "layer { name: 'fc' type: 'InnerProduct' bottom: 'data' top: 'fc' inner_product_param { "
         "num_output: 4 bias_term: false } blobs { shape { dim: 4 dim: " +
         std::to_string(columns) + " } ";
}

void read_network(const std::string& path) { F::caffe::CaffeFunction network(path); }
void refuse_network(const std::string& path) {
  try {
    F::caffe::CaffeFunction network(path);
  } catch (const Error&) {
  }
}

struct Model : chainerxx::FunctionSet {
  explicit Model(std::int64_t columns)
      : l1(add("l1",
               F::Linear(columns, 4, {.nobias = true, .initialW = zeros({4, columns}, float32)}))) {
    zero_grads();
  }
  F::Linear& l1;
};

/// The model whose file is this: that of so many arrays, with less than a KiB around them.
std::int64_t columns_of(const std::string& path, std::int64_t arrays) {
  return static_cast<std::int64_t>(std::filesystem::file_size(path)) / 16 / arrays / 1024 * 1024;
}

const Kind kKinds[] = {
    {"caffemodel",
     [](const std::string& path, std::int64_t bytes) {
       Network network;
       Blob& blob = product(network, bytes / 16);
       for (std::int64_t i = 0; i < bytes / 16 * 4; ++i) blob.add_data(0.5F);
       write_bytes(path, network.SerializeAsString());
       return 0.0;
     },
     read_network, ".caffemodel",
     12e6},  // the parser's list of numbers grows in steps, whose blocks the C library keeps
    {"caffemodelDouble",
     [](const std::string& path, std::int64_t bytes) {
       Network network;
       Blob& blob = product(network, bytes / 32);
       for (std::int64_t i = 0; i < bytes / 32 * 4; ++i) blob.add_double_data(0.5);
       write_bytes(path, network.SerializeAsString());
       return 0.0;
     },
     read_network, ".caffemodel"},
    {"caffemodelManyLayers",
     [](const std::string& path, std::int64_t bytes) {
       Network network;
       for (std::int64_t i = 0; i < bytes / 60; ++i) {
         Layer& layer = *network.add_layer();
         layer.set_name("relu_" + std::to_string(i));
         layer.set_type("ReLU");
         layer.add_bottom("data");
         layer.add_top("top_" + std::to_string(i));
       }
       write_bytes(path, network.SerializeAsString());
       // A layer with its names is about 500 bytes as a row of a table.
       return 500.0 * static_cast<double>(network.layer_size());
     },
     read_network, ".caffemodel"},
    // Field 15, which no network has: a number of one byte.
    {"caffemodelUnknownNumbers",
     [](const std::string& path, std::int64_t bytes) {
       return write_repeated(path, bytes, "\x78\x01", 0);
     },
     refuse_network, ".caffemodel"},
    // The same in a layer.
    {"caffemodelUnknownNumbersOfALayer",
     [](const std::string& path, std::int64_t bytes) {
       Network network;
       Blob& blob = product(network, 1);
       for (int i = 0; i < 4; ++i) blob.add_data(1);
       std::string unknown;
       for (std::int64_t i = 0; i < bytes / 2; ++i) unknown += "\x78\x01";
       network.mutable_layer(0)->mutable_unknown_fields()->ParseFromString(unknown);
       write_bytes(path, network.SerializeAsString());
       return 0.0;
     },
     refuse_network, ".caffemodel"},
    {"prototxt",
     [](const std::string& path, std::int64_t bytes) {
       const std::int64_t columns = bytes / 16 / 4;
       std::ofstream file(path);
       file << product_as_text(columns);
       for (std::int64_t i = 0; i < columns * 4; ++i) file << "data: 0.50000001 ";
       file << "} }";
       return 0.0;
     },
     read_network, ".prototxt"},
    {"prototxtLists",
     [](const std::string& path, std::int64_t bytes) {
       const std::int64_t columns = bytes / 4 / 4;
       std::ofstream file(path);
       file << product_as_text(columns) << "data: [1";
       for (std::int64_t i = 1; i < columns * 4; ++i) file << ", 1";
       file << "] } }";
       return 4.0 * 4 * static_cast<double>(columns);
     },
     read_network, ".prototxt"},
    {"prototxtComments",
     [](const std::string& path, std::int64_t bytes) {
       return write_repeated(path, bytes, "# none\n", 0);
     },
     refuse_network, ".prototxt"},
    {"prototxtUnknown",
     [](const std::string& path, std::int64_t bytes) {
       return write_repeated(path, bytes, "odd { a: 1 b: 'c' }\n", 0);
     },
     refuse_network, ".prototxt"},
    {"modelNpz",
     [](const std::string& path, std::int64_t bytes) {
       Model model(bytes / 16);
       save_npz(path, model);
       return 0.0;
     },
     [](const std::string& path) {
       Model model(columns_of(path, 1));
       load_npz(path, model);
     },
     ".npz"},
    {"modelSafetensors",
     [](const std::string& path, std::int64_t bytes) {
       Model model(bytes / 16);
       save_safetensors(path, model);
       return 0.0;
     },
     [](const std::string& path) {
       Model model(columns_of(path, 1));
       load_safetensors(path, model);
     },
     ".safetensors"},
    {"optimizerNpz",
     [](const std::string& path, std::int64_t bytes) {
       Model model(bytes / 32);
       chainerxx::optimizers::Adam adam;
       adam.setup(model);
       adam.update();
       save_npz(path, adam);
       return 0.0;
     },
     [](const std::string& path) {
       Model model(columns_of(path, 2));
       chainerxx::optimizers::Adam adam;
       adam.setup(model);
       load_npz(path, adam);
     },
     ".npz"},
};

TEST_P(ReaderCostsTest, AreLinear) { expect_linear(); }

INSTANTIATE_TEST_SUITE_P(, ReaderCostsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cupyxx::fuzz
