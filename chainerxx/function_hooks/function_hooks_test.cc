// SPDX-License-Identifier: MIT
// Hooks see functions forward, backward and in gradients of gradients, in their thread and scope.
#include "chainerxx/function_hooks/function_hooks.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_error;

class FunctionHooksTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FunctionHooksTest);

/// Writes down what it is told.
struct Diary final : FunctionHook {
  void forward_preprocess(const Function& f, ArraySpan in) override {
    text += "(" + f.label() + std::to_string(in.size()) + " ";
  }
  void forward_postprocess(const Function& f, ArraySpan) override { text += f.label() + ") "; }
  void backward_preprocess(const Function& f, ArraySpan, ArraySpan gy) override {
    text += "[" + f.label() + std::to_string(gy.size()) + " ";
  }
  void backward_postprocess(const Function& f, ArraySpan, ArraySpan) override {
    text += f.label() + "] ";
  }
  std::string text;
};

TEST_P(FunctionHooksTest, SeeBothWays) {
  const Variable x(cupyxx::array({1.0f, 2.0f}));
  Diary diary;
  Variable y;
  {
    const FunctionHookScope watched(diary);
    y = F::sum(F::exp(x));
    std::thread([&] { F::exp(x); }).join();  // of another thread
  }
  F::exp(x);  // of no scope
  EXPECT_EQ(diary.text, "(exp1 exp) (Sum1 Sum) ");
  diary.text.clear();
  const FunctionHookScope watched(diary);
  y.backward();
  EXPECT_EQ(diary.text, "[Sum1 Sum] [exp1 exp] ");
  EXPECT_EQ(FunctionHookScope::innermost()->outer(), nullptr);
}

TEST_P(FunctionHooksTest, OneThatIsGoneIsAnError) {
  const Variable x(cupyxx::array({1.0f, 2.0f}));
  const Variable y = F::exp(x);
  constexpr const char* kWords =
      "FunctionHookScope: its hook lives no longer: declare the hook before the scope, so that it "
      "ends after it";
  Diary outer;
  const FunctionHookScope all(outer);
  {
    auto hook = std::make_unique<Diary>();
    const FunctionHookScope watched(*hook);
    F::exp(x);
    const Diary copy = *hook;  // which the scope does not know
    hook.reset();
    expect_error<cupyxx::ValueError>([&] { F::exp(x); }, kWords);
    expect_error<cupyxx::ValueError>([&] { F::sum(y).backward(); }, kWords);
    expect_error<cupyxx::ValueError>([&] { grad({y}, {x}); }, kWords);
    expect_error<cupyxx::ValueError>([&] { watched.hook(); }, kWords);
  }
  outer.text.clear();
  F::exp(x);
  EXPECT_EQ(outer.text, "(exp1 exp) ");
}

TEST_P(FunctionHooksTest, ScopesMayEndInAnyOrder) {
  const Variable x(cupyxx::array({1.0f}));
  Diary first, second;
  auto outer = std::make_unique<FunctionHookScope>(first);
  auto inner = std::make_unique<FunctionHookScope>(second);
  outer.reset();
  F::exp(x);
  EXPECT_EQ(first.text, "");
  EXPECT_EQ(second.text, "(exp1 exp) ");
  inner.reset();
  F::exp(x);
  EXPECT_EQ(second.text, "(exp1 exp) ");
  EXPECT_EQ(FunctionHookScope::innermost(), nullptr);
}

/// Ends the scope in which it watches.
struct Once final : FunctionHook {
  void forward_preprocess(const Function&, ArraySpan) override { end(); }
  void backward_preprocess(const Function&, ArraySpan, ArraySpan) override { end(); }
  void end() {
    ++calls;
    scope.reset();
  }
  std::unique_ptr<FunctionHookScope> scope;
  int calls = 0;
};

