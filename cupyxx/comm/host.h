// SPDX-License-Identifier: MIT
// Collective operations on the host, made of a transport's exchange(). The order in which elements
// are combined is that of the ranks, whatever arrives first.
#pragma once

#include <cstddef>
#include <span>

#include "cupyxx/comm/transport.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::comm::internal::host {

/// The ranks that take part and one call of theirs.
struct Port {
  Transport& transport;
  std::span<const int> members;  // ranks of the world
  int rank;                      // this one, of the members
  std::uint32_t context;
  const CallNote& note;

  int size() const { return static_cast<int>(members.size()); }
  int world_rank(int member) const { return members[static_cast<std::size_t>(member)]; }
  Channel channel() const { return {context, Channel::kCollective}; }
};

/// The `nbytes` of each rank, one after the other; `mine` may be this rank's part of `all`.
void all_gather(const Port& port, const void* mine, void* all, std::size_t nbytes);
/// The root's bytes everywhere.
void broadcast(const Port& port, void* data, std::size_t nbytes, int root);
/// Everybody's bytes at the root, where `all` holds them all.
void gather(const Port& port, const void* mine, void* all, std::size_t nbytes, int root);
/// Part i of the root's bytes at rank i.
void scatter(const Port& port, const void* all, void* mine, std::size_t nbytes, int root);
/// Part i goes to rank i; what comes from rank i stands in part i. The two do not overlap.
void all_to_all(const Port& port, const void* from, void* to, std::size_t nbytes);
void barrier(const Port& port);

/// Arrays here are contiguous, on the host, and of the same dtype.

/// The combination of arrays that belong to the ranks 0, 1, ...
ndarray combine(std::span<const ndarray> pieces, Op op);
/// `to` may be `from`.
void all_reduce(const Port& port, const ndarray& from, const ndarray& to, Op op);
/// `to` is looked at by the root alone.
void reduce(const Port& port, const ndarray& from, const ndarray& to, Op op, int root);
/// Part i, of the size of `to`, at rank i.
void reduce_scatter(const Port& port, const ndarray& from, const ndarray& to, Op op);

}  // namespace cupyxx::comm::internal::host
