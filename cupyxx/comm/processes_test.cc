// SPDX-License-Identifier: MIT
// Worlds of processes: this program starts itself again, under mpirun and by an address.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include "cupyxx/comm.h"
#include "cupyxx/comm/tcp_transport.h"
#include "cupyxx/comm/testing/cases.h"
#include "cupyxx/comm/testing/launch.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::comm {
namespace {

using cupyxx::testing::expect_error;
using testing::launch_by_address;
using testing::launch_by_mpirun;
using testing::Launched;

// ---- What the processes do; alone each is a world of one.

TEST(Rank, DoesEverything) {
  const Communicator world = Communicator::world();
  const char* const size = std::getenv("EXPECTED_SIZE");
  EXPECT_EQ(world.size(), size != nullptr ? std::atoi(size) : 1);
  testing::check_everything(world);
  testing::check_rounding(world);
}

/// Rank 1 goes in the middle of work, as it is told.
TEST(Rank, MayGo) {
  const char* const how = std::getenv("HOW_TO_GO");
  if (how == nullptr) return;
  const std::string way = how;
  const int status = run([&](const Communicator& comm) {
    for (int step = 0;; ++step) {
      if (comm.rank() == 1 && step == 20) {
        if (way == "killed") ::raise(SIGKILL);
        if (way == "throws") throw std::runtime_error("the disk is full");
        if (way == "exits") std::exit(3);
        if (way == "leaves") std::exit(0);
      }
      comm.all_reduce(full({1000}, step));
    }
  });
  std::exit(status);
}

/// Rank 1 comes after the others have waited in vain, for a message whose memory was given back.
TEST(Rank, MayComeLate) {
  const char* const how = std::getenv("COMES_LATE");
  if (how == nullptr) return;
  const std::string way = how;
  const Communicator comm = Communicator::world();
  const auto expect_late = [&](auto&& call) {
    expect_error<Error>(call, "rank 1 of the world did not come within 0.5 s");
  };
  constexpr std::int64_t kCount = 4'000'000;
  if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(2));
  if (way == "send" && comm.rank() == 0) {
    expect_late([&] { comm.send(full({kCount}, 1.0), 1); });
    std::this_thread::sleep_for(std::chrono::seconds(3));  // its end would end the other one
  } else if (way == "send") {
    expect_error<Error>([&] { comm.recv(0); },
                        "rank 0 of the world has failed: send: rank 0 of 2: rank 1 of the world "
                        "did not come within 0.5 s");
  } else if (comm.rank() == 0) {
    expect_late([&] { comm.recv(1); });
    ndarray found;
    while (found.is_none()) {
      try {
        found = comm.recv(1);
      } catch (const Error&) {
      }
    }
    EXPECT_EQ(found(-1).item<double>(), 1);
    EXPECT_EQ(comm.recv(1)(0).item<double>(), 2);
  } else {
    comm.send(full({kCount}, 1.0), 0);
    comm.send(full({kCount}, 2.0), 0);
  }
  std::printf("rank %d is done\n", comm.rank());
  std::fflush(stdout);
}

// ---- What is seen of them.

void expect_success(const Launched& launched) {
  EXPECT_TRUE(launched.is_success()) << launched.output;
}

TEST(Mpirun, DoesEverything) {
  for (const int count : {2, 4}) {
    expect_success(launch_by_mpirun({.count = count,
                                     .filter = "Rank.DoesEverything",
                                     .variables = {"EXPECTED_SIZE=" + std::to_string(count)}}));
  }
}

TEST(Address, DoesEverything) {
  for (const int count : {2, 3}) {
    expect_success(launch_by_address({.count = count,
                                      .filter = "Rank.DoesEverything",
                                      .variables = {"EXPECTED_SIZE=" + std::to_string(count)}}));
  }
}

TEST(Failures, OfOneEndTheOthersByName) {
  const struct {
    const char* way;
    const char* text;
  } cases[] = {
      {"killed", "rank 1"},
      {"throws", "rank 1 of the world has failed: the disk is full"},
      {"exits", "rank 1 of the world has failed: the program ended with status 3"},
      {"leaves", "rank 1 of the world has ended"},
  };
  for (const auto& one : cases) {
    const std::string variable = std::string("HOW_TO_GO=") + one.way;
    const Launched by_address =
        launch_by_address({.count = 3, .filter = "Rank.MayGo", .variables = {variable}});
    EXPECT_NE(by_address.statuses[0], 0) << one.way;
    EXPECT_NE(by_address.statuses[2], 0) << one.way;
    EXPECT_LT(by_address.seconds, 30) << one.way;
    EXPECT_NE(by_address.output.find(one.text), std::string::npos)
        << one.way << ": " << by_address.output;
    // mpirun 4.1 may end before it has passed on what an aborting rank wrote, and lose its own
    // note.
    std::string output;
    for (int launch = 0; launch < 5 && output.find("rank 1") == std::string::npos; ++launch) {
      const Launched by_mpirun =
          launch_by_mpirun({.count = 3, .filter = "Rank.MayGo", .variables = {variable}});
      EXPECT_FALSE(by_mpirun.is_success()) << one.way;
      EXPECT_LT(by_mpirun.seconds, 30) << one.way;
      output += by_mpirun.output;
    }
    EXPECT_NE(output.find("rank 1"), std::string::npos) << one.way << ": " << output;
  }
}

