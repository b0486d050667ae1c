// SPDX-License-Identifier: MIT
// How bytes get from one rank of a world to another: between threads, over TCP, or by MPI. All else
// on the host is made of exchange().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cupyxx/comm/call.h"
#include "cupyxx/comm/failure.h"

namespace cupyxx::comm::internal {

/// Messages of one channel between two ranks arrive in order, whatever happens on others.
struct Channel {
  static constexpr int kTags = 500;                  // that users have
  static constexpr std::uint32_t kCollective = 500;  // slots beyond them
  static constexpr std::uint32_t kSlots = 1024;
  static constexpr std::uint32_t kDataSlots = 512;  // of tags; below are their headers

  std::uint32_t context;  // a number of the communicator; 0 is the transport's own
  std::uint32_t slot;

  std::uint64_t number() const { return std::uint64_t{context} * kSlots + slot; }
};

struct Outgoing {
  int peer;  // a rank of the world
  const void* data;
  std::size_t nbytes;
};

struct Incoming {
  int peer;
  void* data;
  std::size_t nbytes;
};

class Transport {
 public:
  Transport(int rank, int size, double timeout) : rank_(rank), size_(size), timeout_(timeout) {}
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  double timeout() const { return timeout_; }
  Failure& failure() { return failure_; }

  /// Sends and receives, all of them under way together; returns when the outgoing bytes may be
  /// changed and the incoming ones are there. Both sides know the numbers of bytes. Throws Error
  /// when a rank has failed or has ended, or after `timeout` seconds.
  virtual void exchange(const CallNote& note, Channel channel, std::span<const Outgoing> sends,
                        std::span<const Incoming> receives) = 0;
  /// Notes that this rank has failed, and tells the others. Does not wait.
  virtual void fail(const std::string& why) noexcept = 0;
  /// Ends this rank's part in order: the others are told that nothing more comes.
  virtual void leave() noexcept = 0;

 protected:
  /// The error after `timeout` seconds.
  [[noreturn]] void throw_timeout(const CallNote& note, int peer) const;
  [[noreturn]] static void throw_ended(const CallNote& note, int peer);

 private:
  int rank_;
  int size_;
  double timeout_;
  Failure failure_;
};

}  // namespace cupyxx::comm::internal
