// SPDX-License-Identifier: MIT
// Prints kernels of every form and a table of them, for kernel_test and any_test.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/gpu/elementwise/programs.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/selection.h"
#include "cupyxx/shape.h"
#include "cupyxx/ufunc.h"

namespace {

using cupyxx::dtype;
using cupyxx::internal::OpInfo;
using cupyxx::internal::jit::ElementwiseLayout;
using cupyxx::internal::jit::Form;

std::string table;

void print(const OpInfo& op, int loop, const std::vector<dtype>& stored,
           const ElementwiseLayout& layout, bool masked) {
  auto source =
      cupyxx::internal::gpu::elementwise_source(op, loop, stored.data(), 0, layout, masked);
  source.entry = std::string(op.name) + "_" + std::string(stored.front().name()) + "_" +
                 std::to_string(static_cast<int>(layout.form)) + "_" + std::to_string(layout.rank) +
                 "_" + std::to_string(layout.wide) + "_" + std::to_string(layout.staged) + "_" +
                 std::to_string(masked);
  if (layout.whole) {
    source.entry += "_" + std::to_string(layout.runs) + "_" + std::to_string(layout.repeats);
  }
  std::printf("%s\n", cupyxx::internal::jit::write_elementwise(source).c_str());
  table += "    {\"" + source.entry + "\", [](const void* args) { " + source.entry +
           "(*static_cast<const ck::" +
           (layout.rank == 0 ? std::string("ContiguousArgs")
                             : "StridedArgs<" + std::to_string(layout.rank) + ">") +
           "*>(args)); },\n     " + std::to_string(elements_per_block(source)) + "},\n";
}

void print_forms(const OpInfo& op, int loop, const std::vector<dtype>& stored) {
  print(op, loop, stored, {}, false);
  print(op, loop, stored, {}, true);
  for (const bool wide : {false, true}) {
    for (int rank = 2; rank <= 4; ++rank) {
      print(op, loop, stored, {Form::flat, rank, wide}, false);
      print(op, loop, stored, {Form::strided, rank, wide}, false);
      print(op, loop, stored, {Form::strided, rank, wide}, true);
    }
    for (const bool masked : {false, true}) {
      print(op, loop, stored, {Form::strided, 8, wide}, masked);
    }
  }
  for (unsigned staged = 1; staged < 1u << op.nin; ++staged) {
    for (const int rank : {2, 3, 8}) {
      print(op, loop, stored, {Form::tiled, rank, false, staged << op.nout}, false);
    }
  }
}

// What is known about vectors of two inputs; the output is one run always.
void print_specialized(const OpInfo& op, int loop, const std::vector<dtype>& stored) {
  for (unsigned runs = 0; runs < 4; ++runs) {
    for (unsigned repeats = 0; repeats < 4; ++repeats) {
      if ((runs & repeats) != 0) continue;
      for (const int rank : {2, 3}) {
        print(op, loop, stored, {Form::flat, rank, false, 0, true, runs << 1 | 1, repeats << 1},
              false);
      }
    }
  }
}

// The form for everything; its operands' types are arguments.
void print_any(const OpInfo& op, dtype type) {
  dtype types[5];
  std::fill(std::begin(types), std::end(types), type);
  const int loop = op.same_loop[static_cast<int>(type.code())];
  auto source = cupyxx::internal::gpu::elementwise_source(op, loop, types, 0,
                                                          {Form::any, cupyxx::kMaxNdim}, false);
  source.entry = std::string(op.name) + "_" + std::string(type.name()) + "_any";
  std::printf("%s\n", cupyxx::internal::jit::write_elementwise(source).c_str());
  table += "    {\"" + source.entry + "\", [](const void* args) { " + source.entry +
           "(*static_cast<const ck::AnyArgs*>(args)); },\n     " +
           std::to_string(elements_per_block(source)) + "},\n";
}

}  // namespace

int main() {
  using namespace cupyxx;
  const OpInfo& copy = internal::ufunc_of<ops::Copy>().op();
  const OpInfo& add = internal::ufunc_of<ops::Add>().op();
  const OpInfo& clip = internal::ufunc_of<ops::Clip>().op();
  const auto loop = [](const OpInfo& op, dtype type) {
    return op.same_loop[static_cast<int>(type.code())];
  };
  std::printf(
      "// SPDX-License-Identifier: MIT\n"
      "struct Sample {\n"
      "  const char* name;\n"
      "  void (*run)(const void* args);\n"
      "  unsigned per_block;\n"
      "};\n");
  print_forms(add, loop(add, float32), {float32, float32, float32});
  print_specialized(add, loop(add, float32), {float32, float32, float32});
  print_forms(add, loop(add, int8), {int8, int8, int8});
  print_forms(add, loop(add, float64), {float64, float64, float64});
  print_forms(clip, loop(clip, float64), {float64, float64, float64, float64});
  print_forms(copy, loop(copy, int32), {int32, uint8});
  print_any(add, float32);
  print_any(add, float64);
  print_any(copy, int32);
  std::printf("inline const Sample kSamples[] = {\n%s};\n", table.c_str());
}
