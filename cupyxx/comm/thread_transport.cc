// SPDX-License-Identifier: MIT
#include "cupyxx/comm/thread_transport.h"

#include <mutex>
#include <utility>

namespace cupyxx::comm::internal {

class ThreadHub {
 public:
  explicit ThreadHub(int size) : boxes_(static_cast<std::size_t>(size)), ranks_(boxes_.size()) {}

  Mailbox& box(int rank) { return boxes_[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(boxes_.size()); }

  void join(int rank, ThreadTransport* transport) {
    const std::lock_guard lock(mutex_);
    ranks_[static_cast<std::size_t>(rank)] = transport;
  }
  void fail(int rank, const std::string& why) {
    {
      const std::lock_guard lock(mutex_);
      for (ThreadTransport* other : ranks_) {
        if (other != nullptr) other->failure().note(rank, why);
      }
    }
    for (Mailbox& box : boxes_) box.wake();
  }
  void leave(int rank) {
    join(rank, nullptr);
    for (Mailbox& box : boxes_) box.note_end(rank);
  }

 private:
  std::vector<Mailbox> boxes_;
  std::mutex mutex_;
  std::vector<ThreadTransport*> ranks_;  // null once they have left
};

ThreadTransport::ThreadTransport(std::shared_ptr<ThreadHub> hub, int rank, int size, double timeout)
    : MailboxTransport(rank, size, timeout), hub_(std::move(hub)) {
  hub_->join(rank, this);
}

std::vector<std::shared_ptr<ThreadTransport>> ThreadTransport::make(int size, double timeout) {
  const auto hub = std::make_shared<ThreadHub>(size);
  std::vector<std::shared_ptr<ThreadTransport>> ranks;
  ranks.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    ranks.emplace_back(new ThreadTransport(hub, rank, size, timeout));
  }
  return ranks;
}

Mailbox& ThreadTransport::mailbox() { return hub_->box(rank()); }

void ThreadTransport::post(int peer, Channel channel, Bytes bytes) {
  hub_->box(peer).deliver(rank(), channel, std::move(bytes));
}

void ThreadTransport::fail(const std::string& why) noexcept { hub_->fail(rank(), why); }

void ThreadTransport::leave() noexcept { hub_->leave(rank()); }

}  // namespace cupyxx::comm::internal
