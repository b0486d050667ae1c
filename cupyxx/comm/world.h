// SPDX-License-Identifier: MIT
// All ranks that were started together, as this rank sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cupyxx/comm/transport.h"

namespace cupyxx::comm::internal {

class World {
 public:
  /// Null is a world of one. Finds out which ranks share a machine; all ranks do.
  explicit World(std::shared_ptr<Transport> transport);

  /// That of this thread where it has one, else that of the process, which is started by the first
  /// call. Throws as Communicator::world.
  static std::shared_ptr<World> current();
  /// Makes a world that of this thread; null again for none.
  static void set_of_thread(std::shared_ptr<World> world);
  /// What the environment says of the time-out, in seconds. Throws ValueError.
  static double timeout();

  /// A communicator of all ranks; the same each time.
  Communicator communicator();

  Transport* transport() const { return transport_.get(); }
  int rank() const { return transport_ != nullptr ? transport_->rank() : 0; }
  int size() const { return transport_ != nullptr ? transport_->size() : 1; }
  /// The number of the machine of a rank, in the order of the ranks.
  int machine_of(int rank) const { return machines_[static_cast<std::size_t>(rank)]; }
  /// The number that the next communicator may have on this rank.
  std::uint32_t next_context() const { return next_context_; }
  void note_context(std::uint32_t used) { next_context_ = used + 1; }

 private:
  std::shared_ptr<Transport> transport_;
  std::vector<int> machines_;
  std::uint32_t next_context_ = 2;  // 1 is that of the world
  std::weak_ptr<CommunicatorState> communicator_;
};

}  // namespace cupyxx::comm::internal
