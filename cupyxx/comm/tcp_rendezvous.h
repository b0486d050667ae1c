// SPDX-License-Identifier: MIT
// How processes that know an address, their rank and their number find each other.
#pragma once

#include <vector>

#include "cupyxx/comm/tcp_socket.h"

namespace cupyxx::comm::internal {

struct TcpPlace {
  TcpAddress address;  // where rank 0 listens
  int rank = 0;
  int size = 1;
  double timeout = 600;  // seconds
};

/// A connection to each other rank; none in this rank's own place. Rank 0 listens at the address
/// and tells all where the others are. Throws Error, which names those that did not come;
/// ValueError where two have one rank, or another number of ranks.
std::vector<Socket> meet(const TcpPlace& place);

}  // namespace cupyxx::comm::internal
