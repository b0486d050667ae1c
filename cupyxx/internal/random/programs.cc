// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/programs.h"

#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::gpu {
namespace {

const char* element_type(dtype type) {
  if (type.is_floating()) return jit::device_type(type);
  // Signed numbers wrap as the unsigned ones do.
  return type.itemsize() == 1   ? "unsigned char"
         : type.itemsize() == 2 ? "unsigned short"
         : type.itemsize() == 4 ? "unsigned"
                                : "unsigned long";
}

jit::Program make_program(std::string name, const char* header, const char* args,
                          const std::string& function, const std::string& bounds = "256") {
  jit::Program program;
  program.name = std::move(name);
  program.text = "#include \"cupyxx/internal/kernels/" + std::string(header) +
                 "\"\n"
                 "using namespace cupyxx::internal::kernels;\n"
                 "extern \"C\" __global__ void __launch_bounds__(" +
                 bounds +
                 ")\n"
                 "kernel(const __grid_constant__ " +
                 args + " args) {\n" + jit::kWaitForKernelBefore + "  " + function + "(args);\n}\n";
  return program;
}

}  // namespace

jit::Program fill_program(Fill fill, dtype type) {
  constexpr const char* kTypes[kFillCount] = {"Uniform", "Normal", "Exponential", "ShortIntegers",
                                              "LongIntegers"};
  constexpr const char* kNames[kFillCount] = {"uniform_", "normal_", "exponential_", "randint_",
                                              "randint_long_"};
  const int index = static_cast<int>(fill);
  const std::string element = element_type(type);
  const kernels::FillShape shape = kernels::fill_shape(static_cast<unsigned long>(type.itemsize()));
  std::string bounds = std::to_string(shape.threads);
  // Blocks that are all meant to be resident must all find registers.
  if (shape.threads * shape.blocks_per_multiprocessor <= 2048) {
    bounds += ", " + std::to_string(shape.blocks_per_multiprocessor);
  }
  return make_program(kNames[index] + std::string(type.name()), "random_fill.h", "RandomArgs",
                      fill == Fill::normal
                          ? "random_fill_normal<" + element + ">"
                          : std::string("random_fill<") + kTypes[index] + "<" + element + ">>",
                      bounds);
}

jit::Program sample_program(Sample sample, dtype type) {
  const SampleInfo& info = sample_info(sample);
  return make_program(std::string("sample_") + info.name + "_" + std::string(type.name()),
                      "random_sample.h", "SampleArgs",
                      "random_sample<cupyxx::random::dist::" + std::string(info.type) + ", " +
                          (is_discrete(sample) ? "long" : element_type(type)) + ">");
}

jit::Program rows_program(Rows kind) {
  const bool counts = kind == Rows::multinomial;
  return make_program(
      counts ? "sample_multinomial" : "sample_dirichlet", "random_sample.h", "SampleRowsArgs",
      std::string("random_rows<cupyxx::random::dist::") + (counts ? "Multinomial>" : "Dirichlet>"));
}

std::vector<jit::Program> common_random_programs() {
  std::vector<jit::Program> programs;
  for (const dtype type : {float32, float64}) {
    for (const Fill fill : {Fill::uniform, Fill::normal, Fill::exponential}) {
      programs.push_back(fill_program(fill, type));
    }
  }
  for (const dtype type : {uint32, uint64}) {
    programs.push_back(fill_program(Fill::short_integers, type));
  }
  programs.push_back(fill_program(Fill::long_integers, uint64));
  return programs;
}

std::vector<jit::Program> all_random_programs() {
  std::vector<jit::Program> programs = common_random_programs();
  for (const dtype type : {float16, bfloat16_}) {
    for (const Fill fill : {Fill::uniform, Fill::normal, Fill::exponential}) {
      programs.push_back(fill_program(fill, type));
    }
  }
  for (const dtype type : {uint8, uint16}) {
    programs.push_back(fill_program(Fill::short_integers, type));
  }
  for (int i = 0; i < kSampleCount; ++i) {
    const auto sample = static_cast<Sample>(i);
    if (is_discrete(sample)) {
      programs.push_back(sample_program(sample, int64));
    } else {
      for (const dtype type : {float32, float64}) programs.push_back(sample_program(sample, type));
    }
  }
  for (const Rows kind : {Rows::multinomial, Rows::dirichlet}) {
    programs.push_back(rows_program(kind));
  }
  return programs;
}

}  // namespace cupyxx::internal::gpu
