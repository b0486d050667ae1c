// SPDX-License-Identifier: MIT
// Every operation, every loop, every layout, through the public call, against the references of
// the *_cases.h.
#include "cupyxx/ops/driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "cupyxx/creation.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx::ops {
namespace {

constexpr std::size_t kLong = 1031;  // whole vectors of every width, and a rest
constexpr std::int64_t kRows = 13;
constexpr std::int64_t kColumns = 17;
constexpr std::size_t kSmall = kRows * kColumns;

// One loop of an operation with its operands.
class Call {
 public:
  Call(const Operation& operation, int loop)
      : operation_(operation), info_(operation.function->op().loops[loop]), loop_(loop) {}

  int nin() const { return operation_.function->nin(); }
  int nout() const { return operation_.function->nout(); }
  dtype in(int i) const { return info_.in[i]; }
  dtype out(int k) const { return info_.out[k]; }
  Values sample(int i, std::size_t n) const { return ops::sample(operation_, i, info_.in[i], n); }

  // Calls with arrays and strong scalars, and checks every element that `counts`, or all.
  std::vector<ndarray> run(std::span<const Operand* const> operands, const Shape& shape,
                           const std::vector<Values>& inputs, std::span<const ndarray> out = {},
                           const UfuncOptions& options = {},
                           const std::vector<bool>& counts = {}) const {
    const auto results = operation_.function->call(operands, out, options);
    for (int k = 0; k < nout(); ++k)
      check(k, results[static_cast<std::size_t>(k)], shape, inputs, counts, !out.empty());
    return results;
  }

  std::vector<ndarray> run(const std::vector<ndarray>& arrays, const Shape& shape,
                           const std::vector<Values>& inputs, std::span<const ndarray> out = {},
                           const UfuncOptions& options = {},
                           const std::vector<bool>& counts = {}) const {
    return run_operands({arrays.begin(), arrays.end()}, shape, inputs, out, options, counts);
  }

  std::vector<ndarray> run_operands(const std::vector<Operand>& operands, const Shape& shape,
                                    const std::vector<Values>& inputs,
                                    std::span<const ndarray> out = {},
                                    const UfuncOptions& options = {},
                                    const std::vector<bool>& counts = {}) const {
    std::vector<const Operand*> places;
    for (const Operand& operand : operands) places.push_back(&operand);
    return run(places, shape, inputs, out, options, counts);
  }

 private:
  void check(int k, const ndarray& result, const Shape& shape, const std::vector<Values>& inputs,
             const std::vector<bool>& counts, bool has_out) const {
    if (!has_out) {
      ASSERT_EQ(result.dtype(), out(k));
    }
    ASSERT_EQ(result.shape(), shape);
    const Values actual = download(result);
    Value at[internal::kMaxInputs];
    int failures = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (!counts.empty() && !counts[i]) continue;
      for (std::size_t j = 0; j < inputs.size(); ++j) at[j] = inputs[j][i % inputs[j].size()];
      const Value expected = reference(operation_, loop_, k, {at, inputs.size()});
      if (agrees(operation_, actual[i], expected, out(k), result.dtype(),
                 in(nin() - 1).is_complex()))
        continue;
      std::string operands;
      for (std::size_t j = 0; j < inputs.size(); ++j) {
        operands += (j == 0 ? "" : ", ") + text(at[j], in(static_cast<int>(j)));
      }
      ADD_FAILURE() << operation_.function->name() << "(" << operands << ") of " << in(0) << " at "
                    << i << ", output " << k << ": " << text(actual[i], result.dtype())
                    << " instead of " << text(expected, out(k));
      if (++failures == 3) return;
    }
  }

  const Operation& operation_;
  const internal::LoopInfo& info_;
  int loop_;
};

struct Parameter {
  const Operation* operation;
  Device device;
};

std::string parameter_name(const ::testing::TestParamInfo<Parameter>& info) {
  return std::string(info.param.operation->function->name()) +
         (info.param.device.is_cpu() ? "_cpu" : "_cuda");
}
void PrintTo(const Parameter& p, std::ostream* os) { *os << p.operation->function->name(); }

class Driver : public ::testing::TestWithParam<Parameter> {
 protected:
  Driver() : scope_(GetParam().device) {}

  // Calls `test` for each loop; with `few`, of some operations only. On a device each layout of
  // each loop is a program of its own; the layouts there are the same text around any body, so few
  // operations stand for all.
  template <class Test>
  void for_each_loop(Test test, bool few = false) const {
    const Operation& operation = *GetParam().operation;
    const internal::OpInfo& op = operation.function->op();
    constexpr std::string_view kOnDevice[] = {"add", "exp", "less", "divmod", "where", "ldexp"};
    const bool is_one =
        std::find(std::begin(kOnDevice), std::end(kOnDevice), op.name) != std::end(kOnDevice);
    if (!is_one && (few || GetParam().device.is_cuda())) return;
    for (int loop = 0; loop < op.nloops; ++loop) {
      SCOPED_TRACE(operation.function->types()[static_cast<std::size_t>(loop)]);
      test(Call(operation, loop));
    }
  }

