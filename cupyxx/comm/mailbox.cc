// SPDX-License-Identifier: MIT
#include "cupyxx/comm/mailbox.h"

#include <chrono>
#include <cstring>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {

void Mailbox::deliver(int from, Channel channel, Bytes bytes) {
  {
    const std::lock_guard lock(mutex_);
    messages_[{from, channel.number()}].push_back(std::move(bytes));
  }
  arrival_.notify_all();
}

void Mailbox::note_end(int from) {
  {
    const std::lock_guard lock(mutex_);
    ended_.insert(from);
  }
  arrival_.notify_all();
}

void Mailbox::wake() {
  { const std::lock_guard lock(mutex_); }  // whoever has looked already is waiting by now
  arrival_.notify_all();
}

Mailbox::Wait Mailbox::take(int from, Channel channel, const Failure& failure, double timeout,
                            Bytes& bytes) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout);
  const std::pair key{from, channel.number()};
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto queue = messages_.find(key);
    if (queue != messages_.end()) {
      bytes = std::move(queue->second.front());
      queue->second.pop_front();
      if (queue->second.empty()) messages_.erase(queue);
      return Wait::arrived;
    }
    if (failure.is_noted()) return Wait::failed;
    if (ended_.contains(from)) return Wait::ended;
    if (arrival_.wait_until(lock, until) == std::cv_status::timeout) return Wait::timed_out;
  }
}

void MailboxTransport::exchange(const CallNote& note, Channel channel,
                                std::span<const Outgoing> sends,
                                std::span<const Incoming> receives) {
  failure().check(note);
  for (const Outgoing& send : sends) {
    const auto* const first = static_cast<const std::byte*>(send.data);
    post(send.peer, channel, Bytes(first, first + send.nbytes));
  }
  Bytes bytes;
  for (const Incoming& receive : receives) {
    switch (mailbox().take(receive.peer, channel, failure(), timeout(), bytes)) {
      case Mailbox::Wait::arrived:
        break;
      case Mailbox::Wait::ended:
        throw_ended(note, receive.peer);
      case Mailbox::Wait::failed:
        failure().check(note);
        break;
      case Mailbox::Wait::timed_out:
        throw_timeout(note, receive.peer);
    }
    if (bytes.size() != receive.nbytes) {
      throw Error(message(note.str(), ": rank ", receive.peer, " of the world sent ", bytes.size(),
                          " bytes, ", receive.nbytes, " are waited for"));
    }
    if (!bytes.empty()) std::memcpy(receive.data, bytes.data(), bytes.size());
  }
}

}  // namespace cupyxx::comm::internal
