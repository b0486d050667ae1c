// SPDX-License-Identifier: MIT
#include "cupyxx/comm/tcp_socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <thread>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {
namespace {

/// Waits until the descriptor can be read or written; false when the time is over.
bool wait_for(int descriptor, short events, TcpClock::time_point until) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - TcpClock::now()).count();
    if (left < 0) return false;
    pollfd one{descriptor, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min<long>(left + 1, 1000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses resolve(const TcpAddress& address, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  const char* const host = address.host.empty() ? nullptr : address.host.c_str();
  const int code = ::getaddrinfo(host, port.c_str(), &hints, &found);
  if (code != 0) {
    throw Error(message("Communicator: the host has no address; ", address.host, ": ",
                        ::gai_strerror(code)));
  }
  return Addresses(found);
}

/// One attempt; none where nobody listens.
Socket try_connect(const addrinfo& place, TcpClock::time_point until) {
  Socket socket(::socket(place.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return Socket();
  if (::connect(socket.get(), place.ai_addr, place.ai_addrlen) != 0) {
    if (errno != EINPROGRESS || !wait_for(socket.get(), POLLOUT, until)) return Socket();
    int error = 0;
    socklen_t length = sizeof error;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0) {
      return Socket();
    }
  }
  socket.prepare();
  return socket;
}

}  // namespace

void Socket::close() noexcept {
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

void Socket::prepare() const {
  const int yes = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

bool Socket::write_all(const void* data, std::size_t nbytes, TcpClock::time_point until) const {
  const auto* at = static_cast<const char*>(data);
  while (nbytes > 0) {
    const ssize_t sent = ::send(descriptor_, at, nbytes, MSG_NOSIGNAL);
    if (sent > 0) {
      at += sent;
      nbytes -= static_cast<std::size_t>(sent);
    } else if (!is_temporary(errno) || !wait_for(descriptor_, POLLOUT, until)) {
      return false;
    }
  }
  return true;
}

bool Socket::read_all(void* data, std::size_t nbytes, TcpClock::time_point until) const {
  auto* at = static_cast<char*>(data);
  while (nbytes > 0) {
    const ssize_t got = ::recv(descriptor_, at, nbytes, 0);
    if (got > 0) {
      at += got;
      nbytes -= static_cast<std::size_t>(got);
    } else if (got == 0 || !is_temporary(errno) || !wait_for(descriptor_, POLLIN, until)) {
      return false;
    }
  }
  return true;
}

bool Socket::has_ended() const {
  pollfd one{descriptor_, POLLRDHUP, 0};
  return ::poll(&one, 1, 0) > 0;
}

std::string Socket::peer_address() const {
  sockaddr_storage place{};
  socklen_t length = sizeof place;
  char text[NI_MAXHOST] = "";
  if (::getpeername(descriptor_, reinterpret_cast<sockaddr*>(&place), &length) == 0) {
    ::getnameinfo(reinterpret_cast<sockaddr*>(&place), length, text, sizeof text, nullptr, 0,
                  NI_NUMERICHOST);
  }
  return text;
}

std::uint16_t Socket::port() const {
  sockaddr_storage place{};
  socklen_t length = sizeof place;
  if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&place), &length) != 0) return 0;
  return ntohs(place.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(place).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(place).sin_port);
}

TcpAddress TcpAddress::parse(const char* variable, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  TcpAddress address;
  if (colon != std::string::npos) {
    address.host = text.substr(0, colon);
    if (address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']') {
      address.host = address.host.substr(1, address.host.size() - 2);
    }
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, address.port);
    if (error == std::errc() && stop == end && !address.host.empty() && address.port != 0) {
      return address;
    }
  }
  throw ValueError(message("Communicator: ", variable, " is not host:port; \"", text, "\""));
}

Socket listen_on(const TcpAddress& address) {
  const Addresses found = resolve(address, AI_PASSIVE);
  int error = 0;
  for (const addrinfo* place = found.get(); place != nullptr; place = place->ai_next) {
    Socket socket(::socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int yes = 1;
    if (socket.is_open()) {
      ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      if (::bind(socket.get(), place->ai_addr, place->ai_addrlen) == 0 &&
          ::listen(socket.get(), SOMAXCONN) == 0) {
        return socket;
      }
    }
    error = errno;
  }
  throw Error(message("Communicator: rank 0 cannot listen; ", address.str(), ": ",
                      std::string_view(std::strerror(error))));
}

Socket accept_from(const Socket& listener, TcpClock::time_point until) {
  while (wait_for(listener.get(), POLLIN, until)) {
    Socket socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open()) continue;
    socket.prepare();
    return socket;
  }
  return Socket();
}

Socket connect_to(const TcpAddress& address, TcpClock::time_point until) {
  const Addresses found = resolve(address, 0);
  do {
    for (const addrinfo* place = found.get(); place != nullptr; place = place->ai_next) {
      Socket socket =
          try_connect(*place, std::min(until, TcpClock::now() + std::chrono::seconds(5)));
      if (socket.is_open()) return socket;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } while (TcpClock::now() < until);
  return Socket();
}

}  // namespace cupyxx::comm::internal