  static std::vector<Values> sample(const Call& call, std::size_t n) {
    std::vector<Values> inputs;
    for (int i = 0; i < call.nin(); ++i) inputs.push_back(call.sample(i, n));
    return inputs;
  }

 private:
  DeviceScope scope_;
};

// The same elements at every second place, from the back to the front.
ndarray reversed(const Values& values, dtype type) {
  Values spread(2 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) spread[2 * (values.size() - i) - 1] = values[i];
  return upload(spread, type)(slice(none, none, -2));
}

// Column by column in memory, row by row in its indices.
ndarray transposed(const Values& values, dtype type, std::int64_t rows, std::int64_t columns) {
  Values turned(values.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      turned[static_cast<std::size_t>(j * rows + i)] =
          values[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return upload(turned, type).reshape({columns, rows}).T();
}

TEST_P(Driver, Contiguous) {
  const Operation& operation = *GetParam().operation;
  const internal::OpInfo& op = operation.function->op();
  for (int loop = 0; loop < op.nloops; ++loop) {
    SCOPED_TRACE(operation.function->types()[static_cast<std::size_t>(loop)]);
    const Call call(operation, loop);
    const auto inputs = sample(call, kLong);
    std::vector<ndarray> arrays;
    for (int i = 0; i < call.nin(); ++i) {
      arrays.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)));
    }
    call.run(arrays, {kLong}, inputs);
  }
}

// Several threads, and stores that go past the caches.
TEST_P(Driver, Large) {
  for_each_loop(
      [](const Call& call) {
        if (call.in(call.nin() - 1) != float32) return;
        constexpr std::int64_t kCopies = 1021;
        const auto inputs = sample(call, kLong);
        std::vector<ndarray> arrays;
        for (int i = 0; i < call.nin(); ++i) {
          const ndarray few = upload(inputs[static_cast<std::size_t>(i)], call.in(i));
          arrays.push_back(broadcast_to(few, {kCopies, kLong}).copy().reshape({kCopies * kLong}));
        }
        call.run(arrays, {kCopies * kLong}, inputs);
      },
      true);
}

TEST_P(Driver, Strided) {
  for_each_loop([](const Call& call) {
    const auto inputs = sample(call, kSmall);
    std::vector<ndarray> arrays;
    for (int i = 0; i < call.nin(); ++i) {
      arrays.push_back(reversed(inputs[static_cast<std::size_t>(i)], call.in(i)));
    }
    call.run(arrays, {kSmall}, inputs);
  });
}

TEST_P(Driver, Transposed) {
  for_each_loop([](const Call& call) {
    const auto inputs = sample(call, kSmall);
    std::vector<ndarray> arrays;
    for (int i = 0; i < call.nin(); ++i) {
      const Values& values = inputs[static_cast<std::size_t>(i)];
      arrays.push_back(i % 2 == 0 ? transposed(values, call.in(i), kRows, kColumns)
                                  : upload(values, call.in(i)).reshape({kRows, kColumns}));
    }
    call.run(arrays, {kRows, kColumns}, inputs);
  });
}

TEST_P(Driver, Broadcast) {
  for_each_loop([](const Call& call) {
    std::vector<Values> inputs;
    std::vector<ndarray> arrays;
    for (int i = 0; i < call.nin(); ++i) {
      // A column, a row, one element; a single operand is a row.
      const bool column = i == 0 && call.nin() > 1;
      const std::size_t n = column ? kRows : i == 2 ? 1 : kColumns;
      const Values values = call.sample(i, n);
      const ndarray flat = upload(values, call.in(i));
      arrays.push_back(column            ? flat.reshape({kRows, 1})
                       : call.nin() == 1 ? broadcast_to(flat, {kRows, kColumns})
                                         : flat);
      Values full(kSmall);
      for (std::size_t k = 0; k < kSmall; ++k) {
        full[k] = values[column ? k / kColumns : k % n];
      }
      inputs.push_back(std::move(full));
    }
    call.run(arrays, {kRows, kColumns}, inputs);
  });
}

