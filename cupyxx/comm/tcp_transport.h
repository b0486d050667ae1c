// SPDX-License-Identifier: MIT
// Ranks that are processes which an address has brought together. A thread moves all bytes and
// watches the connections: a process that dies, or gives no sign of life, is noticed by all.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/comm/mailbox.h"
#include "cupyxx/comm/tcp_rendezvous.h"

namespace cupyxx::comm::internal {

class TcpTransport final : public MailboxTransport {
 public:
  /// Waits for all ranks. Throws as meet().
  explicit TcpTransport(const TcpPlace& place);
  ~TcpTransport() override;

  void fail(const std::string& why) noexcept override;
  void leave() noexcept override;

 protected:
  Mailbox& mailbox() override { return mailbox_; }
  void post(int peer, Channel channel, Bytes bytes) override;

 private:
  enum class Kind : std::uint32_t { data, alive, failed, ended };
  struct Frame {
    Kind kind;
    std::uint32_t context;
    std::uint32_t slot;
    std::uint32_t unused;
    std::uint64_t nbytes;
  };
  struct Peer {
    Socket socket;
    bool has_ended = false;
    std::deque<Bytes> queue;  // frames and what belongs to them, to be written
    std::size_t written = 0;  // of the first in the queue
    TcpClock::time_point last_write, last_read;
    Frame frame{};  // that is being read
    std::size_t frame_read = 0;
    Bytes body;
    std::size_t body_read = 0;
  };

  void enqueue(int peer, Frame frame, Bytes body);
  void wake() const;
  void run();
  void poll_once();
  void write(int rank, Peer& peer);
  void read(int rank, Peer& peer);
  void finish_frame(int rank, Peer& peer);
  void lose(int rank, Peer& peer, const char* why);
  void look_at_time();

  Mailbox mailbox_;
  std::mutex mutex_;  // of the queues
  std::vector<Peer> peers_;
  Socket wake_read_, wake_write_;
  std::atomic<bool> is_leaving_{false};
  TcpClock::time_point failed_at_{};
  TcpClock::time_point leave_until_{};
  std::thread thread_;
};

}  // namespace cupyxx::comm::internal
