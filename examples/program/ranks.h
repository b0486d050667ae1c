// SPDX-License-Identifier: MIT
// What --parallel adds to a program: those that train together with it, as processes or as threads.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"
#include "examples/program/flags.h"

namespace examples {

/// What the flags say of where a program trains.
struct RankFlags {
  std::string device = "auto";
  std::string parallel = "no";
  std::vector<cupyxx::Device> devices = {};  ///< empty: all GPUs
};

/// The flags --device, --parallel and --devices.
std::vector<Flag> rank_flags(RankFlags& target);

/// Those that train together, as one of them sees it; a program by itself is the only one.
class Ranks {
 public:
  explicit Ranks(cupyxx::Device device) : device_(device) {}
  Ranks(cupyxx::Device device, cupyxx::comm::Communicator communicator)
      : device_(device), communicator_(std::move(communicator)) {}

  int rank() const { return communicator_ ? communicator_->rank() : 0; }
  int size() const { return communicator_ ? communicator_->size() : 1; }
  /// Whether this is the one that prints and writes files.
  bool is_first() const { return rank() == 0; }
  cupyxx::Device device() const { return device_; }
  /// None without --parallel.
  const std::optional<cupyxx::comm::Communicator>& communicator() const { return communicator_; }

  /// What a line that names the device says of the others: " with 3 others", or nothing.
  std::string others() const;
  /// std::cout for the first, elsewhere what leads nowhere.
  std::ostream& out() const;
  /// Throws UsageError where ranks cannot have parts of one size of a batch; `flag` is its name.
  void check_batch(const char* flag, std::int64_t batch) const;
  /// This one's part of so many things.
  cupyxx::slice part(std::int64_t count) const;
  /// The mean of the ranks' numbers.
  double mean(double own) const;
  /// Whether one of them is asked to stop: all stop at the same step.
  bool any(bool requested) const;
  void barrier() const;
  /// Held while random numbers of the host are drawn that must be the same in each run: the threads
  /// of a process share them.
  static std::unique_lock<std::mutex> turn();

 private:
  cupyxx::Device device_;
  std::optional<cupyxx::comm::Communicator> communicator_;
};

/// Calls `train` in this process, or in a thread for each device, and returns what the first rank
/// returned. What one throws ends the others. Throws UsageError for flags that contradict each
/// other, or the way the program was started.
int run_ranks(const RankFlags& flags, const std::function<int(const Ranks&)>& train);

}  // namespace examples
