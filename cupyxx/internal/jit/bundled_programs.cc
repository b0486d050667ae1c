// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundled_programs.h"

#include <algorithm>
#include <utility>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/gpu/blas/programs.h"
#include "cupyxx/internal/gpu/elementwise/programs.h"
#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/internal/gpu/scatter/programs.h"
#include "cupyxx/internal/gpu/solver/programs.h"
#include "cupyxx/internal/gpu/sorting/programs.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/internal/random/programs.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal::jit {

namespace {

constexpr dtype kEverydayTypes[] = {float32, float64, int32, int64};
constexpr dtype kCastTypes[] = {bool_, uint8, int32, int64, float16, bfloat16_, float32, float64};

bool is_everyday(dtype type) {
  return std::find(std::begin(kEverydayTypes), std::end(kEverydayTypes), type) !=
         std::end(kEverydayTypes);
}

void add_elementwise(std::vector<Program>& programs, const OpInfo& op, int loop,
                     const dtype* stored, unsigned immediate, const ElementwiseLayout& layout) {
  programs.push_back(gpu::elementwise_program(
      op, gpu::elementwise_source(op, loop, stored, immediate, layout, false)));
}

// Whether the program for every layout can have the operands of a loop.
bool fits_any(const OpInfo& op, const LoopInfo& info) {
  const auto fits = [](dtype type) { return gpu::stored_code(type).has_value(); };
  return std::all_of(info.in, info.in + op.nin, fits) &&
         std::all_of(info.out, info.out + op.nout, fits);
}

// One operation on each everyday type: contiguous, with a number on either side, broadcast; what is
// rarer shares one program.
void add_operation(std::vector<Program>& programs, const OpInfo& op) {
  for (int loop = 0; loop < op.nloops; ++loop) {
    const LoopInfo& info = op.loops[loop];
    if (fits_any(op, info)) programs.push_back(gpu::any_program(op, loop));
    dtype stored[5];
    bool everyday = true;
    for (int k = 0; k < op.nout; ++k) stored[k] = info.out[k];
    for (int i = 0; i < op.nin; ++i) {
      stored[op.nout + i] = info.in[i];
      everyday = everyday && (is_everyday(info.in[i]) || (op.nin == 3 && i == 0) ||
                              (info.in[i] == bool_ && (op.bundled & ops::kTruth) != 0));
    }
    if (!everyday) continue;
    add_elementwise(programs, op, loop, stored, 0, {});
    add_elementwise(programs, op, loop, stored, 0, {Form::flat, 2});
    if (op.nin == 2) {
      add_elementwise(programs, op, loop, stored, 2u << op.nout, {});
      add_elementwise(programs, op, loop, stored, 1u << op.nout, {});
    } else if (op.nin == 3) {
      for (const unsigned numbers : {2u, 4u, 6u}) {
        add_elementwise(programs, op, loop, stored, numbers << op.nout, {});
      }
    }
    if (!info.in[0].is_floating()) continue;
    // Transposed operands in any place, and three axes, for what broadcasts most.
    const bool broadcasts = (op.bundled & ops::kBroadcasts) != 0;
    if (broadcasts) add_elementwise(programs, op, loop, stored, 0, {Form::flat, 3});
    for (unsigned staged = 1; staged < 1u << op.nin && (broadcasts || op.nin == 1); ++staged) {
      add_elementwise(programs, op, loop, stored, 0, {Form::tiled, 2, false, staged << op.nout});
    }
  }
}

// Contiguous arrays of each floating type; what is rarer shares one program where there is one.
void add_plain(std::vector<Program>& programs, const OpInfo& op) {
  const int operands = op.nout + op.nin;
  const unsigned numbers = (1u << operands) - (1u << (operands - op.parameters));
  for (int loop = 0; loop < op.nreal; ++loop) {
    const LoopInfo& info = op.loops[loop];
    dtype stored[6];
    std::copy_n(info.out, op.nout, stored);
    std::copy_n(info.in, op.nin, stored + op.nout);
    add_elementwise(programs, op, loop, stored, numbers, {});
    if (fits_any(op, info)) programs.push_back(gpu::any_program(op, loop));
  }
}

// What networks of 16 bits do between their products: sums and products of arrays, of rows beside
// arrays, and with numbers.
void add_narrow(std::vector<Program>& programs, const OpInfo& op) {
  for (const dtype type : {float16, bfloat16_}) {
    const int loop = op.same_loop[static_cast<int>(type.code())];
    const dtype stored[] = {type, type, type};
    add_elementwise(programs, op, loop, stored, 0, {});
    add_elementwise(programs, op, loop, stored, 0, {Form::flat, 2});
    add_elementwise(programs, op, loop, stored, 0, {Form::flat, 3});
    add_elementwise(programs, op, loop, stored, 2u << op.nout, {});
  }
}

// Integers in a function that computes in float64.
void add_conversions(std::vector<Program>& programs, const OpInfo& op) {
  const int loop = op.same_loop[static_cast<int>(float64.code())];
  for (const dtype integer : {int32, int64}) {
    const dtype stored[] = {float64, integer, integer};
    add_elementwise(programs, op, loop, stored, 0, {});
  }
}

// Operands at places that may be repeated.
void add_places(std::vector<Program>& programs, const OpInfo& op) {
  for (const dtype type : kEverydayTypes) {
    if (op.fold == ops::Fold::sum && type.is_integer()) continue;  // added atomically
    const int loop = op.same_loop[static_cast<int>(type.code())];
    for (const bool tails : {false, true}) {
      programs.push_back(gpu::at_program(op, loop, type, tails));
    }
  }
}

// Copies between types, fills, copies of strided and of transposed arrays.
void add_copies(std::vector<Program>& programs, const OpInfo& copy) {
  for (int loop = 0; loop < copy.nloops; ++loop) {
    if (fits_any(copy, copy.loops[loop])) programs.push_back(gpu::any_program(copy, loop));
  }
  for (const dtype to : kCastTypes) {
    const int loop = copy.same_loop[static_cast<int>(to.code())];
    for (const dtype from : kCastTypes) {
      // bfloat16 comes from float32 and goes there.
      const bool is_mixed = (from == bfloat16_) != (to == bfloat16_);
      if (is_mixed && from != float32 && to != float32) continue;
      const dtype stored[] = {to, from};
      add_elementwise(programs, copy, loop, stored, 0, {});
    }
    const dtype stored[] = {to, to};
    add_elementwise(programs, copy, loop, stored, 2, {});
    for (const unsigned number : {0u, 2u}) {
      programs.push_back(gpu::elementwise_program(
          copy, gpu::elementwise_source(copy, loop, stored, number, {}, true)));
    }
    for (const int rank : {2, 3}) {
      add_elementwise(programs, copy, loop, stored, 0, {Form::flat, rank});
      add_elementwise(programs, copy, loop, stored, 0, {Form::strided, rank});
      add_elementwise(programs, copy, loop, stored, 2, {Form::strided, rank});
    }
  }
  // Places in few rows are sorted as 16 bits.
  for (const dtype other : {int16, int64}) {
    const dtype narrow = other == int16 ? int64 : int16;
    const dtype stored[] = {other, narrow};
    add_elementwise(programs, copy, copy.same_loop[static_cast<int>(other.code())], stored, 0, {});
  }
  for (const int itemsize : {1, 2, 4, 8}) {
    for (const int rank : {2, 3, 4}) programs.push_back(gpu::transpose_program(itemsize, rank));
  }
  for (const int rank : {2, 3}) programs.push_back(gpu::transpose_bytes_large_program(rank));
}

// Reductions, in each form that contiguous arrays take.
void add_reductions(std::vector<Program>& programs) {
  using gpu::ReduceKernel;
  constexpr gpu::ReduceVariant kVariants[] = {
      {ReduceKernel::rows_short, true}, {ReduceKernel::rows_short, false},
      {ReduceKernel::rows, true},       {ReduceKernel::rows, false},
      {ReduceKernel::columns, true},    {ReduceKernel::columns, false}};
  const auto add = [&](ReduceOp op, dtype in, bool unrounded = false) {
    for (gpu::ReduceVariant variant : kVariants) {
      variant.unrounded = unrounded;
      programs.push_back(gpu::reduce_program(op, in, variant));
    }
  };
  for (const ReduceOp op : kReduceOps) {
    for (const dtype in : kEverydayTypes) {
      // Norms of integers are those of float64.
      if (op != ReduceOp::norm || in.is_floating()) add(op, in);
    }
  }
  for (const dtype narrow : {float16, bfloat16_}) {
    add(ReduceOp::sum, narrow);
    add(ReduceOp::sum, narrow, true);
    programs.push_back(gpu::reduce_program(ReduceOp::sum, narrow, {ReduceKernel::run, true}));
  }
  for (const ReduceOp op :
       {ReduceOp::all, ReduceOp::any, ReduceOp::sum, ReduceOp::mean, ReduceOp::count_nonzero}) {
    add(op, bool_);
  }
}

// Sorting, running sums, searching.
void add_sorting(std::vector<Program>& programs) {
  using gpu::SortKernel;
  for (const dtype type : kEverydayTypes) {
    for (const SortKernel kernel :
         {SortKernel::short_rows, SortKernel::count_values, SortKernel::scatter_values,
          SortKernel::keys, SortKernel::search}) {
      programs.push_back(gpu::sort_program(kernel, type, false));
    }
  }
  // Masks, chosen values of few kinds, random keys.
  for (const dtype type : {bool_, int16, uint64}) {
    programs.push_back(gpu::sort_program(SortKernel::short_rows, type, false));
  }
  for (const dtype bits : {uint32, uint64}) {
    for (const SortKernel kernel : {SortKernel::count, SortKernel::scatter, SortKernel::finish}) {
      programs.push_back(gpu::sort_program(kernel, bits, false));
    }
  }
  for (const dtype type : {int64, float32, float64}) {
    for (const bool product : {false, true}) {
      for (const bool short_rows : {false, true}) {
        programs.push_back(gpu::scan_program(product, short_rows, type));
      }
    }
  }
  programs.push_back(gpu::count_flags_program());
  for (const int unit : {0, 1, 2, 4, 8, 16}) programs.push_back(gpu::compact_program(unit));
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
  programs.push_back(gpu::check_info_program());
  programs.push_back(gpu::range_program(uint64));  // addresses of matrices
  for (const dtype type : kEverydayTypes) {
    programs.push_back(gpu::range_program(type));
    programs.push_back(gpu::add_atomically_program(type));
  }
}

}  // namespace

