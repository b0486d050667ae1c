// SPDX-License-Identifier: MIT
// The kernels' text, run on the host as the launcher would run it on a device, against the loops of
// the CPU. Every launch shape that the launcher chooses for these layouts, and each index width.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/cpu/reduce/reduce.h"
#include "cupyxx/internal/gpu/reduce/shape.h"
#include "cupyxx/internal/kernels/reduce_run.h"

namespace cupyxx::internal::gpu {
namespace {

template <class Op, class T, class I, int kVec, int kDims>
void run(ReduceKernel kernel, const kernels::ReduceArgs<kDims>& args) {
  switch (kernel) {
    case ReduceKernel::rows_short:
      return kernels::reduce_rows_short<Op, T, I, kVec>(args);
    case ReduceKernel::rows:
      return kernels::reduce_rows<Op, T, I, kVec>(args);
    case ReduceKernel::run:
      return kernels::reduce_run<Op, T, I, kVec, kRunThreads>(args);
    default:
      return kernels::reduce_columns<Op, T, I, kVec>(args);
  }
}

template <class Op, class T, int kDims>
void run_variant(ReduceVariant variant, const kernels::ReduceArgs<kDims>& args) {
  constexpr int kPacket = packet_size({ReduceKernel::rows, true, false}, dtype_of<T>());
  if (variant.packets) {
    variant.wide ? run<Op, T, ops::u64, kPacket>(variant.kernel, args)
                 : run<Op, T, ops::u32, kPacket>(variant.kernel, args);
  } else {
    variant.wide ? run<Op, T, ops::u64, 1>(variant.kernel, args)
                 : run<Op, T, ops::u32, 1>(variant.kernel, args);
  }
}

struct Case {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  std::uint32_t mask;
  std::int64_t first = 0;  // the element where the array begins
};

const Case kCases[] = {
    {{}, {}, 0},
    {{5}, {1}, 1},
    {{30011}, {1}, 1},
    {{30011}, {1}, 1, 3},
    {{99003}, {1}, 1, 3},
    {{3, 9001}, {9001, 1}, 2},
    {{90, 5}, {5, 1}, 2},
    {{90, 8}, {8, 1}, 2},
    {{70, 100}, {100, 1}, 2},
    {{70, 129}, {131, 1}, 2, 1},
    {{301, 7}, {7, 1}, 1},
    {{300, 72}, {72, 1}, 1},
    {{40, 600}, {600, 1}, 1},
    {{40, 600}, {600, 1}, 0},
    {{33, 21}, {1, 33}, 2},
    {{33, 21}, {1, 33}, 1},
    {{3, 40, 24}, {960, 24, 1}, 2},
    {{6, 5, 4, 12}, {240, 48, 12, 1}, 13},
    {{6, 5, 49}, {245, 49, 1}, 5},
    {{12, 10}, {40, 3}, 1},
    {{12, 10}, {40, 3}, 2},
    {{11, 13}, {-13, -1}, 1, 142},
    {{4, 300}, {0, 1}, 2},
    {{3, 4, 5, 6}, {120, 1, 24, 4}, 10},
    {{2, 3, 2, 3, 2, 3, 2, 3}, {648, 216, 108, 36, 18, 6, 3, 1}, 170},
};

template <class Op, class T>
void check(ReduceOp op) {
  constexpr dtype kIn = dtype_of<T>();
  constexpr std::size_t kElements = 100000;
  const std::unique_ptr<T[]> memory(new T[kElements]);  // a vector of bool has no array
  std::uint32_t state = 3;
  for (std::size_t i = 0; i < kElements; ++i) {
    T& x = memory[i];
    state = state * 1664525u + 1013904223u;
    const int digit = static_cast<int>(state >> 29);
    const int value = op == ReduceOp::prod ? (digit == 1 && state % 97 == 0 ? 2 : 1) : digit;
    if constexpr (is_complex<T>) {
      using Part = typename T::value_type;
      x = T(static_cast<Part>(value),
            op == ReduceOp::prod ? Part(0) : static_cast<Part>(digit / 2));
    } else {
      x = static_cast<T>(value);
    }
    if (kIn.is_floating() && is_arg(op) && state % 509 == 0) x = static_cast<T>(std::nan(""));
  }
  for (const Case& c : kCases) {
    const int ndim = static_cast<int>(c.shape.size());
    std::int64_t strides[kMaxNdim];
    for (int d = 0; d < ndim; ++d) strides[d] = c.strides[d] * kIn.itemsize();
    const auto plan = [&](void* result) {
      return plan_reduction(op, kIn, memory.get() + c.first, ndim, c.shape.data(), strides, c.mask,
                            result, nullptr, 0.5);
    };
    const Reduction empty = plan(nullptr);
    const auto bytes = static_cast<std::size_t>(empty.kept * empty.out.itemsize());
    std::vector<char> expected(bytes);
    cpu::reduce(plan(expected.data()));
    std::vector<char> first;
    // Few processors choose short rows for little data; the order of the blocks must not matter.
    for (const int processors : {1, 132}) {
      first.clear();
      for (const bool second : {false, true}) {
        std::vector<char> result(bytes);
        const Reduction r = plan(result.data());
        ReduceShape shape = built_in_shape(r, processors);
        shape.variant.wide = second;
        std::vector<unsigned> parts(static_cast<std::size_t>(shape.parts_bytes / 4 + 1));
        std::vector<unsigned> tickets(kReduceTickets);
        const jit::LaunchShape& launch = shape.launch;
        const auto run_with = [&](auto args) {
          fill_args(r, shape, args);
          args.partials = parts.data();
          args.tickets = tickets.data();
          emulated::launch({launch.grid_x, launch.grid_y}, {launch.block_x, launch.block_y},
                           /*backwards=*/second, [&] { run_variant<Op, T>(shape.variant, args); });
        };
        EXPECT_EQ(shape.variant.many, ndim == 8);
        if (shape.variant.many) {
          run_with(kernels::ReduceArgs<kernels::kMaxReduceDims>());
        } else {
          run_with(kernels::ReduceArgs<kernels::kFewReduceDims>());
        }
        SCOPED_TRACE(std::string(name(op)) + " " + std::string(kIn.name()) + " case " +
                     std::to_string(&c - kCases) + " kernel " +
                     std::to_string(static_cast<int>(shape.variant.kernel)) + " parts " +
                     std::to_string(launch.grid_y));
        EXPECT_EQ(tickets, std::vector<unsigned>(kReduceTickets));
        if (first.empty()) first = result;
        ASSERT_EQ(result, first);  // the same bits
        // A complex number counts as its parts.
        const dtype part = r.out.real_part();
        const std::int64_t parts_count = r.kept * (r.out.itemsize() / part.itemsize());
        for (std::int64_t k = 0; k < parts_count; ++k) {
          double want, got;
          const auto read = [&](const std::vector<char>& from, double& to) {
            const char* p = from.data() + k * part.itemsize();
            if (part == float32) {
              float x;
              std::memcpy(&x, p, 4);
              to = x;
            } else if (part == float64) {
              std::memcpy(&to, p, 8);
            } else if (r.out == float16) {
              half x;
              std::memcpy(&x, p, 2);
              to = static_cast<float>(x);
            } else if (r.out == bfloat16_) {
              bfloat16 x;
              std::memcpy(&x, p, 2);
              to = static_cast<float>(x);
            } else {
              std::int64_t x = 0;
              std::memcpy(&x, p, static_cast<std::size_t>(r.out.itemsize()));
              to = static_cast<double>(x);
            }
          };
          read(expected, want);
          read(result, got);
          if (std::isinf(want) && want == got) continue;
          const double bound = !r.out.is_inexact()  ? 0
                               : r.out == float16   ? 2e-3
                               : r.out == bfloat16_ ? 2e-2
                                                    : 1e-5;
          ASSERT_LE(std::abs(got - want), bound * (1 + std::abs(want)))
              << k << ": " << got << ", not " << want;
        }
      }
    }
  }
}

TEST(ReduceKernels, Sum) {
  check<ops::Sum, float>(ReduceOp::sum);
  check<ops::Sum, ops::i8>(ReduceOp::sum);
  check<ops::Sum, half>(ReduceOp::sum);
}
TEST(ReduceKernels, Complex) {
  check<ops::Sum, complex<float>>(ReduceOp::sum);
  check<ops::Var, complex<double>>(ReduceOp::var);
  check<ops::Argmin, complex<double>>(ReduceOp::argmin);
  check<ops::Norm, complex<float>>(ReduceOp::norm);
}
TEST(ReduceKernels, Prod) { check<ops::Prod, double>(ReduceOp::prod); }
TEST(ReduceKernels, Mean) { check<ops::Mean, ops::i32>(ReduceOp::mean); }
TEST(ReduceKernels, Norm) { check<ops::Norm, float>(ReduceOp::norm); }
TEST(ReduceKernels, Var) { check<ops::Var, float>(ReduceOp::var); }
TEST(ReduceKernels, Std) { check<ops::Std, double>(ReduceOp::std); }
TEST(ReduceKernels, Amax) { check<ops::Amax, float>(ReduceOp::amax); }
TEST(ReduceKernels, Amin) { check<ops::Amin, ops::u16>(ReduceOp::amin); }
TEST(ReduceKernels, All) { check<ops::All, bool>(ReduceOp::all); }
TEST(ReduceKernels, Any) { check<ops::Any, ops::i64>(ReduceOp::any); }
TEST(ReduceKernels, Argmax) { check<ops::Argmax, float>(ReduceOp::argmax); }
TEST(ReduceKernels, Argmin) { check<ops::Argmin, half>(ReduceOp::argmin); }
TEST(ReduceKernels, CountNonzero) { check<ops::CountNonzero, ops::u8>(ReduceOp::count_nonzero); }

}  // namespace
}  // namespace cupyxx::internal::gpu
