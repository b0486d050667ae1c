// SPDX-License-Identifier: MIT
#include "cupyxx/comm/host.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace cupyxx::comm::internal::host {
namespace {

// Up to so many bytes in all a step less is worth more than its bytes.
constexpr std::size_t kSmallBytes = std::size_t{1} << 16;

void move(void* to, const void* from, std::size_t nbytes) {
  if (nbytes != 0 && to != from) std::memmove(to, from, nbytes);
}

char* part(void* data, int i, std::size_t nbytes) {
  return static_cast<char*>(data) + static_cast<std::size_t>(i) * nbytes;
}

const char* part(const void* data, int i, std::size_t nbytes) {
  return static_cast<const char*>(data) + static_cast<std::size_t>(i) * nbytes;
}

/// Bruck's: after each of log2(size) steps a rank has twice as many blocks, its own the first.
void all_gather_in_doublings(const Port& port, const void* mine, void* all, std::size_t nbytes) {
  const int size = port.size();
  std::vector<char> blocks(static_cast<std::size_t>(size) * nbytes);
  move(blocks.data(), mine, nbytes);
  for (int have = 1; have < size; have *= 2) {
    const std::size_t count = static_cast<std::size_t>(std::min(have, size - have)) * nbytes;
    const Outgoing send{port.world_rank((port.rank - have + size) % size), blocks.data(), count};
    const Incoming receive{port.world_rank((port.rank + have) % size),
                           part(blocks.data(), have, nbytes), count};
    port.transport.exchange(port.note, port.channel(), {&send, 1}, {&receive, 1});
  }
  for (int i = 0; i < size; ++i) {
    move(part(all, (port.rank + i) % size, nbytes), part(blocks.data(), i, nbytes), nbytes);
  }
}

/// Parts of unequal length go round: `begin` has size + 1 places in bytes.
void all_gather_in_ring(const Port& port, void* all, std::span<const std::size_t> begin) {
  const int size = port.size();
  auto* const bytes = static_cast<char*>(all);
  const auto length = [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return begin[at + 1] - begin[at];
  };
  const int next = port.world_rank((port.rank + 1) % size);
  const int previous = port.world_rank((port.rank - 1 + size) % size);
  for (int step = 0; step < size - 1; ++step) {
    const int gives = (port.rank - step + size) % size, takes = (gives - 1 + size) % size;
    const Outgoing send{next, bytes + begin[static_cast<std::size_t>(gives)], length(gives)};
    const Incoming receive{previous, bytes + begin[static_cast<std::size_t>(takes)], length(takes)};
    port.transport.exchange(port.note, port.channel(), {&send, 1}, {&receive, 1});
  }
}

/// Where the parts of `count` elements begin, in elements.
std::vector<std::size_t> cut(std::size_t count, int size) {
  std::vector<std::size_t> begin;
  for (int i = 0; i <= size; ++i) {
    begin.push_back(count * static_cast<std::size_t>(i) / static_cast<std::size_t>(size));
  }
  return begin;
}

dtype accumulator(dtype type) {
  const bool is_narrow = type.is_floating() && type.itemsize() < 4;
  return is_narrow ? float32 : type;
}

void combine_into(const ndarray& sum, const ndarray& next, Op op) {
  const UfuncOptions into{.out = sum};
  switch (op) {
    case Op::sum:
    case Op::average:
      add(sum, next, into);
      return;
    case Op::prod:
      multiply(sum, next, into);
      return;
    case Op::max:
      maximum(sum, next, into);
      return;
    case Op::min:
      minimum(sum, next, into);
      return;
  }
}

ndarray host_array(std::size_t count, dtype type) {
  const DeviceScope on_host(Device::cpu());
  return empty(Shape{static_cast<std::int64_t>(count)}, type);
}

void* memory(const ndarray& a) { return a.elements(); }
std::size_t bytes_of(const ndarray& a) { return static_cast<std::size_t>(a.nbytes()); }

/// Part i of each rank's array comes to rank i, which combines them.
ndarray combine_own_part(const Port& port, const ndarray& from, std::span<const std::size_t> begin,
                         Op op) {
  const auto itemsize = static_cast<std::size_t>(from.itemsize());
  const auto own = static_cast<std::size_t>(port.rank);
  const std::size_t count = begin[own + 1] - begin[own];
  std::vector<ndarray> pieces;
  std::vector<Outgoing> sends;
  std::vector<Incoming> receives;
  for (int i = 0; i < port.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const char* const part_of_i = static_cast<const char*>(memory(from)) + begin[at] * itemsize;
    pieces.push_back(host_array(count, from.dtype()));
    if (i == port.rank) {
      move(memory(pieces.back()), part_of_i, count * itemsize);
    } else {
      sends.push_back({port.world_rank(i), part_of_i, (begin[at + 1] - begin[at]) * itemsize});
      receives.push_back({port.world_rank(i), memory(pieces.back()), count * itemsize});
    }
  }
  port.transport.exchange(port.note, port.channel(), sends, receives);
  return combine(pieces, op);
}

std::vector<ndarray> everybodys(const Port& port, const ndarray& from) {
  const auto count = static_cast<std::size_t>(from.size());
  const ndarray all = host_array(count * static_cast<std::size_t>(port.size()), from.dtype());
  all_gather(port, memory(from), memory(all), bytes_of(from));
  std::vector<ndarray> pieces;
  for (int i = 0; i < port.size(); ++i) {
    const auto begin = static_cast<std::int64_t>(count) * i;
    pieces.push_back(all(slice(begin, begin + from.size())));
  }
  return pieces;
}

bool is_small(const Port& port, const ndarray& a) {
  return bytes_of(a) * static_cast<std::size_t>(port.size()) <= kSmallBytes;
}

}  // namespace

