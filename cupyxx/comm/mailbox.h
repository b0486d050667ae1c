// SPDX-License-Identifier: MIT
// The messages that have arrived at one rank and wait to be taken.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cupyxx/comm/transport.h"

namespace cupyxx::comm::internal {

using Bytes = std::vector<std::byte>;

class Mailbox {
 public:
  /// Any thread may bring messages.
  void deliver(int from, Channel channel, Bytes bytes);
  /// No more messages come from a rank.
  void note_end(int from);
  /// Lets those who wait look whether something has failed.
  void wake();

  enum class Wait : std::uint8_t { arrived, ended, failed, timed_out };
  /// Waits until a message is there, its rank has ended, a rank has failed, or seconds are over.
  Wait take(int from, Channel channel, const Failure& failure, double timeout, Bytes& bytes);

 private:
  std::mutex mutex_;
  std::condition_variable arrival_;
  std::map<std::pair<int, std::uint64_t>, std::deque<Bytes>> messages_;
  std::set<int> ended_;
};

/// A transport whose messages come in a mailbox.
class MailboxTransport : public Transport {
 public:
  using Transport::Transport;
  void exchange(const CallNote& note, Channel channel, std::span<const Outgoing> sends,
                std::span<const Incoming> receives) final;

 protected:
  virtual Mailbox& mailbox() = 0;
  /// Hands bytes over; may keep them.
  virtual void post(int peer, Channel channel, Bytes bytes) = 0;
};

}  // namespace cupyxx::comm::internal
