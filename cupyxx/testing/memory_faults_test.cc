// SPDX-License-Identifier: MIT
// Memory that is refused to a routine, at every place in turn: it throws, nothing leaks, its
// arguments are as they were, and the next call is right.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/failing_new.h"

namespace cupyxx {
namespace {

using testing::FailingNew;

struct Routine {
  const char* name;
  std::function<ndarray(const ndarray&)> call;  // of a 6 by 6 matrix of float64
};

std::vector<Routine> routines() {
  return {
      {"arithmetic", [](const ndarray& a) { return (a + 1) * a - a / 2; }},
      {"eight axes",
       [](const ndarray& a) {
         return a.reshape({1, 6, 1, 1, 6, 1, 1, 1}) + 1;
       }},
      {"view of eight axes",
       [](const ndarray& a) {
         return a.reshape({1, 2, 3, 1, 1, 6, 1, 1}).copy();
       }},
      {"broadcast",
       [](const ndarray& a) {
         return broadcast_to(a, {2, 6, 6}) + a;
       }},
      {"cast", [](const ndarray& a) { return a.astype(float32).astype(int64); }},
      {"transposed copy", [](const ndarray& a) { return a.T().copy(); }},
      {"slice", [](const ndarray& a) { return a(slice(1, 5, 2)).copy(); }},
      {"selection",
       [](const ndarray& a) {
         return ndarray(a(array({3, 1, 2})));
       }},
      {"mask", [](const ndarray& a) { return ndarray(a(a > 3)); }},
      {"where", [](const ndarray& a) { return where(a > 3, a, 0); }},
      {"sum", [](const ndarray& a) { return sum(a, 0); }},
      {"variance", [](const ndarray& a) { return var(a, 1); }},
      {"median", [](const ndarray& a) { return median(a, 0); }},
      {"running sum", [](const ndarray& a) { return cumsum(a, 1); }},
      {"product", [](const ndarray& a) { return matmul(a, a); }},
      {"tensordot", [](const ndarray& a) { return tensordot(a, a, 1); }},
      {"einsum",
       [](const ndarray& a) {
         return einsum("ij,kj->ik", {a, a});
       }},
      {"sort", [](const ndarray& a) { return sort(a); }},
      {"argsort", [](const ndarray& a) { return argsort(a, 0); }},
      {"unique", [](const ndarray& a) { return unique(a); }},
      {"concatenate",
       [](const ndarray& a) {
         return concatenate({a, a}, 1);
       }},
      {"stack",
       [](const ndarray& a) {
         return stack({a, a, a});
       }},
      {"tile",
       [](const ndarray& a) {
         return tile(a, {2, 3});
       }},
      {"pad", [](const ndarray& a) { return pad(a, 2); }},
      {"roll", [](const ndarray& a) { return roll(a, 2); }},
      {"fft", [](const ndarray& a) { return absolute(fft::fft(a)); }},
      {"solve", [](const ndarray& a) { return linalg::solve(a + eye(6) * 100, a); }},
      {"inverse", [](const ndarray& a) { return linalg::inv(a + eye(6) * 100); }},
      {"histogram", [](const ndarray& a) { return histogram(a, 4).hist; }},
      {"text", [](const ndarray& a) { return array(static_cast<std::int64_t>(a.str().size())); }},
      {"bytes", [](const ndarray& a) { return loads(dumps(a)); }},
      {"random", [](const ndarray& a) { return random::RandomState(3).normal(0, 1, a.shape()); }},
  };
}

std::string bits(const ndarray& a) {
  const ndarray host = ascontiguousarray(a.to_cpu());
  return {static_cast<const char*>(host.data()), static_cast<std::size_t>(host.nbytes())};
}

/// Refuses the n-th array.
struct Refusing : cuda::MemoryHook {
  explicit Refusing(std::int64_t the_n) : n(the_n) {}
  void malloc_preprocess(const cuda::MemoryHookEvent&) override {
    if (--n == 0) throw OutOfMemoryError("refused");
  }
  std::int64_t n;
};

enum class Kind { array, one_new, all_news };

class MemoryFaults : public testing::DeviceTest {
 protected:
  /// Calls with less memory than it needs, in a thread without anything kept for reuse.
  bool is_refused(const Routine& routine, const ndarray& a, Kind kind, std::int64_t n) {
    bool refused = false;
    std::thread([&, here = device()] {
      const DeviceScope scope(here);
      Refusing hook(kind == Kind::array ? n : 0);
      const cuda::MemoryHookScope hooked(hook);
      const FailingNew failing(kind == Kind::array ? 0 : n, kind == Kind::all_news);
      try {
        routine.call(a);
      } catch (const MemoryError&) {
        refused = true;
      } catch (const std::bad_alloc&) {
        refused = true;
      }
    }).join();
    return refused;
  }

  void expect_survives(Kind kind) {
    const ndarray a = (arange(36) * 7 % 11).reshape({6, 6}).astype(float64);
    const std::string before = bits(a);
    for (const Routine& routine : routines()) {
      const std::string expected = bits(routine.call(a));
      is_refused(routine, a, kind, 0);  // what threads make once
      const std::uint64_t used = pool_stats(device()).used;
      const std::int64_t live = testing::live_news();
      std::int64_t n = 1;
      for (; is_refused(routine, a, kind, n) && n < 10000; ++n) {
        EXPECT_EQ(pool_stats(device()).used, used) << routine.name << " " << n;
        EXPECT_LE(testing::live_news(), live + 2) << routine.name << " " << n;
      }
      EXPECT_LT(n, 10000) << routine.name;
      EXPECT_EQ(bits(a), before) << routine.name;
      EXPECT_EQ(bits(routine.call(a)), expected) << routine.name;
      if (HasFailure()) return;
    }
  }
};
CUPYXX_TEST_ON_DEVICES(MemoryFaults);

TEST_P(MemoryFaults, EveryArray) { expect_survives(Kind::array); }
TEST_P(MemoryFaults, EveryNew) { expect_survives(Kind::one_new); }
TEST_P(MemoryFaults, EveryNewFromOneOn) { expect_survives(Kind::all_news); }

}  // namespace
}  // namespace cupyxx
