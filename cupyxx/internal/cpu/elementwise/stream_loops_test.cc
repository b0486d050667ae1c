// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/stream_loops.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr std::int64_t kCount = 333;

// Bytes of numbers of either sign.
std::vector<char> numbers(dtype type, int seed) {
  std::vector<char> bytes(static_cast<std::size_t>(kCount * type.itemsize()));
  for (std::int64_t i = 0; i < kCount; ++i) {
    const std::int64_t whole = (i * 7919 + seed) % 2011 - 1000;
    const Scalar value = type.is_integer() ? Scalar(whole) : Scalar(whole + 0.25);
    value.store("test", type, bytes.data() + i * type.itemsize());
  }
  return bytes;
}

// What a loop makes of two operands from `skip` elements on; 0x55 stands where it must not write.
std::vector<char> run(LoopFn loop, dtype type, dtype out, std::int64_t skip, bool repeat_first,
                      bool repeat_last) {
  const std::int64_t size = out.itemsize();
  std::vector<char> a = numbers(type, 3);
  std::vector<char> b = numbers(type, 1234);
  std::vector<char> memory(static_cast<std::size_t>((kCount + 2) * size) + 64, 0x55);
  char* aligned = memory.data() + (-reinterpret_cast<std::uintptr_t>(memory.data()) & 63);
  char* data[] = {aligned + skip * size, a.data(), b.data()};
  const std::int64_t step = type.itemsize();
  const std::int64_t strides[] = {size, repeat_first ? 0 : step, repeat_last ? 0 : step};
  loop(data, strides, kCount - skip);
  return {aligned, aligned + (kCount + 1) * size};
}

TEST(StreamLoops, GiveTheBitsOfTheOrdinaryOnes) {
  int loops = 0;
  for (const ufunc* f : all_ufuncs()) {
    const OpInfo& op = f->op();
    for (const dtype type : {int32, int64, float32, float64}) {
      const int index = op.same_loop[static_cast<int>(type.code())];
      for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
        const LoopFn stream =
            is_compiled(arch) && arch <= cpu::arch() ? stream_loop(op, type, arch) : nullptr;
        if (stream == nullptr) continue;
        ++loops;
        for (const std::int64_t skip : {0, 1, 5}) {
          for (const int repeated : {0, 1, 2}) {
            const bool first = repeated == 1, last = repeated == 2;
            const dtype out = op.loops[index].out[0];
            EXPECT_EQ(run(stream, type, out, skip, first, last),
                      run(cpu_loop(op, index, arch), type, out, skip, first, last))
                << op.name << " " << type << " " << arch_name(arch) << " from " << skip;
          }
        }
      }
    }
  }
  EXPECT_GE(loops, is_compiled(Arch::baseline) ? 49 : 34);
}

TEST(StreamLoops, LargeResultsAreRight) {
  const std::int64_t n = (std::int64_t{1} << 20) + 77;
  const ndarray a = arange(n, float64);
  const ndarray b = a * 2 + 1;
  EXPECT_TRUE(static_cast<bool>(array_equal(b - a - 1, a)));
  EXPECT_EQ((a + b)(n - 1).item<double>(), static_cast<double>(3 * (n - 1) + 1));
  EXPECT_EQ(a.copy()(n - 1).item<double>(), static_cast<double>(n - 1));
  EXPECT_EQ((5 - a)(slice(none, none, -1))(0).item<double>(), static_cast<double>(5 - (n - 1)));
}

TEST(StreamLoops, LargeTruthsAreRight) {
  const std::int64_t n = (std::int64_t{1} << 22) + 77;
  const ndarray a = arange(n, float64);
  const ndarray b = where(a < 1000, a + 1, a);
  EXPECT_EQ(count_nonzero(a < b), 1000);
  EXPECT_EQ(count_nonzero(a == b), n - 1000);
  EXPECT_EQ(count_nonzero(a(slice(1, none)) > 2.0), n - 3);
  // Bytes become truths one by one, also where as many are stored as are read.
  const ndarray bytes = full({5 * n}, 2, int8);
  bytes(7) = 0;
  const ndarray truths = bytes.astype(bool_);
  EXPECT_EQ(count_nonzero(truths), 5 * n - 1);
  EXPECT_TRUE(static_cast<bool>((truths.view(int8) <= 1).all()));
}

}  // namespace
}  // namespace cupyxx::internal::cpu
