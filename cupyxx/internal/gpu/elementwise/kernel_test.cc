// SPDX-License-Identifier: MIT
// The text of elementwise kernels, run on the host in the form and the grid that the launcher would
// choose, against loops over the same strides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/gpu/elementwise/layout.h"
// Last: its functions are made with what stands above.
#include "cupyxx/internal/gpu/elementwise/samples.h"
#include "cupyxx/internal/kernels/transpose.h"

namespace cupyxx::internal::gpu {
namespace {

using jit::ElementwiseLayout;
using jit::Form;

// Strides are in elements and stand for both inputs; the result is contiguous in C order unless its
// strides are given.
struct Case {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> a, b;
  std::vector<std::int64_t> out = {};
  int first = 0;  // the element of `a` where it begins
};

const Case kCases[] = {
    {{3000}, {1}, {1}},
    {{3000}, {1}, {1}, {}, 1},
    {{3000}, {2}, {1}},
    {{3000}, {-1}, {0}},
    {{3000}, {1}, {1}, {3}},
    {{37, 80}, {80, 1}, {0, 1}},
    {{37, 80}, {96, 1}, {1, 0}},
    {{5, 7, 8}, {56, 8, 1}, {8, 0, 1}},
    {{37, 81}, {81, 1}, {0, 1}},
    {{37, 81}, {81, 1}, {1, 0}, {}, 1},
    {{900, 3}, {3, 1}, {0, 1}},
    {{41, 50}, {100, 2}, {100, 2}},
    {{41, 50}, {50, 1}, {50, 1}, {120, 2}},
    {{130, 70}, {1, 130}, {1, 130}},
    {{130, 70}, {1, 130}, {70, 1}},
    {{70, 130}, {130, 1}, {1, 70}, {}, 3},
    {{64, 64}, {1, 64}, {0, 1}},
    {{128, 256}, {1, 128}, {1, 128}},
    {{140, 288}, {1, 144}, {1, 144}},
    {{256, 256}, {1, 256}, {1, 256}},
    {{5, 40, 33}, {1320, 1, 40}, {0, 0, 1}},
    {{20, 5, 33}, {1, 660, 20}, {165, 33, 1}},
    {{5, 7, 9}, {63, 9, 1}, {9, 0, 1}},
    {{5, 7, 9}, {1, 5, 35}, {63, 9, 1}},
    {{3, 4, 5, 6}, {120, 30, 6, 1}, {0, 6, 0, 1}},
    {{3, 4, 5, 6}, {1, 3, 12, 60}, {120, 30, 6, 1}, {240, 60, 12, 2}},
    {{2, 3, 2, 3, 4}, {1, 2, 6, 12, 36}, {0, 1, 0, 1, 1}},
    {{2, 3, 2, 20, 18}, {1, 2, 6, 12, 240}, {0, 1, 0, 1, 20}},
};

std::int64_t offset(const std::vector<std::int64_t>& shape, const std::int64_t* strides,
                    std::int64_t index) {
  std::int64_t result = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    result += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return result;
}

template <class T>
T value(std::size_t i) {
  return static_cast<T>(static_cast<int>(i * 2654435761u >> 16) % 100 - 50);
}

template <class T>
T clipped(const T& x, const T& low, const T& high) {
  if constexpr (std::is_arithmetic_v<T>) return std::min(std::max(x, low), high);
  return x;
}

// One case with elements In -> Out; two inputs are added, one is copied, three are clipped, the
// last of them a column.
template <class Out, class In>
class Run {
 public:
  Run(const Case& c, int inputs, bool masked, bool wide)
      : case_(c), inputs_(inputs), masked_(masked), wide_(wide) {
    for (std::size_t i = 0; i < kSize; ++i) {
      a_[i] = value<In>(i);
      b_[i] = value<In>(i + 7);
      c_[i] = value<In>(i + 11);
      mask_[i] = i % 3 != 0;
    }
  }

