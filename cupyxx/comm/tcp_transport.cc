// SPDX-License-Identifier: MIT
#include "cupyxx/comm/tcp_transport.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {
namespace {

constexpr auto kBeat = std::chrono::seconds(2);      // a sign of life when nothing else is sent
constexpr auto kSilence = std::chrono::seconds(20);  // without one a rank is taken for dead
constexpr auto kGrace = std::chrono::seconds(25);    // in which a failure must reach the program
constexpr auto kFarewell = std::chrono::seconds(10);
// Of one connection, before the others have their turn.
constexpr std::size_t kTurnBytes = std::size_t{8} << 20;

/// No message is longer than the machine's memory.
std::uint64_t longest() {
  static const std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                     static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Room for a message; false where there is none.
bool make_room(std::vector<std::byte>& bytes, std::uint64_t count) {
  if (count > longest()) return false;
  try {
    bytes.resize(count);
    return true;
  } catch (const std::exception&) {  // bad_alloc or length_error
    return false;
  }
}

}  // namespace

TcpTransport::TcpTransport(const TcpPlace& place)
    : MailboxTransport(place.rank, place.size, place.timeout),
      peers_(static_cast<std::size_t>(place.size)) {
  std::vector<Socket> sockets = meet(place);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(message("Communicator: no pipe; ", std::string_view(std::strerror(errno))));
  }
  wake_read_ = Socket(ends[0]);
  wake_write_ = Socket(ends[1]);
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    peers_[i].socket = std::move(sockets[i]);
    peers_[i].last_read = peers_[i].last_write = TcpClock::now();
  }
  thread_ = std::thread([this] { run(); });
}

TcpTransport::~TcpTransport() { leave(); }

void TcpTransport::wake() const {
  const char byte = 0;
  (void)!::write(wake_write_.get(), &byte, 1);  // a full pipe wakes as well
}

void TcpTransport::enqueue(int rank, Frame frame, Bytes body) {
  frame.nbytes = body.size();
  Bytes head(sizeof frame);
  std::memcpy(head.data(), &frame, sizeof frame);
  {
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    if (!peer.socket.is_open()) return;
    peer.queue.push_back(std::move(head));
    if (!body.empty()) peer.queue.push_back(std::move(body));
  }
  wake();
}

void TcpTransport::post(int peer, Channel channel, Bytes bytes) {
  enqueue(peer, {Kind::data, channel.context, channel.slot, 0, 0}, std::move(bytes));
}

void TcpTransport::fail(const std::string& why) noexcept {
  if (failure().is_noted()) return;
  failure().note(rank(), why);
  const auto* const text = reinterpret_cast<const std::byte*>(why.data());
  for (int peer = 0; peer < size(); ++peer) {
    if (peer != rank()) enqueue(peer, {Kind::failed, 0, 0, 0, 0}, Bytes(text, text + why.size()));
  }
  mailbox_.wake();
}

void TcpTransport::leave() noexcept {
  if (!thread_.joinable()) return;
  for (int peer = 0; peer < size(); ++peer) {
    if (peer != rank() && !failure().is_noted()) enqueue(peer, {Kind::ended, 0, 0, 0, 0}, {});
  }
  leave_until_ = TcpClock::now() + kFarewell;
  is_leaving_.store(true, std::memory_order_release);
  wake();
  thread_.join();
}

/// Until all that was to be said has been said.
void TcpTransport::run() {
  for (;;) {
    poll_once();
    if (!is_leaving_.load(std::memory_order_acquire)) continue;
    const std::lock_guard lock(mutex_);
    const bool is_done = std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
      return !peer.socket.is_open() || peer.queue.empty();
    });
    if (is_done || TcpClock::now() > leave_until_) {
      // What is closed with bytes unread resets the connection: the farewell goes first.
      for (Peer& peer : peers_) {
        if (peer.socket.is_open()) ::shutdown(peer.socket.get(), SHUT_WR);
      }
      return;
    }
  }
}

void TcpTransport::poll_once() {
  std::vector<pollfd> waiting{{wake_read_.get(), POLLIN, 0}};
  std::vector<int> ranks{-1};
  {
    const std::lock_guard lock(mutex_);
    for (int rank = 0; rank < size(); ++rank) {
      const Peer& peer = peers_[static_cast<std::size_t>(rank)];
      if (!peer.socket.is_open()) continue;
      const int events = POLLIN | (peer.queue.empty() ? 0 : POLLOUT);
      waiting.push_back({peer.socket.get(), static_cast<short>(events), 0});
      ranks.push_back(rank);
    }
  }
  ::poll(waiting.data(), waiting.size(), 500);
  if (waiting[0].revents != 0) {
    char bytes[256];
    while (::read(wake_read_.get(), bytes, sizeof bytes) > 0) {
    }
  }
  for (std::size_t i = 1; i < waiting.size(); ++i) {
    Peer& peer = peers_[static_cast<std::size_t>(ranks[i])];
    if ((waiting[i].revents & POLLOUT) != 0) write(ranks[i], peer);
    if ((waiting[i].revents & ~POLLOUT) != 0 && peer.socket.is_open()) read(ranks[i], peer);
  }
  look_at_time();
}

