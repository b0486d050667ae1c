// SPDX-License-Identifier: MIT
#include "cupyxx/comm/tcp_rendezvous.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace cupyxx::comm::internal {
namespace {

// Who is not one of us is not listened to.
constexpr char kMagic[8] = {'c', 'u', 'p', 'y', 'x', 'x', '0', '1'};
constexpr auto kHelloTime = std::chrono::seconds(10);

struct Hello {
  char magic[8];
  std::int32_t rank;
  std::int32_t size;
  std::uint16_t port;  // where it listens
};

struct Entry {
  char host[64];
  std::uint16_t port;
};

/// What rank 0 answers: all is well, or what is wrong.
struct Answer {
  bool is_accepted;
  char text[120];
};

Hello hello_of(const TcpPlace& place, std::uint16_t port) {
  Hello hello{};
  std::memcpy(hello.magic, kMagic, sizeof kMagic);
  hello.rank = place.rank;
  hello.size = place.size;
  hello.port = port;
  return hello;
}

class Meeting {
 public:
  explicit Meeting(const TcpPlace& place)
      : place_(place),
        until_(TcpClock::now() + std::chrono::duration_cast<TcpClock::duration>(
                                     std::chrono::duration<double>(place.timeout))),
        peers_(static_cast<std::size_t>(place.size)) {}

  std::vector<Socket> run() {
    if (place_.rank == 0) {
      receive_all();
    } else {
      go_to_first();
    }
    return std::move(peers_);
  }

 private:
  Socket& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }

  [[noreturn]] void throw_missing(const char* what) const {
    std::string missing;
    for (int rank = 0; rank < place_.size; ++rank) {
      if (rank == place_.rank || peers_[static_cast<std::size_t>(rank)].is_open()) continue;
      missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    }
    throw Error(message("Communicator: rank ", place_.rank, " of ", place_.size, ": ", what,
                        " within ", Scalar(place_.timeout), " s (CUPYXX_COMM_TIMEOUT); ",
                        place_.address.str(), ", missing ranks ", missing));
  }

  /// Throws where one that has come is gone again.
  void check_peers() const {
    for (int rank = 0; rank < place_.size; ++rank) {
      const Socket& socket = peers_[static_cast<std::size_t>(rank)];
      if (!socket.is_open() || !socket.has_ended()) continue;
      throw Error(message("Communicator: rank ", place_.rank, " of ", place_.size, ": rank ", rank,
                          " of the world has failed: the process has ended while ranks met"));
    }
  }

  /// The end of one turn of waiting, between which one looks after the others.
  TcpClock::time_point turn_end() const {
    return std::min(until_, TcpClock::now() + std::chrono::milliseconds(200));
  }

  /// A connection to where a rank listens.
  Socket reach(const TcpAddress& address) const {
    for (;;) {
      Socket socket = connect_to(address, turn_end());
      if (socket.is_open() || TcpClock::now() >= until_) return socket;
      check_peers();
    }
  }

  /// The next one of us that comes, with what it says of itself.
  Socket accept_peer(const Socket& listener, Hello& hello) {
    for (;;) {
      Socket socket = accept_from(listener, turn_end());
      if (!socket.is_open()) {
        check_peers();
        if (TcpClock::now() >= until_) throw_missing("not all ranks came");
        continue;
      }
      const auto until = std::min(until_, TcpClock::now() + kHelloTime);
      if (socket.read_all(&hello, sizeof hello, until) &&
          std::memcmp(hello.magic, kMagic, sizeof kMagic) == 0) {
        return socket;
      }
    }
  }

  /// What is wrong with who has come to rank 0; empty when nothing is.
  std::string refusal(const Hello& hello) {
    if (hello.size != place_.size) {
      return message("the ranks have different CUPYXX_COMM_SIZE; rank ", hello.rank, " ",
                     hello.size, ", rank 0 ", place_.size);
    }
    if (hello.rank <= 0 || hello.rank >= place_.size) {
      return message("CUPYXX_COMM_RANK is outside of the world; ", hello.rank);
    }
    if (peer(hello.rank).is_open()) {
      return message("two processes have the same CUPYXX_COMM_RANK; ", hello.rank);
    }
    return "";
  }

  void answer(const Socket& socket, const std::string& wrong) {
    Answer answer{};
    answer.is_accepted = wrong.empty();
    std::memcpy(answer.text, wrong.data(), std::min(wrong.size(), sizeof answer.text - 1));
    socket.write_all(&answer, sizeof answer, until_);
  }

  void receive_all() {
    const Socket listener = listen_on(place_.address);
    std::vector<Entry> table(peers_.size());
    for (int missing = place_.size - 1; missing > 0; --missing) {
      Hello hello{};
      Socket socket = accept_peer(listener, hello);
      const std::string wrong = refusal(hello);
      if (!wrong.empty()) {
        answer(socket, wrong);
        for (const Socket& other : peers_) {
          if (other.is_open()) answer(other, wrong);
        }
        throw ValueError(message("Communicator: rank 0 of ", place_.size, ": ", wrong));
      }
      Entry& entry = table[static_cast<std::size_t>(hello.rank)];
      const std::string host = socket.peer_address();
      std::memcpy(entry.host, host.data(), std::min(host.size(), sizeof entry.host - 1));
      entry.port = hello.port;
      peer(hello.rank) = std::move(socket);
    }
    for (const Socket& socket : peers_) {
      if (!socket.is_open()) continue;
      answer(socket, "");
      socket.write_all(table.data(), table.size() * sizeof(Entry), until_);
    }
  }

  void go_to_first() {
    const Socket listener = listen_on({"", 0});
    Socket first = reach(place_.address);
    const Hello own = hello_of(place_, listener.port());
    Answer answer{};
    std::vector<Entry> table(peers_.size());
    if (!first.is_open()) throw_missing("rank 0 does not listen");
    if (!first.write_all(&own, sizeof own, until_) ||
        !first.read_all(&answer, sizeof answer, until_)) {
      throw_missing("rank 0 did not answer, or has ended");
    }
    if (!answer.is_accepted) {
      answer.text[sizeof answer.text - 1] = '\0';
      throw ValueError(message("Communicator: rank ", place_.rank, " of ", place_.size, ": ",
                               std::string_view(answer.text)));
    }
    if (!first.read_all(table.data(), table.size() * sizeof(Entry), until_)) {
      throw_missing("rank 0 did not answer, or has ended");
    }
    peer(0) = std::move(first);
    // Each goes to those before it, and waits for those behind it.
    for (int rank = 1; rank < place_.rank; ++rank) {
      Entry& entry = table[static_cast<std::size_t>(rank)];
      entry.host[sizeof entry.host - 1] = '\0';
      Socket socket = reach({entry.host, entry.port});
      if (!socket.is_open() || !socket.write_all(&own, sizeof own, until_)) {
        throw_missing("a rank could not be reached");
      }
      peer(rank) = std::move(socket);
    }
    for (int missing = place_.size - 1 - place_.rank; missing > 0;) {
      Hello hello{};
      Socket socket = accept_peer(listener, hello);
      if (hello.rank <= place_.rank || hello.rank >= place_.size) continue;
      if (peer(hello.rank).is_open()) continue;
      peer(hello.rank) = std::move(socket);
      --missing;
    }
  }

  const TcpPlace& place_;
  TcpClock::time_point until_;
  std::vector<Socket> peers_;
};

}  // namespace

std::vector<Socket> meet(const TcpPlace& place) { return Meeting(place).run(); }

}  // namespace cupyxx::comm::internal