void all_gather(const Port& port, const void* mine, void* all, std::size_t nbytes) {
  const auto size = static_cast<std::size_t>(port.size());
  if (nbytes * size <= kSmallBytes) {
    all_gather_in_doublings(port, mine, all, nbytes);
    return;
  }
  move(part(all, port.rank, nbytes), mine, nbytes);
  std::vector<std::size_t> begin;
  for (std::size_t i = 0; i <= size; ++i) begin.push_back(i * nbytes);
  all_gather_in_ring(port, all, begin);
}

void broadcast(const Port& port, void* data, std::size_t nbytes, int root) {
  const int size = port.size();
  const int place = (port.rank - root + size) % size;  // in a tree whose top is the root
  if (nbytes * 2 <= kSmallBytes || size == 2) {
    int step = 1;
    for (; step < size; step *= 2) {
      if (place < step || place >= 2 * step) continue;
      const Incoming receive{port.world_rank((place - step + root) % size), data, nbytes};
      port.transport.exchange(port.note, port.channel(), {}, {&receive, 1});
    }
    for (step = 1; step < size; step *= 2) {
      if (place >= step || place + step >= size) continue;
      const Outgoing send{port.world_rank((place + step + root) % size), data, nbytes};
      port.transport.exchange(port.note, port.channel(), {&send, 1}, {});
    }
    return;
  }
  // Each rank gets a part of its own, which then goes round.
  const std::vector<std::size_t> begin = cut(nbytes, size);
  auto* const bytes = static_cast<char*>(data);
  std::vector<Outgoing> sends;
  std::vector<Incoming> receives;
  for (int i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t length = begin[at + 1] - begin[at];
    if (port.rank == root && i != root) {
      sends.push_back({port.world_rank(i), bytes + begin[at], length});
    } else if (port.rank != root && i == port.rank) {
      receives.push_back({port.world_rank(root), bytes + begin[at], length});
    }
  }
  port.transport.exchange(port.note, port.channel(), sends, receives);
  all_gather_in_ring(port, data, begin);
}

void gather(const Port& port, const void* mine, void* all, std::size_t nbytes, int root) {
  if (port.rank != root) {
    const Outgoing send{port.world_rank(root), mine, nbytes};
    port.transport.exchange(port.note, port.channel(), {&send, 1}, {});
    return;
  }
  std::vector<Incoming> receives;
  for (int i = 0; i < port.size(); ++i) {
    if (i == root) {
      move(part(all, i, nbytes), mine, nbytes);
    } else {
      receives.push_back({port.world_rank(i), part(all, i, nbytes), nbytes});
    }
  }
  port.transport.exchange(port.note, port.channel(), {}, receives);
}

