// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundled_programs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/gpu/blas/programs.h"
#include "cupyxx/internal/gpu/programs.h"
#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/internal/gpu/scatter_programs.h"
#include "cupyxx/internal/gpu/sorting_programs.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/internal/random/programs.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal::jit {

namespace {

constexpr dtype kEverydayTypes[] = {float32, float64, int32, int64};
constexpr dtype kCastTypes[] = {bool_, uint8, int32, int64, float16, float32, float64};

bool is_everyday(dtype type) {
  return std::find(std::begin(kEverydayTypes), std::end(kEverydayTypes), type) !=
         std::end(kEverydayTypes);
}

void add_elementwise(std::vector<Program>& programs, const OpInfo& op, int loop,
                     const dtype* stored, unsigned immediate, const ElementwiseLayout& layout) {
  programs.push_back(gpu::elementwise_program(
      op, gpu::elementwise_source(op, loop, stored, immediate, layout, false)));
}

// The loops of `op` on bool count where the operation is about truth.
bool takes_truth(std::string_view op) {
  return op.starts_with("logical_") || op.starts_with("bitwise_") || op == "invert" ||
         op == "equal" || op == "not_equal";
}

// One operation on each everyday type: contiguous, with a number on either side, broadcast.
void add_operation(std::vector<Program>& programs, const OpInfo& op) {
  for (int loop = 0; loop < op.nloops; ++loop) {
    const LoopInfo& info = op.loops[loop];
    dtype stored[5];
    bool everyday = true;
    for (int k = 0; k < op.nout; ++k) stored[k] = info.out[k];
    for (int i = 0; i < op.nin; ++i) {
      stored[op.nout + i] = info.in[i];
      everyday = everyday && (is_everyday(info.in[i]) || (op.nin == 3 && i == 0) ||
                              (info.in[i] == bool_ && takes_truth(op.name)));
    }
    if (!everyday) continue;
    add_elementwise(programs, op, loop, stored, 0, {});
    add_elementwise(programs, op, loop, stored, 0, {Form::flat, 2});
    if (op.nin == 2) {
      add_elementwise(programs, op, loop, stored, 2u << op.nout, {});
      add_elementwise(programs, op, loop, stored, 1u << op.nout, {});
    } else if (op.nin == 3) {
      add_elementwise(programs, op, loop, stored, 6u << op.nout, {});
    }
    // What broadcasting needs most.
    constexpr std::string_view kBroadcast[] = {"add", "subtract", "multiply", "true_divide"};
    const bool broadcasts =
        std::find(std::begin(kBroadcast), std::end(kBroadcast), op.name) != std::end(kBroadcast);
    if (broadcasts && info.in[0].is_floating()) {
      add_elementwise(programs, op, loop, stored, 0, {Form::flat, 3});
      for (const unsigned staged : {2u, 4u}) {
        add_elementwise(programs, op, loop, stored, 0, {Form::tiled, 2, false, staged});
      }
    }
  }
}

// Copies between types, fills, copies of strided and of transposed arrays.
void add_copies(std::vector<Program>& programs, const OpInfo& copy) {
  for (const dtype to : kCastTypes) {
    const int loop = copy.same_loop[static_cast<int>(to.code())];
    for (const dtype from : kCastTypes) {
      const dtype stored[] = {to, from};
      add_elementwise(programs, copy, loop, stored, 0, {});
    }
    const dtype stored[] = {to, to};
    add_elementwise(programs, copy, loop, stored, 2, {});
    for (const int rank : {2, 3}) {
      add_elementwise(programs, copy, loop, stored, 0, {Form::flat, rank});
      add_elementwise(programs, copy, loop, stored, 0, {Form::strided, rank});
      add_elementwise(programs, copy, loop, stored, 2, {Form::strided, rank});
    }
  }
  for (const int itemsize : {1, 2, 4, 8}) {
    for (const int rank : {2, 3, 4}) programs.push_back(gpu::transpose_program(itemsize, rank));
  }
}

// Reductions, in each form that contiguous arrays take.
void add_reductions(std::vector<Program>& programs) {
  using gpu::ReduceKernel;
  constexpr gpu::ReduceVariant kVariants[] = {{ReduceKernel::rows_short, true},
                                              {ReduceKernel::rows_short, false},
                                              {ReduceKernel::rows, true},
                                              {ReduceKernel::rows, false},
                                              {ReduceKernel::columns, true}};
  const auto add = [&](ReduceOp op, dtype in) {
    for (const gpu::ReduceVariant variant : kVariants) {
      programs.push_back(gpu::reduce_program(op, in, variant));
    }
  };
  for (const ReduceOp op :
       {ReduceOp::sum, ReduceOp::prod, ReduceOp::mean, ReduceOp::var, ReduceOp::std, ReduceOp::amax,
        ReduceOp::amin, ReduceOp::argmax, ReduceOp::argmin, ReduceOp::count_nonzero}) {
    for (const dtype in : kEverydayTypes) add(op, in);
  }
  for (const ReduceOp op : {ReduceOp::all, ReduceOp::any, ReduceOp::sum, ReduceOp::count_nonzero}) {
    add(op, bool_);
  }
}

// Sorting, running sums, searching.
void add_sorting(std::vector<Program>& programs) {
  using gpu::SortKernel;
  for (const dtype type : kEverydayTypes) {
    for (const SortKernel kernel : {SortKernel::short_rows, SortKernel::keys, SortKernel::search}) {
      programs.push_back(gpu::sort_program(kernel, type, false));
    }
  }
  for (const dtype bits : {uint32, uint64}) {
    for (const SortKernel kernel : {SortKernel::count, SortKernel::scatter, SortKernel::finish}) {
      programs.push_back(gpu::sort_program(kernel, bits, false));
    }
  }
  for (const dtype type : {int64, float32, float64}) {
    for (const bool product : {false, true}) {
      for (const bool totals : {false, true}) {
        programs.push_back(gpu::scan_program(product, totals, type));
      }
    }
  }
  programs.push_back(gpu::compact_program());
}

// Index arrays and ranges.
void add_indexing(std::vector<Program>& programs) {
  for (const int unit : {1, 2, 4, 8, 16}) {
    for (const bool index64 : {false, true}) {
      programs.push_back(gpu::take_program(unit, index64, false));
    }
    programs.push_back(gpu::scatter_program(unit));
  }
  programs.push_back(gpu::combine_rows_program());
  programs.push_back(gpu::note_winners_program());
  programs.push_back(gpu::count_positions_program());
  programs.push_back(gpu::linspace_program());
  for (const dtype type : kEverydayTypes) {
    programs.push_back(gpu::range_program(type));
    programs.push_back(gpu::add_atomically_program(type));
  }
}

}  // namespace

std::vector<Program> bundled_programs() {
  std::vector<Program> programs;
  for (const ufunc* f : all_ufuncs()) {
    // Of real types it is a copy.
    const OpInfo& op = f->op();
    if (std::string_view(op.name) != "conjugate") add_operation(programs, op);
  }
  add_operation(programs, ufunc_of<ops::Where>().op());
  add_operation(programs, ufunc_of<ops::Clip>().op());
  add_copies(programs, ufunc_of<ops::Copy>().op());
  add_indexing(programs);
  add_reductions(programs);
  add_sorting(programs);
  for (Program& program : gpu::common_gemm_programs()) programs.push_back(std::move(program));
  for (Program& program : gpu::common_random_programs()) programs.push_back(std::move(program));
  return programs;
}

}  // namespace cupyxx::internal::jit
