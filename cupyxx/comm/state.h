// SPDX-License-Identifier: MIT
// What the handles of one communicator share, and what its calls have in common.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cupyxx/comm/host.h"
#include "cupyxx/comm/nccl_channel.h"
#include "cupyxx/comm/world.h"
#include "cupyxx/error.h"

namespace cupyxx::comm::internal {

/// A send or a receive that waits for the others of its group.
struct Letter {
  bool is_send;
  int peer;  // of the communicator
  int tag;
  ndarray array;  // None: a receive makes it
};

/// Where an array is made that another rank sends: on the host, or on the current CUDA device.
Device receiving_device(const Header& header);

class CommunicatorState {
 public:
  CommunicatorState(std::shared_ptr<World> world, std::vector<int> members, int rank,
                    std::uint32_t context);

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(members_.size()); }
  bool is_alone() const { return members_.size() == 1; }
  World& world() const { return *world_; }
  const std::shared_ptr<World>& shared_world() const { return world_; }
  std::span<const int> members() const { return members_; }
  int world_rank(int member) const { return members_[static_cast<std::size_t>(member)]; }
  int machine_of(int member) const { return world_->machine_of(world_rank(member)); }

  bool is_closed() const { return is_closed_; }
  void close();
  void set_device_checks(DeviceChecks checks) { checks_ = checks; }
  /// Throws ValueError for a communicator that is closed.
  void check_open(Call call) const;
  /// Throws ValueError for a rank that is outside.
  void check_rank(Call call, const char* what, int rank) const;

  /// The way to the others; there are others.
  host::Port port(const CallNote& note) const {
    return {*world_->transport(), members_, rank_, context_, note};
  }

  /// Whether a call compares headers. All ranks come to the same answer.
  bool compares(bool on_device);
  /// Runs a rank's own checks, and tells the others what it is going to do, or that it will not: so
  /// that a wrong argument on one rank is an error on all. Gives the headers of all ranks; empty
  /// where they are not compared.
  template <class Checks>
  std::vector<Header> agree(const CallNote& note, Header& header, bool compare, Checks&& checks) {
    std::exception_ptr refused;
    try {
      checks();
    } catch (const Error& error) {
      header.refuse(error.what());
      refused = std::current_exception();
    }
    std::vector<Header> all = compare ? exchange(note, header) : std::vector<Header>();
    if (refused) std::rethrow_exception(refused);
    if (compare) check_headers(note, all);
    return all;
  }

  /// NCCL for a device, opened by the first call. Throws DeviceError for another device than that
  /// of earlier calls.
  NcclChannel& nccl(const CallNote& note, cupyxx::Device device);
  /// Whether NCCL has a part at all: alone it has not, unless CUPYXX_COMM_NCCL=always.
  bool uses_nccl() const;

  void begin_group();
  /// Sends and receives what has waited; `is_abandoned` forgets it.
  void end_group(bool is_abandoned);
  bool in_group() const { return group_depth_ > 0; }
  void add_letter(Letter letter) { letters_.push_back(std::move(letter)); }
  /// Sends and receives; fills in the arrays that are None.
  void run(std::span<Letter> letters);

 private:
  std::vector<Header> exchange(const CallNote& note, const Header& header) const;
  struct Parcel {
    void* data = nullptr;  // null: nothing to send
    std::size_t nbytes = 0;
  };
  void exchange_by_tags(std::span<const Letter> letters, std::uint32_t first_slot,
                        const std::function<Parcel(std::size_t)>& parcel) const;
  void end_nccl_group(const CallNote& note);

  std::shared_ptr<World> world_;
  std::vector<int> members_;
  int rank_;
  std::uint32_t context_;
  bool is_closed_ = false;
  DeviceChecks checks_ = DeviceChecks::first;
  int device_calls_ = 0;
  std::unique_ptr<NcclChannel> nccl_;
  int group_depth_ = 0;
  bool is_nccl_grouped_ = false;
  std::vector<Letter> letters_;
};

}  // namespace cupyxx::comm::internal
