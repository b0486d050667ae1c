// SPDX-License-Identifier: MIT
// Ranks that are processes started by mpirun. MPI moves bytes and watches the processes; in which
// order what is added to what is ours to say.
#pragma once

#include <string>
#include <vector>

#include "cupyxx/comm/mpi_library.h"
#include "cupyxx/comm/transport.h"

namespace cupyxx::comm::internal {

class MpiTransport final : public Transport {
 public:
  /// Starts MPI unless the program has. Throws Error.
  static MpiTransport* start(double timeout);

  void exchange(const CallNote& note, Channel channel, std::span<const Outgoing> sends,
                std::span<const Incoming> receives) override;
  void fail(const std::string& why) noexcept override;
  /// Ends MPI if we have started it; where a rank has failed, ends all processes.
  void leave() noexcept override;
  /// Ends all processes.
  void abort() noexcept;

 private:
  struct Pending {
    MpiRequest request;
    int peer;
    bool is_receive;
    std::size_t nbytes = 0;
  };

  MpiTransport(MpiLibrary& mpi, int rank, int size, double timeout, bool is_ours);
  void check(const CallNote& note, const char* function, int code) const;
  int tag_of(const CallNote& note, Channel channel) const;
  void post(const CallNote& note, int tag, const Outgoing& send, std::vector<Pending>& pending);
  void post(const CallNote& note, int tag, const Incoming& receive, std::vector<Pending>& pending);
  /// Tests those that are pending, and forgets those that are done. Throws Error for a message of
  /// another length than that which is waited for.
  void progress(const CallNote& note, std::vector<Pending>& pending);
  /// Ends those that are pending. Gives whether all has arrived and gone after all; sets
  /// `is_in_use` where the library may still read or write the memory of one.
  bool give_up(std::vector<Pending>& pending, bool& is_in_use) noexcept;
  /// `is_late` tells of the time-out.
  void wait(const CallNote& note, std::vector<Pending>& pending, bool& is_late);
  /// Reads what other ranks have said of their end.
  void look_for_news();
  void wait_for_all_to_end() noexcept;
  void tell_all(std::uint32_t slot, const std::string& text) noexcept;

  MpiLibrary& mpi_;
  bool is_ours_;
  int largest_tag_;
  std::vector<bool> ended_;
};

}  // namespace cupyxx::comm::internal
