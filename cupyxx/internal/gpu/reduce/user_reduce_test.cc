// SPDX-License-Identifier: MIT
// The schedules of users' reductions, run on the host as a launch would run them on a device: sums
// of 64-bit integers, which are exact in any order, numbered by their place in memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/gpu/divider.h"
#include "cupyxx/internal/gpu/reduce/shape.h"
#include "cupyxx/internal/kernels/user_reduce.h"

namespace cupyxx::internal::gpu {
namespace {

using Args = kernels::UserReduceArgs<8, 2>;  // the result and one input

template <class T, int kVec>
struct Packet {
  kernels::Vector<T, kVec> v;
};

// What a kernel's own text would be.
template <class T, class I, int kVec>
void run(ReduceKernel kernel, const Args& args) {
  const auto load = [&]<int kWidth>(const long(&at)[3]) {
    return Packet<T, kWidth>{
        *reinterpret_cast<const kernels::Vector<T, kWidth>*>(args.data[1] + at[1])};
  };
  const auto map = [](const auto& packet, int e, long i) {
    return static_cast<long>(packet.v.at[e]) * 1000 + i;
  };
  const auto combine = [](long a, long b) { return a + b; };
  const auto head = [&](const long(&at)[3]) -> unsigned {
    const std::size_t bytes = kVec * sizeof(T);
    const std::size_t beyond = reinterpret_cast<std::size_t>(args.data[1] + at[1]) % bytes;
    return beyond == 0 ? 0 : static_cast<unsigned>((bytes - beyond) / sizeof(T));
  };
  const auto finish = [&](const kernels::Part<long>& part, const long(&at)[3], long out) {
    *reinterpret_cast<long*>(args.data[0] + at[0]) = (part.has ? part.value : -1) + out;
  };
  switch (kernel) {
    case ReduceKernel::rows_short:
      return kernels::user_rows_short<long, I, kVec, 6, 7>(args, load, map, combine, finish);
    case ReduceKernel::rows:
      return kernels::user_rows<long, I, kVec, 6, 7>(args, head, load, map, combine, finish);
    default:
      return kernels::user_columns<long, I, kVec, 6, 7>(args, load, map, combine, finish);
  }
}

struct Case {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  std::uint32_t mask;
  std::int64_t first = 0;
};

const Case kCases[] = {
    {{5}, {1}, 1},
    {{9011}, {1}, 1, 3},
    {{4011}, {2}, 1},
    {{3, 2501}, {2501, 1}, 2},
    {{90, 5}, {5, 1}, 2},
    {{1000, 8}, {8, 1}, 2},
    {{900, 7}, {7, 1}, 2},
    {{70, 129}, {131, 1}, 2, 1},
    {{70, 256}, {256, 1}, 2},
    {{301, 7}, {7, 1}, 1},
    {{300, 72}, {72, 1}, 1},
    {{40, 600}, {600, 1}, 1},
    {{40, 600}, {600, 1}, 0},
    {{33, 21}, {1, 33}, 2},
    {{6, 5, 4, 12}, {240, 48, 12, 1}, 13},
    {{6, 5, 48}, {240, 48, 1}, 5},
    {{6, 5, 48}, {240, 48, 1}, 2},
    {{4, 0}, {1, 1}, 2},
};

template <class T>
void check(const Case& c, bool wide) {
  const int ndim = static_cast<int>(c.shape.size());
  std::vector<T> memory(80000);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<T>(i * 37 % 101);
  const T* data = memory.data() + 16 + c.first;
  std::vector<std::int64_t> strides;
  std::int64_t results = 1;
  for (int i = 0; i < ndim; ++i) {
    strides.push_back(c.strides[i] * static_cast<std::int64_t>(sizeof(T)));
    if ((c.mask >> i & 1) == 0) results *= c.shape[i];
  }
  std::vector<long> got(static_cast<std::size_t>(results));
  const Reduction r = plan_reduction(ReduceOp::sum, dtype_of<T>(), data, ndim, c.shape.data(),
                                     strides.data(), c.mask, got.data());
  const ReduceShape shape = reduce_shape(r, 4);

  Args args{};
  args.data[0] = reinterpret_cast<char*>(got.data());
  args.data[1] = const_cast<char*>(r.data);
  args.kept = r.kept;
  args.reduced = r.reduced;
  args.kept_rank = r.kept_ndim;
  args.rank = r.kept_ndim + r.reduced_ndim;
  args.tiles = shape.tiles;
  args.lanes_log2 = shape.lanes_log2;
  for (int axis = 0; axis < args.rank; ++axis) {
    const ReduceAxis& a =
        axis < r.kept_ndim ? r.kept_axes[axis] : r.reduced_axes[axis - r.kept_ndim];
    args.extent[axis] = a.extent;
    args.divider[axis] = make_divider(a.extent == 0 ? 1 : a.extent);
    // Reduction results are of 8 bytes for every integer.
    args.stride[0][axis] = axis < r.kept_ndim ? a.out_stride : 0;
    args.stride[1][axis] = a.stride;
    args.stride[2][axis] = a.stride / static_cast<std::int64_t>(sizeof(T));
  }
  std::vector<unsigned> parts(static_cast<std::size_t>(shape.parts_bytes) / 4), tickets(4096);
  args.partials = parts.data();
  args.tickets = tickets.data();

  std::vector<long> want;
  const std::int64_t base = r.data - reinterpret_cast<const char*>(data);
  for (std::int64_t out = 0; out < r.kept; ++out) {
    std::int64_t rest = out, origin = 0;
    for (int d = r.kept_ndim - 1; d >= 0; --d) {
      origin += rest % r.kept_axes[d].extent * r.kept_axes[d].stride;
      rest /= r.kept_axes[d].extent;
    }
    long sum = 0;
    for (std::int64_t j = 0; j < r.reduced; ++j) {
      std::int64_t at = origin, left = j;
      for (int d = r.reduced_ndim - 1; d >= 0; --d) {
        at += left % r.reduced_axes[d].extent * r.reduced_axes[d].stride;
        left /= r.reduced_axes[d].extent;
      }
      const std::int64_t element = at / static_cast<std::int64_t>(sizeof(T));
      sum += static_cast<long>(data[base / static_cast<std::int64_t>(sizeof(T)) + element]) * 1000 +
             element;
    }
    want.push_back((r.reduced == 0 ? -1 : sum) + out);
  }
  // Kept axes of these cases are in C order, so result `out` is element `out`.
  constexpr int kPacket = packet_size({ReduceKernel::rows, true, false}, dtype_of<T>());
  for (const bool backwards : {false, true}) {
    std::fill(got.begin(), got.end(), -7);
    emulated::launch({shape.launch.grid_x, shape.launch.grid_y},
                     {shape.launch.block_x, shape.launch.block_y}, backwards, [&] {
                       const ReduceKernel kernel = shape.variant.kernel;
                       if (shape.variant.packets) {
                         wide ? run<T, ops::u64, kPacket>(kernel, args)
                              : run<T, ops::u32, kPacket>(kernel, args);
                       } else {
                         wide ? run<T, ops::u64, 1>(kernel, args)
                              : run<T, ops::u32, 1>(kernel, args);
                       }
                     });
    ASSERT_EQ(got, want);
    for (const unsigned ticket : tickets) ASSERT_EQ(ticket, 0u);
  }
}

template <class T>
void check_all() {
  for (const Case& c : kCases) {
    for (const bool wide : {false, true}) {
      SCOPED_TRACE(&c - kCases);
      check<T>(c, wide);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(UserReduce, Bytes) { check_all<signed char>(); }
TEST(UserReduce, Halfwords) { check_all<short>(); }
TEST(UserReduce, Words) { check_all<int>(); }
TEST(UserReduce, Doublewords) { check_all<long>(); }

}  // namespace
}  // namespace cupyxx::internal::gpu
