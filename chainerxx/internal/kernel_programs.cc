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

#define KERNEL(name) KernelName::name, #name
constexpr Entry kEntries[] = {
    {KERNEL(dropout), "dropout.h", "DropoutArgs", "dropout<T>", 1024},
    {KERNEL(softmax_rows), "softmax.h", "SoftmaxArgs", "softmax<T, 32>"},
    {KERNEL(softmax_planes), "softmax.h", "SoftmaxArgs", "softmax<T, 1>"},
    {KERNEL(softmax_grad_rows), "softmax.h", "SoftmaxArgs", "softmax_grad<T, 32>"},
    {KERNEL(softmax_grad_planes), "softmax.h", "SoftmaxArgs", "softmax_grad<T, 1>"},
    {KERNEL(cross_entropy_block_rows), "softmax.h", "CrossEntropyArgs",
     "cross_entropy_block<T, 32>", 1024},
    {KERNEL(cross_entropy_block_planes), "softmax.h", "CrossEntropyArgs",
     "cross_entropy_block<T, 1>", 1024},
    {KERNEL(cross_entropy_factor), "softmax.h", "CrossEntropyArgs", "cross_entropy_factor", 1024},
    {KERNEL(cross_entropy_rows), "softmax.h", "CrossEntropyArgs", "cross_entropy_instances<T, 32>",
     1024},
    {KERNEL(cross_entropy_planes), "softmax.h", "CrossEntropyArgs", "cross_entropy_instances<T, 1>",
     1024},
    {KERNEL(cross_entropy_sum), "softmax.h", "CrossEntropyArgs", "cross_entropy_sum<T>", 1024},
    {KERNEL(softmax_row_warps), "softmax_row.h", "SoftmaxArgs", "softmax_row<T, true>", 256},
    {KERNEL(softmax_row_blocks), "softmax_row.h", "SoftmaxArgs", "softmax_row<T, false>", 1024},
    {KERNEL(softmax_grad_row_warps), "softmax_row.h", "SoftmaxArgs", "softmax_grad_row<T, true>",
     256},
    {KERNEL(softmax_grad_row_blocks), "softmax_row.h", "SoftmaxArgs", "softmax_grad_row<T, false>",
     512},
    {KERNEL(cross_entropy_row_warps), "softmax_row.h", "CrossEntropyArgs",
     "cross_entropy_row<T, true>", 256},
    {KERNEL(cross_entropy_row_blocks), "softmax_row.h", "CrossEntropyArgs",
     "cross_entropy_row<T, false>", 1024},
    {KERNEL(accuracy), "softmax.h", "AccuracyArgs", "accuracy<T>", 1024},
    {KERNEL(column_sums), "column_sums.h", "ColumnSumsArgs", "column_sums<T>"},
    {KERNEL(embed_grad), "embed.h", "EmbedArgs", "embed_grad<T>"},
    {KERNEL(lstm), "lstm.h", "LstmArgs", "lstm<T>"},
    {KERNEL(lstm_grad), "lstm.h", "LstmGradArgs", "lstm_grad<T>"},
    {KERNEL(lstm_step), "lstm_step.h", "LstmStepArgs", "lstm_step<T>"},
    {KERNEL(lstm_step_grad), "lstm_step.h", "LstmStepGradArgs", "lstm_step_grad<T>"},
    {KERNEL(sigmoid_cross_entropy), "sigmoid_cross_entropy.h", "SigmoidCrossEntropyArgs",
     "sigmoid_cross_entropy<T>"},
    {KERNEL(sigmoid_cross_entropy_grad), "sigmoid_cross_entropy.h", "SigmoidCrossEntropyArgs",
     "sigmoid_cross_entropy_grad<T>"},
    {KERNEL(ctc), "ctc.h", "CtcArgs", "ctc<T>"},
    {KERNEL(sgd), "tensor_rules.h", "TensorArgs", "tensor_rule<Sgd, T>"},
    {KERNEL(momentum_sgd), "tensor_rules.h", "TensorArgs", "tensor_rule<MomentumSgd, T>"},
    {KERNEL(adam), "tensor_rules.h", "TensorArgs", "tensor_rule<Adam, T>"},
    {KERNEL(ada_grad), "tensor_rules.h", "TensorArgs", "tensor_rule<AdaGrad, T>"},
    {KERNEL(ada_delta), "tensor_rules.h", "TensorArgs", "tensor_rule<AdaDelta, T>"},
    {KERNEL(nesterov_ag), "tensor_rules.h", "TensorArgs", "tensor_rule<NesterovAg, T>"},
    {KERNEL(rms_prop), "tensor_rules.h", "TensorArgs", "tensor_rule<RmsProp, T>"},
    {KERNEL(rms_prop_graves), "tensor_rules.h", "TensorArgs", "tensor_rule<RmsPropGraves, T>"},
    {KERNEL(smorms3), "tensor_rules.h", "TensorArgs", "tensor_rule<Smorms3, T>"},
    {KERNEL(zero_grad), "tensor_rules.h", "TensorArgs", "tensor_rule<ZeroGrad, T>"},
    {KERNEL(scale_grad), "tensor_rules.h", "TensorArgs", "tensor_rule<ScaleGrad, T>"},
    {KERNEL(weight_decay), "tensor_rules.h", "TensorArgs", "tensor_rule<WeightDecay, T>"},
    {KERNEL(squares), "tensor_rules.h", "TensorArgs", "squares<T>"},
    {KERNEL(clip), "tensor_rules.h", "TensorArgs", "clip<T>"},
    {KERNEL(im2col), "windows.h", "WindowsArgs", "im2col<T>"},
    {KERNEL(col2im), "windows.h", "WindowsArgs", "col2im<T>"},
    {KERNEL(add_to_planes), "planes.h", "PlanesArgs", "add_to_planes<T>"},
    {KERNEL(plane_sums), "planes.h", "PlanesArgs", "plane_sums<T>", 1024},
    {KERNEL(max_pooling), "pooling.h", "PoolingArgs", "max_pooling<T, 0>"},
    {KERNEL(max_pooling_2), "pooling.h", "PoolingArgs", "max_pooling<T, 2>"},
    {KERNEL(max_pooling_3), "pooling.h", "PoolingArgs", "max_pooling<T, 3>"},
    {KERNEL(max_pooling_grad), "pooling.h", "PoolingArgs", "max_pooling_grad<T, 0>"},
    {KERNEL(max_pooling_grad_2), "pooling.h", "PoolingArgs", "max_pooling_grad<T, 2>"},
    {KERNEL(sum_pooling), "pooling.h", "PoolingArgs", "sum_pooling<T>"},
    {KERNEL(sum_pooling_grad), "pooling.h", "PoolingArgs", "sum_pooling_grad<T>"},
    {KERNEL(batch_norm_sums_warps), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, false, true>", 256},
    {KERNEL(batch_norm_sums_blocks), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, false, false>", 256},
    {KERNEL(batch_norm_sums_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_rows<T, false, 1>", 256},
    {KERNEL(batch_norm_sums_packed_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_rows<T, false, 4>", 256},
    {KERNEL(batch_norm_warps), "batch_norm.h", "BatchNormArgs", "batch_norm_planes<T, false, true>",
     256},
    {KERNEL(batch_norm_blocks), "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, false, false>", 256},
    {KERNEL(batch_norm_rows), "batch_norm.h", "BatchNormArgs", "batch_norm_rows<T, false, 1>", 256},
    {KERNEL(batch_norm_packed_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_rows<T, false, 4>", 256},
    {KERNEL(batch_norm_grad_sums_warps), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, true, true>", 256},
    {KERNEL(batch_norm_grad_sums_blocks), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_planes<T, true, false>", 256},
    {KERNEL(batch_norm_grad_sums_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_rows<T, true, 1>", 256},
    {KERNEL(batch_norm_grad_sums_packed_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_sums_rows<T, true, 4>", 256},
    {KERNEL(batch_norm_grad_warps), "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, true, true>", 256},
    {KERNEL(batch_norm_grad_blocks), "batch_norm.h", "BatchNormArgs",
     "batch_norm_planes<T, true, false>", 256},
    {KERNEL(batch_norm_grad_rows), "batch_norm.h", "BatchNormArgs", "batch_norm_rows<T, true, 1>",
     256},
    {KERNEL(batch_norm_grad_packed_rows), "batch_norm.h", "BatchNormArgs",
     "batch_norm_rows<T, true, 4>", 256},
    {KERNEL(batch_norm_moments), "batch_norm.h", "BatchNormArgs", "batch_norm_moments<T>"},
    {KERNEL(batch_norm_totals), "batch_norm.h", "BatchNormArgs", "batch_norm_totals<T>"},
    {KERNEL(response_norm), "response_norm.h", "ResponseNormArgs", "response_norm<T>"},
    {KERNEL(response_norm_terms), "response_norm.h", "ResponseNormArgs", "response_norm_terms<T>"},
    {KERNEL(response_norm_grad), "response_norm.h", "ResponseNormArgs", "response_norm_grad<T>"},
    {KERNEL(layer_norm_warps), "layer_norm.h", "LayerNormArgs", "layer_norm<T, 32>"},
    {KERNEL(layer_norm_blocks), "layer_norm.h", "LayerNormArgs", "layer_norm<T, 256>"},
    {KERNEL(layer_norm_grad_warps), "layer_norm.h", "LayerNormArgs", "layer_norm_grad<T, 32>"},
    {KERNEL(layer_norm_grad_blocks), "layer_norm.h", "LayerNormArgs", "layer_norm_grad<T, 256>"},
    {KERNEL(layer_norm_columns), "layer_norm.h", "LayerNormArgs", "layer_norm_columns<T>"},
    {KERNEL(layer_norm_row_warps), "layer_norm_row.h", "LayerNormArgs", "layer_norm_row<T, true>",
     256},
    {KERNEL(layer_norm_row_blocks), "layer_norm_row.h", "LayerNormArgs", "layer_norm_row<T, false>",
     1024},
    {KERNEL(layer_norm_grad_row_warps), "layer_norm_row.h", "LayerNormArgs",
     "layer_norm_grad_row<T, true>", 512},
    {KERNEL(layer_norm_grad_row_blocks), "layer_norm_row.h", "LayerNormArgs",
     "layer_norm_grad_row<T, false>", 512},
    {KERNEL(layer_norm_parts), "layer_norm_row.h", "LayerNormArgs", "layer_norm_parts<T>", 1024},
};
#undef KERNEL
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
