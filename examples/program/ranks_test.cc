// SPDX-License-Identifier: MIT
#include "examples/program/ranks.h"

#include <gtest/gtest.h>

#include <atomic>

#include "cupyxx/cuda/device.h"
#include "cupyxx/message.h"
#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

using cupyxx::Device;
using cupyxx::testing::expect_error;

int none(const Ranks&) { return 0; }

TEST(Ranks, AreThreadsThatKnowEachOther) {
  const RankFlags flags{.parallel = "threads", .devices = {3, Device::cpu()}};
  std::atomic<int> calls = 0;
  const int code = run_ranks(flags, [&](const Ranks& ranks) {
    ++calls;
    EXPECT_EQ(ranks.size(), 3);
    EXPECT_EQ(ranks.is_first(), ranks.rank() == 0);
    EXPECT_EQ(ranks.mean(ranks.rank()), 1);
    EXPECT_TRUE(ranks.any(ranks.rank() == 1));
    EXPECT_FALSE(ranks.any(false));
    EXPECT_EQ(ranks.part(9).start.value, 3 * ranks.rank());
    ranks.barrier();
    expect_error<UsageError>([&] { ranks.check_batch("batch", 4); },
                             "--batch=4: not a multiple of the 3 that train together");
    return 7 + ranks.rank();
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(code, 7);
}

TEST(Ranks, AreOneWithoutTheFlag) {
  for (const char* parallel : {"no", "yes"}) {
    const int code = run_ranks({.device = "cpu", .parallel = parallel}, [&](const Ranks& ranks) {
      EXPECT_EQ(ranks.size(), 1);
      EXPECT_TRUE(ranks.is_first());
      EXPECT_EQ(ranks.device(), Device::cpu());
      EXPECT_EQ(ranks.mean(3), 3);
      EXPECT_TRUE(ranks.any(true));
      ranks.check_batch("batch", 5);
      ranks.barrier();
      return 5;
    });
    EXPECT_EQ(code, 5);
  }
}

TEST(Ranks, EndTogether) {
  const RankFlags flags{.parallel = "threads", .devices = {2, Device::cpu()}};
  const auto train = [](const Ranks& ranks) {
    if (ranks.rank() == 1) throw UserError("no such file");
    ranks.barrier();
    return 0;
  };
  expect_error<UserError>([&] { run_ranks(flags, train); }, "no such file");
}

TEST(Ranks, RefuseFlagsThatContradict) {
  expect_error<UsageError>([] { run_ranks({.devices = {Device::cpu()}}, none); },
                           "--devices: goes with --parallel=threads, not --parallel=no");
  expect_error<UsageError>(
      [] { run_ranks({.device = "cpu", .parallel = "threads"}, none); },
      "--device=cpu: --parallel=threads computes on all GPUs, or on --devices");
  const int gpus = cupyxx::cuda::device_count();
  const RankFlags absent{.parallel = "threads", .devices = {Device::cuda(gpus)}};
  expect_error<UserError>([&] { run_ranks(absent, none); },
                          cupyxx::message("there is no cuda:", gpus, "; CUDA devices found: ", gpus,
                                          "; --devices=cpu,cpu runs anywhere"));
  if (gpus == 0) {
    expect_error<UsageError>([] { run_ranks({.parallel = "threads"}, none); },
                             "--parallel=threads: this machine has no CUDA device; "
                             "--devices=cpu,cpu runs anywhere");
    return;
  }
  for (const Device second : {Device::cuda(0), Device::cpu()}) {
    const RankFlags mixed{.parallel = "threads", .devices = {Device::cuda(0), second}};
    expect_error<UsageError>(
        [&] { run_ranks(mixed, none); },
        cupyxx::message("--devices: each thread has a GPU of its own, or all have the host; ",
                        second.name()));
  }
}

}  // namespace
}  // namespace examples