void scatter(const Port& port, const void* all, void* mine, std::size_t nbytes, int root) {
  if (port.rank != root) {
    const Incoming receive{port.world_rank(root), mine, nbytes};
    port.transport.exchange(port.note, port.channel(), {}, {&receive, 1});
    return;
  }
  std::vector<Outgoing> sends;
  for (int i = 0; i < port.size(); ++i) {
    if (i == root) {
      move(mine, part(all, i, nbytes), nbytes);
    } else {
      sends.push_back({port.world_rank(i), part(all, i, nbytes), nbytes});
    }
  }
  port.transport.exchange(port.note, port.channel(), sends, {});
}

void all_to_all(const Port& port, const void* from, void* to, std::size_t nbytes) {
  std::vector<Outgoing> sends;
  std::vector<Incoming> receives;
  for (int i = 0; i < port.size(); ++i) {
    if (i == port.rank) {
      move(part(to, i, nbytes), part(from, i, nbytes), nbytes);
    } else {
      sends.push_back({port.world_rank(i), part(from, i, nbytes), nbytes});
      receives.push_back({port.world_rank(i), part(to, i, nbytes), nbytes});
    }
  }
  port.transport.exchange(port.note, port.channel(), sends, receives);
}

void barrier(const Port& port) {
  char mine = 0;
  std::vector<char> all(static_cast<std::size_t>(port.size()));
  all_gather_in_doublings(port, &mine, all.data(), 1);
}

ndarray combine(std::span<const ndarray> pieces, Op op) {
  const dtype type = pieces[0].dtype(), wide = accumulator(type);
  const DeviceScope on_host(Device::cpu());
  const ndarray sum = pieces[0].astype(wide);
  for (const ndarray& piece : pieces.subspan(1)) {
    combine_into(sum, piece.astype(wide, /*copy=*/false), op);
  }
  if (op == Op::average) divide(sum, static_cast<double>(pieces.size()), {.out = sum});
  return sum.astype(type, /*copy=*/false);
}

void all_reduce(const Port& port, const ndarray& from, const ndarray& to, Op op) {
  if (is_small(port, from)) {
    const ndarray result = combine(everybodys(port, from), op);
    move(memory(to), memory(result), bytes_of(to));
    return;
  }
  std::vector<std::size_t> begin = cut(static_cast<std::size_t>(from.size()), port.size());
  const ndarray own = combine_own_part(port, from, begin, op);
  for (std::size_t& at : begin) at *= static_cast<std::size_t>(from.itemsize());
  move(static_cast<char*>(memory(to)) + begin[static_cast<std::size_t>(port.rank)], memory(own),
       bytes_of(own));
  all_gather_in_ring(port, memory(to), begin);
}

void reduce(const Port& port, const ndarray& from, const ndarray& to, Op op, int root) {
  const std::vector<std::size_t> begin = cut(static_cast<std::size_t>(from.size()), port.size());
  const ndarray own = combine_own_part(port, from, begin, op);
  if (port.rank != root) {
    const Outgoing send{port.world_rank(root), memory(own), bytes_of(own)};
    port.transport.exchange(port.note, port.channel(), {&send, 1}, {});
    return;
  }
  const auto itemsize = static_cast<std::size_t>(from.itemsize());
  auto* const result = static_cast<char*>(memory(to));
  std::vector<Incoming> receives;
  for (int i = 0; i < port.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    char* const place = result + begin[at] * itemsize;
    if (i == root) {
      move(place, memory(own), bytes_of(own));
    } else {
      receives.push_back({port.world_rank(i), place, (begin[at + 1] - begin[at]) * itemsize});
    }
  }
  port.transport.exchange(port.note, port.channel(), {}, receives);
}

void reduce_scatter(const Port& port, const ndarray& from, const ndarray& to, Op op) {
  const std::vector<std::size_t> begin = cut(static_cast<std::size_t>(from.size()), port.size());
  const ndarray own = combine_own_part(port, from, begin, op);
  move(memory(to), memory(own), bytes_of(to));
}

}  // namespace cupyxx::comm::internal::host
