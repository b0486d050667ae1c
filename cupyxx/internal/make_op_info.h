// SPDX-License-Identifier: MIT
// An operation as data (op_info.h), made from its struct.
#pragma once

#include "cupyxx/extension/type_name.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal {

template <class Op, class T>
inline constexpr dtype kCompute = dtype_of<ops::ComputeType<Op, T>>();

template <class Op, class Signature>
struct Describe;
template <class Op, class R, class... A>
struct Describe<Op, R(A...)> {
  static constexpr LoopInfo info = {
      {dtype_of<A>()...}, {dtype_of<R>()}, {kCompute<Op, A>...}, {kCompute<Op, R>}};
  static constexpr int nin = sizeof...(A);
  static constexpr int nout = 1;
};
template <class Op, class R, class S, class... A>
struct Describe<Op, ops::Pair<R, S>(A...)> {
  static constexpr LoopInfo info = {{dtype_of<A>()...},
                                    {dtype_of<R>(), dtype_of<S>()},
                                    {kCompute<Op, A>...},
                                    {kCompute<Op, R>, kCompute<Op, S>}};
  static constexpr int nin = sizeof...(A);
  static constexpr int nout = 2;
};

using extension::type_name;

template <class Op, class List, class ComplexList>
struct LoopTable;
template <class Op, class First, class... Signature, class... Complex>
struct LoopTable<Op, ops::Loops<First, Signature...>, ops::Loops<Complex...>> {
  static constexpr LoopInfo infos[] = {Describe<Op, First>::info, Describe<Op, Signature>::info...,
                                       Describe<Op, Complex>::info...};
  static constexpr int nreal = 1 + sizeof...(Signature);
  static constexpr int count = nreal + sizeof...(Complex);
  static constexpr int nin = Describe<Op, First>::nin;
  static constexpr int nout = Describe<Op, First>::nout;
};

template <class Op, Arch kArch>
constexpr const LoopFn* const* real_table() {
  if constexpr (cpu::is_compiled(kArch)) {
    return &OpLoops<Op, kArch>::table;
  } else {
    return nullptr;
  }
}

template <class Op, Arch kArch>
constexpr const LoopFn* const* complex_table() {
  if constexpr (std::is_same_v<typename Op::complex_loops, ops::Loops<>> ||
                !cpu::is_compiled(kArch)) {
    return nullptr;
  } else {
    return &ComplexOpLoops<Op, kArch>::table;
  }
}

template <class Op>
constexpr OpInfo make_op_info(const char* header, int id) {
  using Table = LoopTable<Op, typename Op::loops, typename Op::complex_loops>;
  OpInfo op = {Op::name,
               Op::doc,
               type_name<Op>(),
               header,
               Table::nin,
               Table::nout,
               Table::count,
               Table::infos,
               Table::nreal,
               {real_table<Op, Arch::baseline>(), real_table<Op, Arch::avx2>(),
                real_table<Op, Arch::avx512>()},
               {complex_table<Op, Arch::baseline>(), complex_table<Op, Arch::avx2>(),
                complex_table<Op, Arch::avx512>()},
               Op::no_bool,
               Op::integers_divide_to_double,
               Op::compares,
               Op::checks_negative_power,
               Op::reads_truth,
               Op::copies,
               Op::vector_function,
               Op::reorderable,
               Op::widens,
               Op::identity,
               Op::fold,
               Op::bundled,
               Op::parameters,
               {},
               static_cast<std::uint16_t>(id)};
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    op.same_loop[code] = -1;
    for (int loop = Table::count - 1; loop >= 0; --loop) {
      bool same = true;
      for (int i = 0; i < Table::nin; ++i) {
        same = same && static_cast<int>(Table::infos[loop].in[i].code()) == code;
      }
      if (same) op.same_loop[code] = static_cast<std::int8_t>(loop);
    }
  }
  return op;
}

}  // namespace cupyxx::internal