void TcpTransport::write(int rank, Peer& peer) {
  for (std::size_t moved = 0; moved < kTurnBytes;) {
    Bytes* first = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (peer.queue.empty()) return;
      first = &peer.queue.front();  // only this thread takes it away
    }
    const ssize_t sent = ::send(peer.socket.get(), first->data() + peer.written,
                                first->size() - peer.written, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return;
      lose(rank, peer, "its connection was closed; the process has ended");
      return;
    }
    peer.last_write = TcpClock::now();
    peer.written += static_cast<std::size_t>(sent);
    moved += static_cast<std::size_t>(sent);
    if (peer.written < first->size()) return;
    peer.written = 0;
    const std::lock_guard lock(mutex_);
    peer.queue.pop_front();
  }
}

void TcpTransport::read(int rank, Peer& peer) {
  for (std::size_t moved = 0; moved < kTurnBytes;) {
    const bool in_frame = peer.frame_read < sizeof(Frame);
    auto* const at = in_frame ? reinterpret_cast<std::byte*>(&peer.frame) + peer.frame_read
                              : peer.body.data() + peer.body_read;
    const std::size_t wanted =
        in_frame ? sizeof(Frame) - peer.frame_read : peer.body.size() - peer.body_read;
    const ssize_t got = ::recv(peer.socket.get(), at, wanted, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (got <= 0) {
      lose(rank, peer, "its connection was closed; the process has ended");
      return;
    }
    peer.last_read = TcpClock::now();
    moved += static_cast<std::size_t>(got);
    (in_frame ? peer.frame_read : peer.body_read) += static_cast<std::size_t>(got);
    if (peer.frame_read < sizeof(Frame)) continue;
    if (in_frame) {
      if (!make_room(peer.body, peer.frame.nbytes)) {
        lose(rank, peer, "it sent what is no message, or one that there is no memory for");
        return;
      }
    }
    if (peer.body_read == peer.body.size()) finish_frame(rank, peer);
  }
}

void TcpTransport::finish_frame(int rank, Peer& peer) {
  Bytes body = std::exchange(peer.body, {});
  peer.frame_read = peer.body_read = 0;
  switch (peer.frame.kind) {
    case Kind::data:
      mailbox_.deliver(rank, {peer.frame.context, peer.frame.slot}, std::move(body));
      break;
    case Kind::alive:
      break;
    case Kind::failed:
      failure().note(rank, std::string(reinterpret_cast<const char*>(body.data()), body.size()));
      mailbox_.wake();
      break;
    case Kind::ended:
      peer.has_ended = true;
      mailbox_.note_end(rank);
      break;
  }
}

void TcpTransport::lose(int rank, Peer& peer, const char* why) {
  {
    const std::lock_guard lock(mutex_);
    peer.socket.close();
    peer.queue.clear();
  }
  if (peer.has_ended || is_leaving_.load(std::memory_order_acquire)) return;
  failure().note(rank, why);
  mailbox_.wake();
}

void TcpTransport::look_at_time() {
  const auto now = TcpClock::now();
  for (int rank = 0; rank < size(); ++rank) {
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    if (!peer.socket.is_open()) continue;
    if (now - peer.last_read > kSilence && !peer.has_ended) {
      lose(rank, peer, "it gives no sign of life for 20 s");
      continue;
    }
    if (now - peer.last_write > kBeat) {
      peer.last_write = now;
      enqueue(rank, {Kind::alive, 0, 0, 0, 0}, {});
    }
  }
  // A program that waits elsewhere, for a device, is not left hanging.
  if (!failure().is_noted() || failure().is_delivered()) return;
  if (is_leaving_.load(std::memory_order_acquire)) return;
  if (failed_at_ == TcpClock::time_point{}) failed_at_ = now;
  if (now - failed_at_ < kGrace) return;
  std::fprintf(stderr, "rank %d of %d ends: %s\n", this->rank(), size(), failure().str().c_str());
  std::_Exit(1);
}

}  // namespace cupyxx::comm::internal
