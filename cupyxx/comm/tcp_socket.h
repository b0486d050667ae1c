// SPDX-License-Identifier: MIT
// Sockets of the world that is started by an address. Every wait has an end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace cupyxx::comm::internal {

using TcpClock = std::chrono::steady_clock;

/// A file descriptor that closes itself; -1 is none.
class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket() { close(); }

  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  void close() noexcept;

  /// Whether all bytes went, or came, before `until`.
  bool write_all(const void* data, std::size_t nbytes, TcpClock::time_point until) const;
  bool read_all(void* data, std::size_t nbytes, TcpClock::time_point until) const;
  /// Whether the other side has closed it; there may still be bytes to read.
  bool has_ended() const;
  /// The other side's address, as a number: "10.0.0.2".
  std::string peer_address() const;
  /// The port that it listens on.
  std::uint16_t port() const;
  /// Small messages go at once, and calls do not wait.
  void prepare() const;

 private:
  int descriptor_;
};

struct TcpAddress {
  std::string host;
  std::uint16_t port = 0;

  std::string str() const { return host + ":" + std::to_string(port); }
  /// Reads "host:port" or "[::1]:port"; throws ValueError, naming the variable it is from.
  static TcpAddress parse(const char* variable, const std::string& text);
};

/// A socket that listens; port 0 is any. Throws Error.
Socket listen_on(const TcpAddress& address);
/// The next connection, or none when the time is over.
Socket accept_from(const Socket& listener, TcpClock::time_point until);
/// Tries until somebody listens there, or none when the time is over. Throws Error for a host that
/// has no address.
Socket connect_to(const TcpAddress& address, TcpClock::time_point until);

}  // namespace cupyxx::comm::internal