TEST(Failures, OfMpiGiveNoMemoryThatIsInUse) {
  for (const char* const way : {"send", "recv"}) {
    const Launched launched = launch_by_mpirun(
        {.count = 2,
         .filter = "Rank.MayComeLate",
         .variables = {std::string("COMES_LATE=") + way, "CUPYXX_COMM_TIMEOUT=0.5"}});
    // After a failure MPI ends all.
    if (std::string(way) == "recv") {
      EXPECT_TRUE(launched.is_success()) << launched.output;
    }
    EXPECT_NE(launched.output.find("rank 1 is done"), std::string::npos) << launched.output;
    EXPECT_EQ(launched.output.find("Failure"), std::string::npos) << launched.output;
  }
}

TEST(Failures, AtARandomPlace) {
  std::mt19937 random(std::random_device{}());
  const int delay = std::uniform_int_distribution<int>(50, 900)(random);
  const Launched launched =
      launch_by_address({.count = 3,
                         .filter = "Rank.MayGo",
                         // Who dies before it came is known by the time-out alone.
                         .variables = {"HOW_TO_GO=never", "CUPYXX_COMM_TIMEOUT=10"},
                         .meanwhile = [&](const std::vector<int>& processes) {
                           std::this_thread::sleep_for(std::chrono::milliseconds(delay));
                           ::kill(processes[2], SIGKILL);
                         }});
  EXPECT_NE(launched.statuses[0], 0) << "killed after " << delay << " ms";
  EXPECT_NE(launched.statuses[1], 0);
  EXPECT_LT(launched.seconds, 30);
  const bool is_named =
      launched.output.find("rank 2 of the world has failed") != std::string::npos ||
      launched.output.find("missing ranks") != std::string::npos;
  EXPECT_TRUE(is_named) << "killed after " << delay << " ms: " << launched.output;
}

TEST(Address, MistakesAreNamed) {
  const auto refuses = [](const std::vector<std::string>& variables, const std::string& text) {
    const Launched launched =
        launch_by_address({.count = 1, .filter = "Rank.DoesEverything", .variables = variables});
    EXPECT_NE(launched.output.find(text), std::string::npos) << text << launched.output;
  };
  refuses({"CUPYXX_COMM_ADDRESS=here"},
          "Communicator: CUPYXX_COMM_ADDRESS is not host:port; \"here\"");
  refuses({"CUPYXX_COMM_SIZE=0"},
          "Communicator: CUPYXX_COMM_SIZE is not a number between 1 and 65536; \"0\"");
  refuses({"CUPYXX_COMM_SIZE=4", "CUPYXX_COMM_RANK="},
          "Communicator: CUPYXX_COMM_RANK is missing beside CUPYXX_COMM_ADDRESS");
  refuses({"CUPYXX_COMM_SIZE=4", "CUPYXX_COMM_RANK=4"},
          "Communicator: CUPYXX_COMM_RANK is not a number between 0 and 3; \"4\"");
  refuses(
      {"CUPYXX_COMM_SIZE=2", "CUPYXX_COMM_ADDRESS=no.such.host.invalid:99", "CUPYXX_COMM_RANK=1"},
      "Communicator: the host has no address; no.such.host.invalid: ");
}

TEST(Address, RanksThatDoNotFitAreRefusedEverywhere) {
  const Launched twice = launch_by_address(
      {.count = 3, .filter = "Rank.DoesEverything", .variables = {"CUPYXX_COMM_SIZE=2"}});
  EXPECT_FALSE(twice.is_success());
  EXPECT_LT(twice.seconds, 30);
  const Launched alone =
      launch_by_address({.count = 1,
                         .filter = "Rank.DoesEverything",
                         .variables = {"CUPYXX_COMM_SIZE=2", "CUPYXX_COMM_TIMEOUT=0.5"}});
  EXPECT_NE(alone.output.find("not all ranks came within 0.5 s (CUPYXX_COMM_TIMEOUT)"),
            std::string::npos)
      << alone.output;
  EXPECT_NE(alone.output.find("missing ranks 1"), std::string::npos) << alone.output;
}

/// A stranger that knows how to say hello, and then claims to send 32 TiB.
void come_with_too_much(std::uint16_t port) {
  const auto until = internal::TcpClock::now() + std::chrono::seconds(20);
  const internal::Socket socket = internal::connect_to({"127.0.0.1", port}, until);
  struct {
    char magic[8] = {'c', 'u', 'p', 'y', 'x', 'x', '0', '1'};
    std::int32_t rank = 1, size = 2;
    std::uint16_t port = 1;
  } const hello;
  char answer[121 + 2 * 66];  // accepted, a text; two hosts and their ports
  EXPECT_TRUE(socket.write_all(&hello, sizeof hello, until));
  EXPECT_TRUE(socket.read_all(answer, sizeof answer, until));
  const struct {
    std::uint32_t kind = 0, context = 0, slot = 0, unused = 0;
    std::uint64_t nbytes = std::uint64_t{1} << 45;
  } frame;
  EXPECT_TRUE(socket.write_all(&frame, sizeof frame, until));
  char byte;
  socket.read_all(&byte, 1, until);  // until the connection is closed
}

TEST(Address, AMessageLongerThanTheMemoryIsAFailure) {
  const std::uint16_t port = internal::listen_on({"127.0.0.1", 0}).port();
  std::thread stranger(come_with_too_much, port);
  internal::TcpTransport transport(
      {.address = {"127.0.0.1", port}, .rank = 0, .size = 2, .timeout = 20});
  char byte = 0;
  const internal::Incoming receive{1, &byte, 1};
  expect_error<Error>(
      [&] {
        transport.exchange({internal::Call::recv, 0, 2}, {0, 0}, {}, {&receive, 1});
      },
      "rank 1 of the world has failed: it sent what is no message, or one that there is no memory "
      "for");
  transport.leave();
  stranger.join();
}

}  // namespace
}  // namespace cupyxx::comm
