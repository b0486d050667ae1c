// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/sorting/programs.h"

#include <iterator>
#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::gpu {

namespace {

/// Booleans are sorted as the bytes they are.
const char* element_type(dtype type) {
  return type == bool_ ? "unsigned char" : jit::device_type(type);
}

const char* unsigned_type(dtype type) {
  switch (type.itemsize()) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned int";
    default:
      return "unsigned long";
  }
}

// `bounds`: threads of a block and, where registers would leave too few, blocks at once.
jit::Program make_program(std::string name, const char* header, const char* args,
                          const std::string& function, const char* bounds = "256") {
  jit::Program program;
  program.name = std::move(name);
  program.text = "#include \"cupyxx/internal/kernels/" + std::string(header) +
                 "\"\n"
                 "namespace ck = cupyxx::internal::kernels;\n"
                 "extern \"C\" __global__ void __launch_bounds__(" +
                 bounds +
                 ")\n"
                 "kernel(const __grid_constant__ ck::" +
                 args + " args) {\n" + jit::kWaitForKernelBefore + "  ck::" + function +
                 "(args);\n}\n";
  return program;
}

}  // namespace

jit::Program sort_program(SortKernel kernel, dtype type, bool wide) {
  const std::string place = wide ? "unsigned long" : "unsigned int";
  const std::string element = element_type(type), bits = unsigned_type(type);
  const std::string size = std::to_string(8 * type.itemsize()) + (wide ? "_wide" : "");
  const std::string name(type.name());
  switch (kernel) {
    case SortKernel::short_rows:
      return make_program("sort_short_" + name, "sort.h", "SortArgs",
                          "sort_short<" + element + ">");
    case SortKernel::keys:
      return make_program("sort_keys_" + name + (wide ? "_wide" : ""), "sort.h", "SortArgs",
                          "sort_keys<" + element + ", " + place + ">");
    case SortKernel::count_values:
      return make_program("sort_count_values_" + name, "sort.h", "SortArgs",
                          "sort_count<" + element + ">");
    case SortKernel::scatter_values:
      return make_program("sort_scatter_values_" + name, "sort.h", "SortArgs",
                          "sort_scatter<" + element + ", ck::NoPlace>", "256, 3");
    case SortKernel::count:
      return make_program("sort_count_" + size, "sort.h", "SortArgs", "sort_count<" + bits + ">");
    case SortKernel::scatter:
      return make_program("sort_scatter_" + size, "sort.h", "SortArgs",
                          "sort_scatter<" + bits + ", " + place + ">", "256, 3");
    case SortKernel::finish:
      return make_program("sort_finish_" + size, "sort.h", "SortArgs",
                          "sort_finish<" + bits + ", " + place + ">");
    default:
      return make_program("searchsorted_" + name, "sort.h", "SearchArgs",
                          "search<" + element + ">");
  }
}

jit::Program scan_program(bool product, bool short_rows, dtype type) {
  // Unsigned numbers wrap as the signed ones do.
  const std::string element = type == uint64 ? "long" : element_type(type);
  return make_program(std::string(product ? "cumprod_" : "cumsum_") +
                          (short_rows ? "short_" : "tiles_") + std::string(type.name()),
                      "scan.h", "ScanArgs",
                      std::string(short_rows ? "scan_short<" : "scan_tiles<") +
                          (product ? "ck::ScanProduct, " : "ck::ScanSum, ") + element + ">");
}

jit::Program count_flags_program() {
  return make_program("count_flags", "compact.h", "CompactArgs", "count_flags");
}

jit::Program compact_program(int unit) {
  if (unit == 0) {
    return make_program("compact_positions", "compact.h", "CompactArgs", "compact<long, true>");
  }
  const std::string type = unit == 16  ? "ck::Vector<unsigned long, 2>"
                           : unit == 8 ? "unsigned long"
                           : unit == 4 ? "unsigned"
                           : unit == 2 ? "unsigned short"
                                       : "unsigned char";
  return make_program("compact_" + std::to_string(unit), "compact.h", "CompactArgs",
                      "compact<" + type + ", false>");
}

std::vector<jit::Program> all_sorting_programs() {
  std::vector<jit::Program> programs;
  for (int code = 1; code < dtype::kComputeCount; ++code) {  // bool is sorted as uint8
    const dtype type = static_cast<dtype::Code>(code);
    if (type.is_complex()) continue;  // sorted by one part after the other
    for (const SortKernel kernel : {SortKernel::short_rows, SortKernel::count_values,
                                    SortKernel::scatter_values, SortKernel::search}) {
      programs.push_back(sort_program(kernel, type, false));
    }
    for (const bool wide : {false, true}) {
      programs.push_back(sort_program(SortKernel::keys, type, wide));
    }
  }
  for (const dtype type : {uint8, uint16, uint32, uint64}) {
    programs.push_back(sort_program(SortKernel::count, type, false));
    for (const bool wide : {false, true}) {
      programs.push_back(sort_program(SortKernel::scatter, type, wide));
      programs.push_back(sort_program(SortKernel::finish, type, wide));
    }
  }
  for (const dtype type : {int64, float32, float64, complex64, complex128}) {
    for (const bool product : {false, true}) {
      for (const bool short_rows : {false, true}) {
        programs.push_back(scan_program(product, short_rows, type));
      }
    }
  }
  programs.push_back(count_flags_program());
  for (const int unit : {0, 1, 2, 4, 8, 16}) programs.push_back(compact_program(unit));
  return programs;
}

}  // namespace cupyxx::internal::gpu
