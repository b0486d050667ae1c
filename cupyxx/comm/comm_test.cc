// SPDX-License-Identifier: MIT
// A world of one, threads of one process, and on a device NCCL with one rank.
#include "cupyxx/comm.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "cupyxx/comm/testing/cases.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "cupyxx/testing/thread_limit.h"

namespace cupyxx::comm {
namespace {

using cupyxx::testing::expect_error;

class Comm : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Comm);

TEST_P(Comm, OfOneIsTheArrayItself) {
  const Communicator world = Communicator::world();
  EXPECT_EQ(world.rank(), 0);
  EXPECT_EQ(world.size(), 1);
  testing::check_everything(world);
}

TEST_P(Comm, OfOneThroughNccl) {
  if (device().is_cpu()) return;  // the case above
  ::setenv("CUPYXX_COMM_NCCL", "always", 1);
  const Communicator own = Communicator::world().split(0);
  testing::check_everything(own);
  const ndarray x = arange(5, dtype_of<float>()), y = empty_like(x), z = empty_like(x);
  {
    const Group group(own);
    own.all_reduce(x, {.out = y});
    own.all_reduce(x, {.op = Op::max, .out = z});
  }
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4}));
  EXPECT_EQ(z.to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4}));
  own.close();
  ::unsetenv("CUPYXX_COMM_NCCL");
}

// The threads' arrays are on the host in both variants: a GPU has one rank.
TEST(CommThreads, DoEverything) {
  for (const int count : {1, 2, 3, 4}) {
    run_threads(count, [&](const Communicator& comm) {
      const DeviceScope on_host(Device::cpu());
      EXPECT_EQ(comm.size(), count);
      testing::check_everything(comm);
      testing::check_rounding(comm);
    });
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end where mmap fails
TEST(CommThreads, EndWhereTheSystemHasNoMoreOfThem) {
  const cupyxx::testing::ThreadLimit limit;
  expect_error<Error>([] { run_threads(100, [](const Communicator& comm) { comm.barrier(); }); },
                      "of 100 threads could be started; ");
}
#endif

TEST(CommThreads, WhatOneThrowsEndsTheOthers) {
  expect_error<std::runtime_error>(
      [] {
        run_threads(3, [](const Communicator& comm) {
          const DeviceScope on_host(Device::cpu());
          if (comm.rank() == 2) throw std::runtime_error("no more data");
          expect_error<Error>(
              [&] { comm.all_reduce(zeros({3})); },
              message("all_reduce: rank ", comm.rank(), " of 3, float64 (3,): rank ",
                      "2 of the world has failed: no more data"));
          expect_error<Error>([&] { comm.barrier(); }, "rank 2 of the world has failed");
        });
      },
      "no more data");
}

TEST(CommThreads, WhoEndsEarlyIsNamed) {
  run_threads(2, [](const Communicator& comm) {
    if (comm.rank() == 0) return;
    expect_error<Error>([&] { comm.barrier(); },
                        "barrier: rank 1 of 2: rank 0 of the world has ended");
  });
}

TEST(CommThreads, WhoDoesNotComeIsNamed) {
  ::setenv("CUPYXX_COMM_TIMEOUT", "0.2", 1);
  run_threads(2, [](const Communicator& comm) {
    if (comm.rank() == 0) {
      expect_error<Error>([&] { comm.recv(1); },
                          "recv: rank 0 of 2: rank 1 of the world did not come within 0.2 s "
                          "(CUPYXX_COMM_TIMEOUT)");
      comm.send(zeros({1}), 1);
    } else {
      ::setenv("CUPYXX_COMM_TIMEOUT", "9", 1);
      while (true) {
        try {
          comm.recv(0);
          break;
        } catch (const Error&) {
        }
      }
    }
  });
  ::setenv("CUPYXX_COMM_TIMEOUT", "soon", 1);
  expect_error<ValueError>([] { run_threads(1, [](const Communicator&) {}); },
                           "Communicator: CUPYXX_COMM_TIMEOUT is not a number of seconds; "
                           "\"soon\"");
  ::unsetenv("CUPYXX_COMM_TIMEOUT");
}

/// What the others have sent for a call that broke off must not be taken for the next one's.
TEST(CommThreads, ACallThatBreaksOffIsTheLast) {
  ::setenv("CUPYXX_COMM_TIMEOUT", "0.2", 1);
  run_threads(2, [](const Communicator& comm) {
    const DeviceScope on_host(Device::cpu());
    if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    expect_error<Error>([&] { comm.all_reduce(full({2}, 1)); },
                        comm.rank() == 0 ? "rank 1 of the world did not come within 0.2 s"
                                         : "rank 0 of the world ");
    expect_error<Error>([&] { comm.all_reduce(full({2}, 2)); },
                        message("all_reduce: rank ", comm.rank(),
                                " of 2: the communicator is of no use any more; an earlier "
                                "all_reduce broke off, and what other ranks have sent for it would "
                                "be taken for this one's"));
  });
  ::unsetenv("CUPYXX_COMM_TIMEOUT");
}

TEST(CommThreads, WrongArgumentsDoNotEndACommunicator) {
  run_threads(2, [](const Communicator& comm) {
    const DeviceScope on_host(Device::cpu());
    expect_error<ShapeError>([&] { comm.all_reduce(zeros({1 + comm.rank()})); },
                             "the shapes differ between ranks");
    expect_error<ValueError>([&] { comm.broadcast(zeros({1}), {.root = comm.rank() * 9}); },
                             comm.rank() == 0 ? "rank 1 refused the call" : "the root is outside");
    EXPECT_EQ(comm.all_reduce(full({1}, 1)).item<int>(), 2);
  });
}

TEST(CommThreads, OneThreadAtATimeCalls) {
  run_threads(2, [](const Communicator& comm) {
    const DeviceScope on_host(Device::cpu());
    const Communicator own = comm.split(0);
    {
      const Group group(comm);
      std::thread other([&] {
        expect_error<ValueError>(
            [&] { comm.barrier(); },
            message("barrier: rank ", comm.rank(), " of 2: another thread is calling this ",
                    "communicator; one thread at a time does, and split() gives each its own"));
        own.barrier();
      });
      other.join();
    }
    std::thread([&] { comm.barrier(); }).join();
  });
}

TEST(CommThreads, NeedAtLeastOne) {
  expect_error<ValueError>([] { run_threads(0, [](const Communicator&) {}); },
                           "run_threads: the number of threads is below 1; 0");
  expect_error<ValueError>([] { run_threads(2000000000, [](const Communicator&) {}); },
                           "run_threads: at most 65536 threads; 2000000000");
  expect_error<ValueError>(
      [] { run_threads(std::span<const Device>(), [](const Communicator&) {}); },
      "run_threads: there are no devices");
}

TEST(CommGroups, NeedTheirArrays) {
  run_threads(2, [](const Communicator& comm) {
    const DeviceScope on_host(Device::cpu());
    expect_error<ValueError>(
        [&] {
          const Group group(comm);
          comm.recv(1 - comm.rank());
        },
        "within a group the array must be given as out");
    EXPECT_EQ(comm.all_reduce(full({1}, 1)).item<int>(), 2);
  });
}

}  // namespace
}  // namespace cupyxx::comm