TEST_P(FunctionHooksTest, ScopesMayEndWhileAFunctionRuns) {
  const Variable x(cupyxx::array({1.0f}));
  Once once;
  once.scope = std::make_unique<FunctionHookScope>(once);
  const Variable y = F::sum(F::exp(F::exp(x)));
  EXPECT_EQ(once.calls, 1);
  once.scope = std::make_unique<FunctionHookScope>(once);
  y.backward();
  EXPECT_EQ(once.calls, 2);
  once.scope = std::make_unique<FunctionHookScope>(once);
  grad({y}, {x}, {.enable_double_backprop = true});
  EXPECT_EQ(once.calls, 3);
}

TEST_P(FunctionHooksTest, AHookMayEndTheScopeWithinItsOwn) {
  const Variable x(cupyxx::array({1.0f}));
  Once outer;
  Diary inner;
  const FunctionHookScope watched(outer);
  outer.scope = std::make_unique<FunctionHookScope>(inner);
  F::exp(x);
  EXPECT_EQ(outer.calls, 1);
  EXPECT_EQ(inner.text, "");
}

TEST_P(FunctionHooksTest, SeeGradientsOfGradients) {
  const Variable x(cupyxx::array({1.0f}));
  const Variable y = F::exp(x);
  Diary diary;
  const FunctionHookScope watched(diary);
  grad({y}, {x}, {.enable_double_backprop = true});
  // The gradient is a product, which the second form makes by functions.
  EXPECT_TRUE(diary.text.starts_with("[exp1 (")) << diary.text;
  EXPECT_TRUE(diary.text.ends_with(") exp] ")) << diary.text;
}

TEST_P(FunctionHooksTest, TimersAddUp) {
  const Variable x(cupyxx::ones({50, 50}, cupyxx::float32));
  TimerHook timer;
  {
    const FunctionHookScope watched(timer);
    for (int i = 0; i < 3; ++i) F::sum(F::exp(F::exp(x))).backward();
    EXPECT_THROW(F::matmul(x, F::reshape(x, {25, 100})), std::exception);
    F::exp(x);
  }
  ASSERT_GE(timer.summary().size(), 2u);
  EXPECT_EQ(timer.summary()[0].name, "exp");
  EXPECT_EQ(timer.summary()[0].occurrence, 13);  // 6 each way, and one behind the error
  EXPECT_EQ(timer.summary()[1].name, "Sum");
  EXPECT_EQ(timer.summary()[1].occurrence, 6);
  EXPECT_GT(timer.summary()[0].time, 0);
  EXPECT_GE(timer.total_time(), timer.summary()[0].time + timer.summary()[1].time);
  std::ostringstream report;
  timer.print_report(report);
  EXPECT_EQ(report.str().find("FunctionName"), 0u) << report.str();
  EXPECT_NE(report.str().find("          13\n"), std::string::npos) << report.str();
  timer.clear();
  EXPECT_EQ(timer.total_time(), 0);
}

// Functions that run within another one count for themselves, once.
TEST_P(FunctionHooksTest, TimesWithinOthersCountOnce) {
  const Variable x(cupyxx::ones({200, 200}, cupyxx::float32));
  struct Outer final : FunctionOf<Outer> {
    std::string label() const override { return "outer"; }
    std::vector<ndarray> forward(ArraySpan in) override {
      return {F::matmul(Variable(in[0], true), Variable(in[0], true)).data()};
    }
  };
  TimerHook timer;
  const FunctionHookScope watched(timer);
  Outer()(x);
  ASSERT_EQ(timer.summary().size(), 2u);
  EXPECT_EQ(timer.summary()[0].name, "MatMul");
  EXPECT_EQ(timer.summary()[1].name, "outer");
  EXPECT_GE(timer.summary()[1].time, 0);
}

TEST_P(FunctionHooksTest, PrintsShapesAndTypes) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  std::ostringstream out;
  PrintHook print(out);
  const FunctionHookScope watched(print);
  F::sum(x).backward();
  EXPECT_EQ(out.str(), "forward Sum (2, 3) float32\nbackward Sum () float32\n");
}

}  // namespace
}  // namespace chainerxx
