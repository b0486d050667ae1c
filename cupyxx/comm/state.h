// SPDX-License-Identifier: MIT
// What the handles of one communicator share, and what its calls have in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
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
  /// One call, from its first check to its end. Throws ValueError for a communicator that is closed
  /// or that another thread is calling, Error for one whose earlier call broke off after it had
  /// begun to communicate: what others have sent for that call would be taken for this one's.
  class Use {
   public:
    Use(CommunicatorState& state, Call call);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    CommunicatorState& state_;
    Call call_;
    int exceptions_;
  };
  /// Throws ValueError for a rank that is outside.
  void check_rank(Call call, const char* what, int rank) const;

  /// The way to the others; there are others.
  host::Port port(const CallNote& note) {
    is_between_ranks_ = true;
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
    is_between_ranks_ = compare;
    std::vector<Header> all = compare ? exchange(note, header) : std::vector<Header>();
    is_between_ranks_ = false;  // all come to the same conclusion
    if (refused) std::rethrow_exception(refused);
    if (compare) check_headers(note, all);
    return all;
  }

  /// NCCL for a device, opened by the first call. Throws DeviceError for another device than that
  /// of earlier calls.
  NcclChannel& nccl(const CallNote& note, cupyxx::Device device);
  /// Whether NCCL has a part at all: alone it has not, unless CUPYXX_COMM_NCCL=always.
  bool uses_nccl() const;

  void begin_group(Call call);
  /// Sends and receives what has waited; `is_abandoned` forgets it.
  void end_group(bool is_abandoned);
  bool in_group() const { return group_depth_ > 0; }
  void add_letter(Letter letter) { letters_.push_back(std::move(letter)); }
  /// Sends and receives; fills in the arrays that are None.
  void run(std::span<Letter> letters);

 private:
  void enter(Call call);
  void leave();
  std::vector<Header> exchange(const CallNote& note, const Header& header);
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
  std::atomic<std::thread::id> caller_{};
  int caller_depth_ = 0;
  bool is_between_ranks_ = false;   // what a call does now others do with it
  std::optional<Call> broken_off_;  // there
  DeviceChecks checks_ = DeviceChecks::first;
  int device_calls_ = 0;
  std::unique_ptr<NcclChannel> nccl_;
  int group_depth_ = 0;
  bool is_nccl_grouped_ = false;
  std::vector<Letter> letters_;
};

}  // namespace cupyxx::comm::internal
