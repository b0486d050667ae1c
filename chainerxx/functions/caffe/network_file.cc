// SPDX-License-Identifier: MIT
#include "chainerxx/functions/caffe/network_file.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/wire_format_lite.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

namespace pb = google::protobuf;
using caffe_files::Layer;
using caffe_files::Network;
using caffe_files::OldLayer;

/// The name of an older layer's type in the newer files.
std::string type_name(OldLayer::Type type) {
  switch (type) {
    case OldLayer::ABSVAL:
      return "AbsVal";
    case OldLayer::CONCAT:
      return "Concat";
    case OldLayer::CONVOLUTION:
      return "Convolution";
    case OldLayer::DECONVOLUTION:
      return "Deconvolution";
    case OldLayer::DROPOUT:
      return "Dropout";
    case OldLayer::ELTWISE:
      return "Eltwise";
    case OldLayer::FLATTEN:
      return "Flatten";
    case OldLayer::INNER_PRODUCT:
      return "InnerProduct";
    case OldLayer::LRN:
      return "LRN";
    case OldLayer::POOLING:
      return "Pooling";
    case OldLayer::POWER:
      return "Power";
    case OldLayer::RELU:
      return "ReLU";
    case OldLayer::SIGMOID:
      return "Sigmoid";
    case OldLayer::SLICE:
      return "Slice";
    case OldLayer::SOFTMAX:
      return "Softmax";
    case OldLayer::SOFTMAX_LOSS:
      return "SoftmaxWithLoss";
    case OldLayer::SPLIT:
      return "Split";
    case OldLayer::TANH:
      return "TanH";
    default:
      return OldLayer::Type_Name(type);
  }
}

void translate(OldLayer& old, Layer& layer) {
  layer.set_name(old.name());
  layer.set_type(type_name(old.type()));
  layer.mutable_bottom()->Swap(old.mutable_bottom());
  layer.mutable_top()->Swap(old.mutable_top());
  layer.mutable_blobs()->Swap(old.mutable_blobs());
  layer.mutable_include()->Swap(old.mutable_include());
  layer.mutable_exclude()->Swap(old.mutable_exclude());
#define CHAINERXX_PARAM(name) \
  if (old.has_##name()) *layer.mutable_##name() = old.name()
  CHAINERXX_PARAM(concat_param);
  CHAINERXX_PARAM(convolution_param);
  CHAINERXX_PARAM(dropout_param);
  CHAINERXX_PARAM(eltwise_param);
  CHAINERXX_PARAM(inner_product_param);
  CHAINERXX_PARAM(lrn_param);
  CHAINERXX_PARAM(pooling_param);
  CHAINERXX_PARAM(power_param);
  CHAINERXX_PARAM(relu_param);
  CHAINERXX_PARAM(slice_param);
  CHAINERXX_PARAM(softmax_param);
#undef CHAINERXX_PARAM
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw cupyxx::ValueError(cupyxx::message("CaffeFunction: ", path, ": ", what));
}

/// Keeps the first complaint of the parser.
class FirstError : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " +
            message;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Messages and lists within each other: Caffe's own are six deep. The parser takes one frame of
/// the stack for each.
constexpr int kDeepest = 100;

void parse_text(const std::string& path, std::istream& file, Network& network) {
  pb::io::IstreamInputStream stream(&file);
  FirstError error;
  pb::TextFormat::Parser parser;
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(kDeepest);
  parser.RecordErrorsTo(&error);
  if (!parser.Parse(&stream, &network))
    refuse(path, cupyxx::message("is no network; ", error.text()));
}

/// The parser keeps what it does not know: for a number of one byte it takes 16, and more on the
/// way. Caffe's own files have a few such fields a layer.
constexpr std::int64_t kMostUnknown = 100'000;

/// Counts the fields that a message of this type does not have; a damaged file is the parser's.
void count_unknown(pb::io::CodedInputStream& in, const pb::Descriptor& type, std::int64_t& count) {
  using pb::internal::WireFormatLite;
  while (const std::uint32_t tag = in.ReadTag()) {
    const auto* const field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    count += field == nullptr;
    std::uint32_t size = 0;
    if (field == nullptr || field->message_type() == nullptr ||
        WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      if (!WireFormatLite::SkipField(&in, tag)) return;
      continue;
    }
    if (!in.ReadVarint32(&size) || size > INT_MAX) return;
    const auto limit = in.PushLimit(static_cast<int>(size));
    count_unknown(in, *field->message_type(), count);
    in.Skip(in.BytesUntilLimit());
    in.PopLimit(limit);
  }
}

void parse_binary(const std::string& path, std::istream& file, Network& network) {
  {
    std::int64_t unknown = 0;
    pb::io::IstreamInputStream stream(&file);
    pb::io::CodedInputStream coded(&stream);
    coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
    count_unknown(coded, *Network::descriptor(), unknown);
    if (unknown > kMostUnknown) {
      refuse(path, cupyxx::message("holds ", unknown, " fields that no network has"));
    }
  }
  file.clear();
  file.seekg(0);
  pb::io::IstreamInputStream stream(&file);
  pb::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  if (!network.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    refuse(path, "is damaged or no network in Caffe's binary form");
  }
}

}  // namespace

Network read_network(const std::string& path) {
  // A pipe would be waited for.
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) refuse(path, "cannot be read; no regular file");
  if (std::filesystem::is_directory(path, ignored)) {
    refuse(path, "cannot be read; it is a directory");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, cupyxx::message("cannot be opened; ", std::strerror(errno)));
  Network network;
  if (path.ends_with(".prototxt")) {
    parse_text(path, file, network);
  } else {
    parse_binary(path, file, network);
  }
  if (network.layers_size() == 0 && network.layer_size() == 0) refuse(path, "holds no layers");
  if (network.layer_size() == 0) {
    for (OldLayer& old : *network.mutable_layers()) translate(old, *network.add_layer());
  }
  network.clear_layers();
  return network;
}

}  // namespace chainerxx::internal
