// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string_view>

#include "chainerxx/internal/kernel_table.h"
#include "chainerxx/internal/kernels/texts.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

namespace jit = cupyxx::internal::jit;

struct Entry {
  KernelName name;
  const char* text;  // for messages
  const char* file;
  const char* args;
  const char* call;
  int threads = 0;  // the most of a block, where registers must be left for all of them
};

constexpr Entry kEntries[] = {
    {KernelName::relu, "relu", "activation.h", "ElementwiseArgs", "unary<Relu, T>"},
    {KernelName::relu_grad, "relu_grad", "activation.h", "ElementwiseArgs", "binary<ReluGrad, T>"},
    {KernelName::sigmoid, "sigmoid", "activation.h", "ElementwiseArgs", "unary<Sigmoid, T>"},
    {KernelName::sigmoid_grad, "sigmoid_grad", "activation.h", "ElementwiseArgs",
     "binary<SigmoidGrad, T>"},
    {KernelName::tanh_grad, "tanh_grad", "activation.h", "ElementwiseArgs", "binary<TanhGrad, T>"},
    {KernelName::clipped_relu, "clipped_relu", "activation.h", "ElementwiseArgs",
     "unary_with_parameters<ClippedRelu, T>"},
    {KernelName::clipped_relu_grad, "clipped_relu_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<ClippedReluGrad, T>"},
    {KernelName::leaky_relu, "leaky_relu", "activation.h", "ElementwiseArgs",
     "unary_with_parameters<LeakyRelu, T>"},
    {KernelName::leaky_relu_grad, "leaky_relu_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<LeakyReluGrad, T>"},
    {KernelName::elu, "elu", "activation.h", "ElementwiseArgs", "unary_with_parameters<Elu, T>"},
    {KernelName::elu_grad, "elu_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<EluGrad, T>"},
    {KernelName::softplus, "softplus", "activation.h", "ElementwiseArgs",
     "unary_with_parameters<Softplus, T>"},
    {KernelName::softplus_grad, "softplus_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<SoftplusGrad, T>"},
    {KernelName::hard_sigmoid, "hard_sigmoid", "activation.h", "ElementwiseArgs",
     "unary_with_parameters<HardSigmoid, T>"},
    {KernelName::hard_sigmoid_grad, "hard_sigmoid_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<HardSigmoidGrad, T>"},
    {KernelName::gelu, "gelu", "activation.h", "ElementwiseArgs", "unary_with_parameters<Gelu, T>"},
    {KernelName::gelu_grad, "gelu_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<GeluGrad, T>"},
    {KernelName::swish, "swish", "activation.h", "ElementwiseArgs",
     "unary_with_parameters<Swish, T>"},
    {KernelName::swish_grad, "swish_grad", "activation.h", "ElementwiseArgs",
     "binary_with_parameters<SwishGrad, T>"},
    {KernelName::dropout, "dropout", "dropout.h", "DropoutArgs", "dropout<T>"},
    {KernelName::softmax_rows, "softmax_rows", "softmax.h", "SoftmaxArgs", "softmax<T, 32>"},
    {KernelName::softmax_planes, "softmax_planes", "softmax.h", "SoftmaxArgs", "softmax<T, 1>"},
    {KernelName::softmax_grad_rows, "softmax_grad_rows", "softmax.h", "SoftmaxArgs",
     "softmax_grad<T, 32>"},
    {KernelName::softmax_grad_planes, "softmax_grad_planes", "softmax.h", "SoftmaxArgs",
     "softmax_grad<T, 1>"},
    {KernelName::cross_entropy_block_rows, "cross_entropy_block_rows", "softmax.h",
     "CrossEntropyArgs", "cross_entropy_block<T, 32>", 1024},
    {KernelName::cross_entropy_block_planes, "cross_entropy_block_planes", "softmax.h",
     "CrossEntropyArgs", "cross_entropy_block<T, 1>", 1024},
    {KernelName::cross_entropy_factor, "cross_entropy_factor", "softmax.h", "CrossEntropyArgs",
     "cross_entropy_factor", 1024},
    {KernelName::cross_entropy_rows, "cross_entropy_rows", "softmax.h", "CrossEntropyArgs",
     "cross_entropy_instances<T, 32>", 1024},
    {KernelName::cross_entropy_planes, "cross_entropy_planes", "softmax.h", "CrossEntropyArgs",
     "cross_entropy_instances<T, 1>", 1024},
    {KernelName::cross_entropy_sum, "cross_entropy_sum", "softmax.h", "CrossEntropyArgs",
     "cross_entropy_sum<T>", 1024},
    {KernelName::softmax_row_warps, "softmax_row_warps", "softmax_row.h", "SoftmaxArgs",
     "softmax_row<T, true>", 256},
    {KernelName::softmax_row_blocks, "softmax_row_blocks", "softmax_row.h", "SoftmaxArgs",
     "softmax_row<T, false>", 1024},
    {KernelName::softmax_grad_row_warps, "softmax_grad_row_warps", "softmax_row.h", "SoftmaxArgs",
     "softmax_grad_row<T, true>", 256},
    {KernelName::softmax_grad_row_blocks, "softmax_grad_row_blocks", "softmax_row.h", "SoftmaxArgs",
     "softmax_grad_row<T, false>", 512},
    {KernelName::cross_entropy_row_warps, "cross_entropy_row_warps", "softmax_row.h",
     "CrossEntropyArgs", "cross_entropy_row<T, true>", 256},
    {KernelName::cross_entropy_row_blocks, "cross_entropy_row_blocks", "softmax_row.h",
     "CrossEntropyArgs", "cross_entropy_row<T, false>", 1024},
    {KernelName::accuracy, "accuracy", "softmax.h", "AccuracyArgs", "accuracy<T>", 1024},
    {KernelName::column_sums, "column_sums", "column_sums.h", "ColumnSumsArgs", "column_sums<T>"},
    {KernelName::embed_grad, "embed_grad", "embed.h", "EmbedArgs", "embed_grad<T>"},
    {KernelName::lstm, "lstm", "lstm.h", "LstmArgs", "lstm<T>"},
    {KernelName::lstm_grad, "lstm_grad", "lstm.h", "LstmGradArgs", "lstm_grad<T>"},
    {KernelName::sigmoid_cross_entropy, "sigmoid_cross_entropy", "sigmoid_cross_entropy.h",
     "SigmoidCrossEntropyArgs", "sigmoid_cross_entropy<T>"},
    {KernelName::sigmoid_cross_entropy_grad, "sigmoid_cross_entropy_grad",
     "sigmoid_cross_entropy.h", "SigmoidCrossEntropyArgs", "sigmoid_cross_entropy_grad<T>"},
    {KernelName::ctc, "ctc", "ctc.h", "CtcArgs", "ctc<T>"},
    {KernelName::sgd, "sgd", "tensor_rules.h", "TensorArgs", "tensor_rule<Sgd, T>"},
    {KernelName::momentum_sgd, "momentum_sgd", "tensor_rules.h", "TensorArgs",
     "tensor_rule<MomentumSgd, T>"},
    {KernelName::adam, "adam", "tensor_rules.h", "TensorArgs", "tensor_rule<Adam, T>"},
    {KernelName::ada_grad, "ada_grad", "tensor_rules.h", "TensorArgs", "tensor_rule<AdaGrad, T>"},
    {KernelName::ada_delta, "ada_delta", "tensor_rules.h", "TensorArgs",
     "tensor_rule<AdaDelta, T>"},
    {KernelName::nesterov_ag, "nesterov_ag", "tensor_rules.h", "TensorArgs",
     "tensor_rule<NesterovAg, T>"},
    {KernelName::rms_prop, "rms_prop", "tensor_rules.h", "TensorArgs", "tensor_rule<RmsProp, T>"},
    {KernelName::rms_prop_graves, "rms_prop_graves", "tensor_rules.h", "TensorArgs",
     "tensor_rule<RmsPropGraves, T>"},
    {KernelName::smorms3, "smorms3", "tensor_rules.h", "TensorArgs", "tensor_rule<Smorms3, T>"},
    {KernelName::zero_grad, "zero_grad", "tensor_rules.h", "TensorArgs",
     "tensor_rule<ZeroGrad, T>"},
    {KernelName::scale_grad, "scale_grad", "tensor_rules.h", "TensorArgs",
     "tensor_rule<ScaleGrad, T>"},
    {KernelName::weight_decay, "weight_decay", "tensor_rules.h", "TensorArgs",
     "tensor_rule<WeightDecay, T>"},
    {KernelName::squares, "squares", "tensor_rules.h", "TensorArgs", "squares<T>"},
    {KernelName::clip, "clip", "tensor_rules.h", "TensorArgs", "clip<T>"},
    {KernelName::im2col, "im2col", "windows.h", "WindowsArgs", "im2col<T>"},
    {KernelName::col2im, "col2im", "windows.h", "WindowsArgs", "col2im<T>"},
    {KernelName::add_to_planes, "add_to_planes", "planes.h", "PlanesArgs", "add_to_planes<T>"},
    {KernelName::plane_sums, "plane_sums", "planes.h", "PlanesArgs", "plane_sums<T>", 1024},
    {KernelName::max_pooling, "max_pooling", "pooling.h", "PoolingArgs", "max_pooling<T, 0>"},
    {KernelName::max_pooling_2, "max_pooling_2", "pooling.h", "PoolingArgs", "max_pooling<T, 2>"},
    {KernelName::max_pooling_3, "max_pooling_3", "pooling.h", "PoolingArgs", "max_pooling<T, 3>"},
    {KernelName::max_pooling_grad, "max_pooling_grad", "pooling.h", "PoolingArgs",
     "max_pooling_grad<T, 0>"},
    {KernelName::max_pooling_grad_2, "max_pooling_grad_2", "pooling.h", "PoolingArgs",
     "max_pooling_grad<T, 2>"},
    {KernelName::sum_pooling, "sum_pooling", "pooling.h", "PoolingArgs", "sum_pooling<T>"},
    {KernelName::sum_pooling_grad, "sum_pooling_grad", "pooling.h", "PoolingArgs",
     "sum_pooling_grad<T>"},
    {KernelName::batch_norm_sums_warps, "batch_norm_sums_warps", "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, false, true>", 256},
    {KernelName::batch_norm_sums_blocks, "batch_norm_sums_blocks", "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, false, false>", 256},
    {KernelName::batch_norm_sums_rows, "batch_norm_sums_rows", "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_rows<T, false, 1>", 256},
    {KernelName::batch_norm_sums_packed_rows, "batch_norm_sums_packed_rows", "batch_norm.h",
     "BatchNormArgs", "batch_norm_sums_rows<T, false, 4>", 256},
    {KernelName::batch_norm_warps, "batch_norm_warps", "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, false, true>", 256},
    {KernelName::batch_norm_blocks, "batch_norm_blocks", "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, false, false>", 256},
    {KernelName::batch_norm_rows, "batch_norm_rows", "batch_norm.h", "BatchNormArgs",
     "batch_norm_rows<T, false, 1>", 256},
    {KernelName::batch_norm_packed_rows, "batch_norm_packed_rows", "batch_norm.h", "BatchNormArgs",
     "batch_norm_rows<T, false, 4>", 256},
    {KernelName::batch_norm_grad_sums_warps, "batch_norm_grad_sums_warps", "batch_norm.h",
     "BatchNormArgs", "batch_norm_sums_planes<T, true, true>", 256},
    {KernelName::batch_norm_grad_sums_blocks, "batch_norm_grad_sums_blocks", "batch_norm.h",
     "BatchNormArgs", "batch_norm_sums_planes<T, true, false>", 256},
    {KernelName::batch_norm_grad_sums_rows, "batch_norm_grad_sums_rows", "batch_norm.h",
     "BatchNormArgs", "batch_norm_sums_rows<T, true, 1>", 256},
    {KernelName::batch_norm_grad_sums_packed_rows, "batch_norm_grad_sums_packed_rows",
     "batch_norm.h", "BatchNormArgs", "batch_norm_sums_rows<T, true, 4>", 256},
    {KernelName::batch_norm_grad_warps, "batch_norm_grad_warps", "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, true, true>", 256},
    {KernelName::batch_norm_grad_blocks, "batch_norm_grad_blocks", "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, true, false>", 256},
    {KernelName::batch_norm_grad_rows, "batch_norm_grad_rows", "batch_norm.h", "BatchNormArgs",
     "batch_norm_rows<T, true, 1>", 256},
    {KernelName::batch_norm_grad_packed_rows, "batch_norm_grad_packed_rows", "batch_norm.h",
     "BatchNormArgs", "batch_norm_rows<T, true, 4>", 256},
    {KernelName::batch_norm_moments, "batch_norm_moments", "batch_norm.h", "BatchNormArgs",
     "batch_norm_moments<T>"},
    {KernelName::batch_norm_totals, "batch_norm_totals", "batch_norm.h", "BatchNormArgs",
     "batch_norm_totals<T>"},
    {KernelName::response_norm, "response_norm", "response_norm.h", "ResponseNormArgs",
     "response_norm<T>"},
    {KernelName::response_norm_terms, "response_norm_terms", "response_norm.h", "ResponseNormArgs",
     "response_norm_terms<T>"},
    {KernelName::response_norm_grad, "response_norm_grad", "response_norm.h", "ResponseNormArgs",
     "response_norm_grad<T>"},
    {KernelName::layer_norm_warps, "layer_norm_warps", "layer_norm.h", "LayerNormArgs",
     "layer_norm<T, 32>"},
    {KernelName::layer_norm_blocks, "layer_norm_blocks", "layer_norm.h", "LayerNormArgs",
     "layer_norm<T, 256>"},
    {KernelName::layer_norm_grad_warps, "layer_norm_grad_warps", "layer_norm.h", "LayerNormArgs",
     "layer_norm_grad<T, 32>"},
    {KernelName::layer_norm_grad_blocks, "layer_norm_grad_blocks", "layer_norm.h", "LayerNormArgs",
     "layer_norm_grad<T, 256>"},
    {KernelName::layer_norm_columns, "layer_norm_columns", "layer_norm.h", "LayerNormArgs",
     "layer_norm_columns<T>"},
    {KernelName::layer_norm_row_warps, "layer_norm_row_warps", "layer_norm_row.h", "LayerNormArgs",
     "layer_norm_row<T, true>", 256},
    {KernelName::layer_norm_row_blocks, "layer_norm_row_blocks", "layer_norm_row.h",
     "LayerNormArgs", "layer_norm_row<T, false>", 1024},
    {KernelName::layer_norm_grad_row_warps, "layer_norm_grad_row_warps", "layer_norm_row.h",
     "LayerNormArgs", "layer_norm_grad_row<T, true>", 128},
    {KernelName::layer_norm_grad_row_blocks, "layer_norm_grad_row_blocks", "layer_norm_row.h",
     "LayerNormArgs", "layer_norm_grad_row<T, false>", 512},
    {KernelName::layer_norm_parts, "layer_norm_parts", "layer_norm_row.h", "LayerNormArgs",
     "layer_norm_parts<T>", 1024},
};
constexpr int kCount = static_cast<int>(KernelName::count);
static_assert(std::size(kEntries) == kCount);