void add_operation_programs(std::vector<Program>& programs, const ufunc& f) {
  const OpInfo& op = f.op();
  if ((op.bundled & ops::kEveryday) != 0) add_operation(programs, op);
  if ((op.bundled & ops::kIntegers) != 0) add_conversions(programs, op);
  if ((op.bundled & ops::kPlaces) != 0) add_places(programs, op);
  if ((op.bundled & ops::kPlain) != 0) add_plain(programs, op);
}

std::vector<Program> bundled_programs() {
  std::vector<Program> programs;
  for (const ufunc* f : all_ufuncs()) add_operation_programs(programs, *f);
  add_operation(programs, ufunc_of<ops::Where>().op());
  add_operation(programs, ufunc_of<ops::Clip>().op());
  add_operation_programs(programs, ufunc_of<ops::NanToNum>());
  add_copies(programs, ufunc_of<ops::Copy>().op());
  add_narrow(programs, ufunc_of<ops::Add>().op());
  add_narrow(programs, ufunc_of<ops::Multiply>().op());
  add_indexing(programs);
  add_reductions(programs);
  add_sorting(programs);
  for (Program& program : gpu::common_gemm_programs()) programs.push_back(std::move(program));
  for (Program& program : gpu::all_random_programs()) programs.push_back(std::move(program));
  return programs;
}

}  // namespace cupyxx::internal::jit
