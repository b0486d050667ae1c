// SPDX-License-Identifier: MIT
// The kernel for operands of every layout and type, run on the host against loops over the same
// strides.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/gpu/divider.h"
// Last: its functions are made with what stands above.
#include "cupyxx/internal/gpu/elementwise/samples.h"
#include "cupyxx/internal/kernels/elementwise_any.h"
#include "cupyxx/internal/kernels/transpose.h"

namespace cupyxx::internal::gpu {
namespace {

using kernels::AnyArgs;
using kernels::Stored;

template <class T>
constexpr Stored kStored = std::is_same_v<T, bool>           ? Stored::bool_
                           : std::is_same_v<T, int>          ? Stored::int32
                           : std::is_same_v<T, std::int64_t> ? Stored::int64
                           : std::is_same_v<T, float>        ? Stored::float32
                                                             : Stored::float64;

// Strides in elements.
struct Place {
  std::vector<std::int64_t> strides;
  int first = 0;
};

struct Case {
  std::vector<std::int64_t> shape;
  Place out, a, b;
};

const Case kCases[] = {
    {{}, {{}}, {{}}, {{}}},
    {{700}, {{1}}, {{1}}, {{0}}},
    {{700}, {{-2}, 1500}, {{3}}, {{1}}},
    {{37, 21}, {{21, 1}}, {{1, 37}}, {{0, 1}}},
    {{37, 21}, {{1, 37}}, {{21, 1}}, {{1, 0}}},
    {{5, 7, 9}, {{63, 9, 1}}, {{1, 5, 35}}, {{9, 0, 1}}},
    {{2, 3, 2, 3, 4, 2}, {{144, 48, 24, 8, 2, 1}}, {{1, 2, 6, 12, 36, 144}}, {{0, 1, 0, 1, 1, 3}}},
};

std::int64_t offset(const Case& c, const Place& place, std::int64_t index) {
  std::int64_t result = place.first;
  for (std::size_t axis = c.shape.size(); axis-- > 0;) {
    result += index % c.shape[axis] * place.strides[axis];
    index /= c.shape[axis];
  }
  return result;
}

void run(std::string_view name, const AnyArgs& args) {
  for (const Sample& sample : kSamples) {
    if (name != sample.name) continue;
    const auto blocks =
        static_cast<unsigned>((args.size + sample.per_block - 1) / sample.per_block);
    emulated::launch({blocks, 1}, {256, 1}, false, [&] { sample.run(&args); });
    return;
  }
  FAIL() << name;
}

// One operand of a launch.
template <class T>
void put(AnyArgs& args, int k, T* data, const Case& c, const Place& place) {
  args.data[k] = reinterpret_cast<char*>(data + place.first);
  args.stored |= static_cast<unsigned>(kStored<T>) << (kernels::kStoredBits * k);
  for (std::size_t axis = 0; axis < c.shape.size(); ++axis) {
    args.stride[k][axis] = place.strides[axis] * static_cast<std::int64_t>(sizeof(T));
  }
}

AnyArgs args_of(const Case& c) {
  AnyArgs args{};
  args.size = 1;
  args.rank = static_cast<unsigned>(c.shape.size());
  for (std::size_t axis = 0; axis < c.shape.size(); ++axis) {
    args.size *= static_cast<unsigned long>(c.shape[axis]);
    args.extent[axis] = c.shape[axis];
    args.divider[axis] = make_divider(c.shape[axis]);
  }
  return args;
}

// Out = add<Loop>(A, B), by a mask or not.
template <class Loop, class Out, class A, class B>
void check_add(const char* name) {
  constexpr std::size_t kSize = 3000;
  std::vector<A> a(kSize);
  std::vector<B> b(kSize);
  std::vector<unsigned char> mask(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    a[i] = static_cast<A>(static_cast<int>(i % 97) - 40);
    b[i] = static_cast<B>(i % 31);
    mask[i] = i % 3 != 0;
  }
  for (const Case& c : kCases) {
    for (const bool masked : {false, true}) {
      for (const bool wide : {false, true}) {
        for (const bool number : {false, true}) {
          SCOPED_TRACE(::testing::Message() << &c - kCases << masked << wide << number);
          std::vector<Out> out(kSize, Out(77)), want = out;
          AnyArgs args = args_of(c);
          put(args, 0, out.data(), c, c.out);
          put(args, 1, a.data(), c, c.a);
          put(args, 2, b.data(), c, c.b);
          if (number) {
            args.numbers = 4;
            args.data[2] = nullptr;
            std::memcpy(&args.immediate[2], &b[5], sizeof(B));
          }
          if (masked) {
            args.masked = 1;
            args.data[3] = reinterpret_cast<char*>(mask.data());
            std::int64_t step = 1;
            for (std::size_t axis = c.shape.size(); axis-- > 0; step *= c.shape[axis]) {
              args.stride[3][axis] = step;
            }
          }
          args.wide = wide;
          for (std::int64_t i = 0; i < static_cast<std::int64_t>(args.size); ++i) {
            if (masked && !mask[static_cast<std::size_t>(i)]) continue;
            const auto x = static_cast<Loop>(a[static_cast<std::size_t>(offset(c, c.a, i))]);
            const auto y =
                static_cast<Loop>(b[number ? 5 : static_cast<std::size_t>(offset(c, c.b, i))]);
            want[static_cast<std::size_t>(offset(c, c.out, i))] = static_cast<Out>(x + y);
          }
          run(name, args);
          EXPECT_EQ(out, want);
        }
      }
    }
  }
}

TEST(AnyKernel, AddsFloats) { check_add<float, float, float, float>("add_float32_any"); }
TEST(AnyKernel, AddsMixedTypes) {
  check_add<double, double, int, float>("add_float64_any");
  check_add<double, float, std::int64_t, double>("add_float64_any");
  check_add<float, std::int64_t, float, int>("add_float32_any");
}

TEST(AnyKernel, CopiesToTruth) {
  const Case c{{4}, {{1}}, {{1}}, {{1}}};
  double from[] = {0, 0.5, -3, 0};
  bool to[4];
  AnyArgs args = args_of(c);
  put(args, 0, to, c, c.out);
  put(args, 1, from, c, c.a);
  run("copy_int32_any", args);  // through int32: 0.5 is none
  EXPECT_EQ(std::vector<bool>(to, to + 4), std::vector<bool>({false, false, true, false}));
}

}  // namespace
}  // namespace cupyxx::internal::gpu