  void check(const std::string& operation) {
    std::int64_t shape[kMaxNdim], strides[6][kMaxNdim];
    ElementwiseSpace space;
    space.shape = shape;
    space.strides = strides;
    space.ndim = static_cast<int>(case_.shape.size());
    space.operands = 1 + inputs_ + masked_;
    space.masked = masked_;
    space.copies = operation.empty();
    char* data[6] = {};
    data[0] = reinterpret_cast<char*>(out_.data());
    data[1] = reinterpret_cast<char*>(a_.data() + kSize / 2 + case_.first);
    data[2] = reinterpret_cast<char*>(b_.data() + kSize / 2);
    if (inputs_ == 3) data[3] = reinterpret_cast<char*>(c_.data());
    if (masked_) data[1 + inputs_] = reinterpret_cast<char*>(mask_.data());
    std::int64_t run = 1;
    for (int axis = space.ndim - 1; axis >= 0; --axis) {
      shape[axis] = case_.shape[axis];
      space.size *= shape[axis];
      strides[0][axis] = (case_.out.empty() ? run : case_.out[axis]) * sizeof(Out);
      strides[1][axis] = case_.a[axis] * static_cast<std::int64_t>(sizeof(In));
      strides[2][axis] = case_.b[axis] * static_cast<std::int64_t>(sizeof(In));
      if (inputs_ == 3) strides[3][axis] = axis == 0 ? sizeof(In) : 0;
      if (masked_) strides[1 + inputs_][axis] = run;
      run *= shape[axis];
    }
    for (int k = 0; k < space.operands; ++k) {
      space.operand[k] = {reinterpret_cast<std::uintptr_t>(data[k]),
                          k == 0                        ? static_cast<std::int64_t>(sizeof(Out))
                          : masked_ && k == inputs_ + 1 ? 1
                                                        : static_cast<std::int64_t>(sizeof(In)),
                          k == 0, false};
    }
    // What is expected is computed before axes are exchanged.
    expect(strides, run);
    ElementwiseLayout layout = choose_layout(space);
    if (layout.form == Form::flat || layout.form == Form::strided) layout.wide = wide_;
    launch_both_ways(operation, space, layout, data);
    if (space.copies && sizeof(Out) == 1) {
      layout.large = true;  // what only large arrays are given
      launch_both_ways(operation, space, layout, data);
    }
    forms_[static_cast<int>(layout.form)] = true;
    if (operation != "add_float32" || layout.wide || layout.rank > 3) return;
    specialize_layout(space, layout);
    if (!layout.whole) return;
    launch_both_ways(operation, space, layout, data);
    runs_ |= layout.runs;
    repeats_ |= layout.repeats;
  }

  static inline bool forms_[4] = {};
  static inline unsigned runs_ = 0, repeats_ = 0;

 private:
  static constexpr std::size_t kSize = 1 << 17;

  void launch_both_ways(const std::string& operation, const ElementwiseSpace& space,
                        const ElementwiseLayout& layout, char* const* data) {
    for (const bool backwards : {false, true}) {
      out_.assign(kSize, Out());
      launch(operation, space, layout, data, backwards);
      for (std::size_t i = 0; i < kSize; ++i) {
        ASSERT_EQ(out_[i], want_[i]) << i << " of form " << static_cast<int>(layout.form);
      }
    }
  }

  void expect(const std::int64_t (*strides)[kMaxNdim], std::int64_t size) {
    want_.assign(kSize, Out());
    const In* a = a_.data() + kSize / 2 + case_.first;
    const In* b = b_.data() + kSize / 2;
    for (std::int64_t i = 0; i < size; ++i) {
      if (masked_ && !mask_[static_cast<std::size_t>(i)]) continue;
      const auto at = [&](int k, auto* p) {
        return p[offset(case_.shape, strides[k], i) / static_cast<std::int64_t>(sizeof *p)];
      };
      const Out x = static_cast<Out>(at(1, a));
      want_[static_cast<std::size_t>(offset(case_.shape, strides[0], i)) / sizeof(Out)] =
          inputs_ == 2 ? static_cast<Out>(x + at(2, b))
          : inputs_ == 3
              ? clipped(x, static_cast<Out>(at(2, b)), static_cast<Out>(at(3, c_.data())))
              : x;
    }
  }

  template <int kRank>
  void run(void (*kernel)(const void*), const ElementwiseSpace& space,
           const ElementwiseLayout& layout, char* const* data, unsigned blocks, bool backwards) {
    kernels::StridedArgs<kRank> args{};
    for (int k = 0; k < space.operands; ++k) args.data[k] = data[k];
    args.size = static_cast<std::uint64_t>(space.size);
    args.rank = static_cast<std::uint32_t>(space.ndim);
    for (int axis = 0; axis < space.ndim; ++axis) {
      args.extent[axis] = space.shape[axis];
      args.divider[axis] = axis_divider(space, layout, axis);
      for (int k = 0; k < space.operands; ++k) args.stride[k][axis] = space.strides[k][axis];
    }
    const unsigned threads = layout.large ? kernels::kLargeBlock : kernels::kBlock;
    emulated::launch({blocks, 1}, {threads, 1}, backwards, [&] {
      if (kernel != nullptr) return kernel(&args);
      if (layout.large) return kernels::transpose_bytes_large<kRank>(args);
      kernels::transpose<sizeof(Out), kRank>(args);
    });
  }