TEST_P(Driver, Scalars) {
  for_each_loop([](const Call& call) {
    if (call.nin() == 1) return;
    for (int scalar = 0; scalar < call.nin(); ++scalar) {
      for (const std::size_t pick : {7, 10}) {
        auto inputs = sample(call, kSmall);
        Values& repeated = inputs[static_cast<std::size_t>(scalar)];
        const Value value = repeated[pick];
        std::fill(repeated.begin(), repeated.end(), value);
        std::vector<ndarray> arrays;
        for (int i = 0; i < call.nin(); ++i) {
          arrays.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)));
        }
        const dtype type = call.in(scalar);
        const complex<double> both(static_cast<double>(value.real),
                                   static_cast<double>(value.imaginary));
        const Operand number = type.is_complex()    ? Scalar(both, type)
                               : type.is_floating() ? Scalar(static_cast<double>(value.real), type)
                               : type == uint64
                                   ? Scalar(static_cast<std::uint64_t>(value.integer), type)
                                   : Scalar(static_cast<std::int64_t>(value.integer), type);
        std::vector<const Operand*> operands;
        const std::vector<Operand> all(arrays.begin(), arrays.end());
        for (const Operand& operand : all) operands.push_back(&operand);
        operands[static_cast<std::size_t>(scalar)] = &number;
        call.run(operands, {kSmall}, inputs);
      }
    }
  });
}

TEST_P(Driver, ZeroDimensionsAndZeroSize) {
  for_each_loop([](const Call& call) {
    const auto inputs = sample(call, 1);
    std::vector<ndarray> single;
    std::vector<ndarray> nothing;
    for (int i = 0; i < call.nin(); ++i) {
      single.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)).reshape({}));
      nothing.push_back(empty({3, 0}, call.in(i)));
    }
    call.run(single, {}, inputs);
    call.run(nothing, {3, 0}, inputs);
  });
}

TEST_P(Driver, InPlace) {
  for_each_loop([](const Call& call) {
    for (int target = 0; target < call.nin(); ++target) {
      if (call.in(target) != call.out(0)) continue;
      const auto inputs = sample(call, kSmall);
      std::vector<ndarray> arrays;
      for (int i = 0; i < call.nin(); ++i) {
        arrays.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)));
      }
      std::vector<ndarray> out = {arrays[static_cast<std::size_t>(target)]};
      if (call.nout() == 2) out.emplace_back();
      const auto results = call.run(arrays, {kSmall}, inputs, out);
      EXPECT_EQ(results[0].data(), out[0].data());
    }
  });
}

TEST_P(Driver, Masked) {
  for_each_loop([](const Call& call) {
    const auto inputs = sample(call, kSmall);
    std::vector<ndarray> arrays;
    std::vector<ndarray> out;
    for (int i = 0; i < call.nin(); ++i) {
      arrays.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)));
    }
    for (int k = 0; k < call.nout(); ++k) out.push_back(ones({kSmall}, call.out(k)));
    Values mask(kSmall);
    std::vector<bool> counts(kSmall);
    for (std::size_t i = 0; i < kSmall; ++i) {
      counts[i] = i % 3 != 1;
      mask[i].integer = counts[i];
    }
    const auto results =
        call.run(arrays, {kSmall}, inputs, out, {.where = upload(mask, bool_)}, counts);
    for (int k = 0; k < call.nout(); ++k) {
      const Values kept = download(results[static_cast<std::size_t>(k)]);
      for (std::size_t i = 0; i < kSmall; ++i) {
        if (counts[i]) continue;
        ASSERT_TRUE(call.out(k).is_bool() || call.out(k).is_integer() ? kept[i].integer == 1
                                                                      : kept[i].real == 1)
            << "output " << k << " was written at " << i;
      }
    }
  });
}

TEST_P(Driver, OtherOutput) {
  for_each_loop([](const Call& call) {
    const auto inputs = sample(call, kSmall);
    std::vector<ndarray> arrays;
    for (int i = 0; i < call.nin(); ++i) {
      arrays.push_back(upload(inputs[static_cast<std::size_t>(i)], call.in(i)));
    }
    for (const dtype wide : {bool_, int8, int64, uint64, float16, float32, float64, bfloat16_,
                             complex64, complex128}) {
      std::vector<ndarray> out;
      for (int k = 0; k < call.nout(); ++k) {
        // Another dtype of the same kind, at every second place.
        if (wide.kind() != call.out(k).kind()) break;
        out.push_back(empty({2 * kSmall}, wide)(slice(none, none, 2)));
      }
      if (out.size() != static_cast<std::size_t>(call.nout())) continue;
      call.run(arrays, {kSmall}, inputs, out);
    }
  });
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all;
  for (const Device device : testing::devices()) {
    for (const Operation& operation : operations()) all.push_back({&operation, device});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, Driver, ::testing::ValuesIn(parameters()), parameter_name);

TEST(Operations, EveryUfuncIsDriven) {
  for (const ufunc* f : all_ufuncs()) {
    EXPECT_TRUE(std::any_of(operations().begin(), operations().end(),
                            [&](const Operation& o) { return o.function == f; }))
        << f->name() << " is in no family that the driver walks";
  }
}

}  // namespace
}  // namespace cupyxx::ops
