// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/memory_hook.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

using testing::expect_error;

// Writes down what it is told.
class Recorder : public MemoryHook {
 public:
  void malloc_preprocess(const MemoryHookEvent& e) override { note("malloc?", e); }
  void malloc_postprocess(const MemoryHookEvent& e) override { note("malloc", e); }
  void free_preprocess(const MemoryHookEvent& e) override { note("free?", e); }
  void free_postprocess(const MemoryHookEvent& e) override { note("free", e); }

  std::vector<std::string> calls;
  std::vector<MemoryHookEvent> events;

 private:
  void note(const char* name, const MemoryHookEvent& e) {
    calls.emplace_back(name);
    events.push_back(e);
  }
};

using Calls = std::vector<std::string>;

class MemoryHookTest : public testing::DeviceTest {};

TEST_P(MemoryHookTest, SeesEachAllocationAndItsEnd) {
  Recorder hook;
  const void* address = nullptr;
  {
    const MemoryHookScope scope(hook);
    const ndarray a = empty({1000}, uint8);
    address = a.data();
    EXPECT_EQ(hook.calls, (Calls{"malloc?", "malloc"}));
  }
  EXPECT_EQ(hook.calls, (Calls{"malloc?", "malloc", "free?", "free"}));
  for (const MemoryHookEvent& e : hook.events) EXPECT_EQ(e.device, device());
  EXPECT_EQ(hook.events[0].size, 1000u);
  EXPECT_EQ(hook.events[0].ptr, nullptr);
  EXPECT_EQ(hook.events[1].size, 1000u);
  EXPECT_GE(hook.events[1].mem_size, 1000u);
  EXPECT_EQ(hook.events[1].ptr, address);
  EXPECT_EQ(hook.events[3].ptr, address);
  EXPECT_EQ(hook.events[3].mem_size, hook.events[1].mem_size);
}

TEST_P(MemoryHookTest, EndsWithItsScope) {
  Recorder hook;
  { const MemoryHookScope scope(hook); }
  const ndarray a = empty({1000});
  EXPECT_TRUE(hook.calls.empty());
}

TEST_P(MemoryHookTest, WatchesItsThreadOnly) {
  Recorder hook;
  const MemoryHookScope scope(hook);
  std::thread([this] {
    const DeviceScope on(device());
    const ndarray a = empty({1000});
  }).join();
  EXPECT_TRUE(hook.calls.empty());
}

TEST_P(MemoryHookTest, SeveralAreCalledInOrder) {
  Recorder outer, inner;
  const MemoryHookScope outside(outer);
  {
    const MemoryHookScope inside(inner);
    const ndarray a = empty({10});
  }
  const ndarray b = empty({10});
  EXPECT_EQ(outer.calls.size(), 6u);
  EXPECT_EQ(inner.calls.size(), 4u);
}

TEST_P(MemoryHookTest, AnExceptionBeforePreventsTheAllocation) {
  struct Refuse : MemoryHook {
    void malloc_preprocess(const MemoryHookEvent& e) override {
      if (e.size > 500) throw ValueError("refused");
    }
    void malloc_postprocess(const MemoryHookEvent&) override { throw ValueError("swallowed"); }
    void free_preprocess(const MemoryHookEvent&) override { throw ValueError("swallowed"); }
  } hook;
  const PoolStats before = pool_stats(device());
  {
    const MemoryHookScope scope(hook);
    expect_error<ValueError>([] { empty({1000}, uint8); }, "refused");
    EXPECT_NO_THROW(empty({100}, uint8));
  }
  EXPECT_EQ(pool_stats(device()).used, before.used);
}

TEST_P(MemoryHookTest, DebugPrintHookWritesLines) {
  std::ostringstream text;
  DebugPrintHook hook(text);
  {
    const MemoryHookScope scope(hook);
    const ndarray a = empty({1000}, uint8);
  }
  const std::string lines = text.str();
  EXPECT_NE(lines.find("malloc device=" + device().name() + " size=1000 mem_size=1"),
            std::string::npos)
      << lines;
  EXPECT_NE(lines.find("free   device=" + device().name() + " mem_size=1"), std::string::npos);
}

[[gnu::noinline]] ndarray make_large() { return empty({3000}, uint8); }

TEST_P(MemoryHookTest, LineProfileAddsUpByCaller) {
  LineProfileHook hook;
  {
    const MemoryHookScope scope(hook);
    for (int i = 0; i < 3; ++i) make_large();
    empty({100}, uint8);
  }
  std::uint64_t used = 0, calls = 0;
  const std::vector<LineProfileHook::Line> lines = hook.lines();
  ASSERT_FALSE(lines.empty());
  for (const LineProfileHook::Line& line : lines) {
    used += line.used;
    calls += line.calls;
  }
  EXPECT_EQ(calls, 4u);
  EXPECT_GE(used, 3u * 3000 + 100);
  EXPECT_GE(lines[0].used, 3u * 3000);
  std::ostringstream report;
  hook.print_report(report);
  EXPECT_EQ(report.str().find("        used     acquired     calls  line\n"), 0u);
  EXPECT_NE(report.str().find("         4  all\n"), std::string::npos) << report.str();
}

TEST_P(MemoryHookTest, TrackingNamesTheHolders) {
  EXPECT_EQ(memory_holders(device()), "");
  EXPECT_FALSE(set_memory_tracking(true));
  {
    const ndarray large = empty({300, 1000}, float32);
    const ndarray sum = large + large;
    const std::string text = memory_holders(device());
    EXPECT_EQ(text.find("top holders:"), 0u) << text;
    EXPECT_NE(text.find(" of empty (300, 1000) float32"), std::string::npos) << text;
    EXPECT_NE(text.find(" of add (300, 1000) float32"), std::string::npos) << text;
  }
  EXPECT_EQ(memory_holders(device()), "nothing tracked is held");
  EXPECT_TRUE(set_memory_tracking(false));
  EXPECT_EQ(memory_holders(device()), "");
}

TEST_P(MemoryHookTest, OutOfMemoryNamesTheHolders) {
  set_memory_tracking(true);
  const ndarray held = empty({1 << 20}, uint8);
  const PoolStats now = pool_stats(device());
  set_pool_limit(device(), now.total);
  expect_error<OutOfMemoryError>([] { empty({std::int64_t{1} << 33}, uint8); }, "top holders:\n  ");
  expect_error<OutOfMemoryError>([] { empty({std::int64_t{1} << 33}, uint8); },
                                 " in 1 block of empty (1048576,) uint8");
  set_pool_limit(device(), 0);
  set_memory_tracking(false);
}

CUPYXX_TEST_ON_DEVICES(MemoryHookTest);

}  // namespace
}  // namespace cupyxx::cuda