  void launch(const std::string& operation, const ElementwiseSpace& space,
              const ElementwiseLayout& layout, char* const* data, bool backwards) {
    const Sample* sample = nullptr;
    if (!operation.empty()) {
      std::string name = operation + "_" + std::to_string(static_cast<int>(layout.form)) + "_" +
                         std::to_string(layout.rank) + "_" + std::to_string(layout.wide) + "_" +
                         std::to_string(layout.staged) + "_" + std::to_string(masked_);
      if (layout.whole) {
        name += "_" + std::to_string(layout.runs) + "_" + std::to_string(layout.repeats);
      }
      for (const Sample& s : kSamples) {
        if (name == s.name) sample = &s;
      }
      ASSERT_NE(sample, nullptr) << name;
    }
    const auto blocks = static_cast<unsigned>(
        block_count(space, layout, sample != nullptr ? sample->per_block : 1));
    const auto kernel = sample != nullptr ? sample->run : nullptr;
    switch (layout.rank) {
      case 0: {
        kernels::ContiguousArgs args{};
        for (int k = 0; k < space.operands; ++k) args.data[k] = data[k];
        args.size = static_cast<std::uint64_t>(space.size);
        args.vector = case_.first == 0;
        return emulated::launch({blocks, 1}, {256, 1}, backwards, [&] { kernel(&args); });
      }
      case 2:
        return run<2>(kernel, space, layout, data, blocks, backwards);
      case 3:
        return run<3>(kernel, space, layout, data, blocks, backwards);
      case 4:
        return run<4>(kernel, space, layout, data, blocks, backwards);
      default:
        return run<8>(kernel, space, layout, data, blocks, backwards);
    }
  }

  Case case_;
  int inputs_;
  bool masked_;
  bool wide_;
  std::vector<In> a_ = std::vector<In>(kSize), b_ = a_, c_ = a_;
  std::vector<unsigned char> mask_ = std::vector<unsigned char>(kSize);
  std::vector<Out> out_ = std::vector<Out>(kSize), want_;
};

template <class Out, class In>
void check_all(const std::string& operation, int inputs) {
  for (const Case& c : kCases) {
    for (const bool masked : {false, true}) {
      for (const bool wide : {false, true}) {
        SCOPED_TRACE(::testing::Message() << operation << " case " << &c - kCases << " masked "
                                          << masked << " wide " << wide);
        Run<Out, In>(c, inputs, masked, wide).check(operation);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  for (const bool form : Run<Out, In>::forms_) EXPECT_TRUE(form);
}

// Each operand was read in each way that a kernel may know of before it runs.
void check_specialized() {
  using Floats = Run<float, float>;
  EXPECT_EQ(Floats::runs_, 7u);
  EXPECT_EQ(Floats::repeats_, 4u);
}

TEST(ElementwiseKernels, AddFloats) {
  check_all<float, float>("add_float32", 2);
  check_specialized();
}
TEST(ElementwiseKernels, AddBytes) { check_all<signed char, signed char>("add_int8", 2); }
TEST(ElementwiseKernels, AddDoubles) { check_all<double, double>("add_float64", 2); }
TEST(ElementwiseKernels, ClipDoubles) { check_all<double, double>("clip_float64", 3); }
TEST(ElementwiseKernels, CopyToAWiderType) { check_all<int, unsigned char>("copy_int32", 1); }

// Copies of transposed arrays have kernels of their own.
template <class T>
void check_transposes() {
  int transposed = 0;
  for (const Case& c : kCases) {
    std::int64_t shape[kMaxNdim], strides[2][kMaxNdim];
    ElementwiseSpace space;
    space.shape = shape;
    space.strides = strides;
    space.operands = 2;
    space.ndim = static_cast<int>(c.shape.size());
    space.copies = true;
    std::int64_t run = sizeof(T);
    for (int axis = space.ndim - 1; axis >= 0; --axis) {
      shape[axis] = c.shape[axis];
      space.size *= shape[axis];
      strides[0][axis] = c.out.empty() ? run : c.out[axis] * sizeof(T);
      strides[1][axis] = c.a[axis] * static_cast<std::int64_t>(sizeof(T));
      run *= shape[axis];
    }
    for (int k = 0; k < 2; ++k) space.operand[k] = {0, sizeof(T), k == 0, false};
    if (choose_layout(space).form != Form::tiled) continue;
    ++transposed;
    SCOPED_TRACE(&c - kCases);
    Run<T, T>(c, 1, false, false).check("");
  }
  EXPECT_GE(transposed, 5);
}

struct alignas(16) Wide {
  long low = 0, high = 0;
  Wide() = default;
  explicit Wide(int x) : low(x), high(~x) {}
  friend bool operator==(const Wide&, const Wide&) = default;
  friend Wide operator+(const Wide& a, const Wide&) { return a; }
  friend std::ostream& operator<<(std::ostream& s, const Wide& w) { return s << w.low; }
};

TEST(TransposeKernels, Elements1) { check_transposes<unsigned char>(); }
TEST(TransposeKernels, Elements2) { check_transposes<short>(); }
TEST(TransposeKernels, Elements4) { check_transposes<int>(); }
TEST(TransposeKernels, Elements8) { check_transposes<long>(); }
TEST(TransposeKernels, Elements16) { check_transposes<Wide>(); }

}  // namespace
}  // namespace cupyxx::internal::gpu