constexpr bool is_in_order() {
  for (int i = 0; i < kCount; ++i) {
    if (static_cast<int>(kEntries[i].name) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "the entries follow the enumeration");

/// Appends a file of this folder after the files of this folder that it includes.
void append_file(std::string_view path, std::set<std::string_view>& done, std::string& out) {
  if (!done.insert(path).second) return;
  std::string_view text;
  for (unsigned long i = 0; i < texts::kFilesCount; ++i) {
    if (path == texts::kFiles[i].name) text = texts::kFiles[i].text;
  }
  constexpr std::string_view kInclude = "#include \"chainerxx/";
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with(kInclude)) {
      constexpr std::size_t kQuote = std::string_view("#include \"").size();
      append_file(line.substr(kQuote, line.size() - kQuote - 1), done, out);
    } else if (line != "#pragma once") {
      out.append(line).push_back('\n');
    }
  }
}

}  // namespace

int kernel_type_index(cupyxx::dtype type) {
  const auto at = std::find(kKernelTypes.begin(), kKernelTypes.end(), type);
  if (at == kKernelTypes.end()) {
    throw cupyxx::DtypeError("chainerxx: there is no kernel for this dtype; " +
                             std::string(type.name()));
  }
  return static_cast<int>(at - kKernelTypes.begin());
}

jit::Program kernel_program(KernelName name, cupyxx::dtype type) {
  static constexpr const char* kTypes[] = {"cupyxx::half", "float", "double"};
  const Entry& entry = kEntries[static_cast<int>(name)];
  jit::Program program;
  program.name = std::string(entry.text) + "_" + std::string(type.name());
  std::set<std::string_view> done;
  const std::string path = std::string("chainerxx/internal/kernels/") + entry.file;
  append_file(path, done, program.text);
  program.text += "using namespace chainerxx::internal::kernels;\nusing T = ";
  program.text += kTypes[kernel_type_index(type)];
  program.text += ";\nextern \"C\" __global__ void ";
  if (entry.threads != 0) {
    program.text += "__launch_bounds__(" + std::to_string(entry.threads) + ") ";
  }
  program.text += std::string("kernel(") + entry.args + " args) { " + entry.call + "(args); }\n";
  return program;
}

}  // namespace chainerxx::internal
