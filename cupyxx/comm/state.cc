// SPDX-License-Identifier: MIT
#include "cupyxx/comm/state.h"

#include <cstdint>
#include <exception>
#include <map>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::comm::internal {
namespace {

constexpr int kFirstCalls = 64;

/// Where the elements of a message arrive; makes the array that the receiver has not given.
ndarray place_for(Letter& letter, const Header& header) {
  if (letter.array.is_none()) {
    const DeviceScope scope(receiving_device(header));
    letter.array = empty(header.shape(), header.element_type());
  }
  if (letter.array.flags().c_contiguous) return letter.array;
  const DeviceScope scope(letter.array.device());
  return empty(letter.array.shape(), letter.array.dtype());
}

/// Bytes for what was sent and is refused: it must not stay for the next message of its tag.
ndarray place_for_refused(const Header& sent) {
  const DeviceScope scope(receiving_device(sent));
  return empty({sent.nbytes}, dtype_of<std::uint8_t>());
}

}  // namespace

Device receiving_device(const Header& header) {
  return header.on_device ? Device::cuda(cuda::Device().id()) : Device::cpu();
}

CommunicatorState::CommunicatorState(std::shared_ptr<World> world, std::vector<int> members,
                                     int rank, std::uint32_t context)
    : world_(std::move(world)), members_(std::move(members)), rank_(rank), context_(context) {}

void CommunicatorState::close() {
  if (is_closed_) return;
  is_closed_ = true;
  if (nccl_ != nullptr) nccl_->close();
  nccl_.reset();
}

void CommunicatorState::enter(Call call) {
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id nobody;
  if (caller_.load() != self && !caller_.compare_exchange_strong(nobody, self)) {
    throw ValueError(message(name(call), ": rank ", rank_, " of ", size(),
                             ": another thread is calling this communicator; one thread at a time "
                             "does, and split() gives each its own"));
  }
  ++caller_depth_;
}

void CommunicatorState::leave() {
  if (--caller_depth_ == 0) caller_.store(std::thread::id());
}

CommunicatorState::Use::Use(CommunicatorState& state, Call call)
    : state_(state), call_(call), exceptions_(std::uncaught_exceptions()) {
  state.enter(call);
  try {
    if (state.is_closed_) {
      throw ValueError(message(name(call), ": rank ", state.rank_, " of ", state.size(),
                               ": the communicator is closed"));
    }
    if (!state.broken_off_) return;
    const CallNote note{call, state.rank_, state.size()};
    if (state.world_->transport() != nullptr) state.world_->transport()->failure().check(note);
    throw Error(message(note.str(), ": the communicator is of no use any more; an earlier ",
                        name(*state.broken_off_),
                        " broke off, and what other ranks have sent for it would be taken for this "
                        "one's"));
  } catch (...) {
    state.leave();
    throw;
  }
}

CommunicatorState::Use::~Use() {
  const bool is_between = std::exchange(state_.is_between_ranks_, false);
  if (is_between && std::uncaught_exceptions() > exceptions_ && !state_.broken_off_) {
    state_.broken_off_ = call_;
  }
  state_.leave();
}

void CommunicatorState::check_rank(Call call, const char* what, int rank) const {
  if (rank >= 0 && rank < size()) return;
  throw ValueError(message(name(call), ": rank ", rank_, " of ", size(), ": the ", what,
                           " is outside of the communicator; ", rank));
}

bool CommunicatorState::compares(bool on_device) {
  if (is_alone()) return false;
  if (!on_device) return true;
  if (checks_ == DeviceChecks::always) return true;
  return checks_ == DeviceChecks::first && device_calls_++ < kFirstCalls;
}

std::vector<Header> CommunicatorState::exchange(const CallNote& note, const Header& header) {
  std::vector<Header> all(members_.size());
  host::all_gather(port(note), &header, all.data(), sizeof header);
  return all;
}

bool CommunicatorState::uses_nccl() const {
  if (!is_alone()) return true;
  return extension::environment_choice("CUPYXX_COMM_NCCL", {"auto", "always"}) == 1u;
}

NcclChannel& CommunicatorState::nccl(const CallNote& note, cupyxx::Device device) {
  if (nccl_ == nullptr) {
    if (is_alone()) {
      nccl_ = std::make_unique<NcclChannel>(nullptr, note, device.index);
    } else {
      const host::Port port_of_call = port(note);
      nccl_ = std::make_unique<NcclChannel>(&port_of_call, note, device.index);
    }
  }
  if (nccl_->device() != device.index) {
    throw DeviceError(message(note.str(), ": the communicator is that of cuda:", nccl_->device(),
                              ", the array is on ", device.name()));
  }
  if (in_group() && !is_nccl_grouped_) {
    NcclChannel::group_start(note);
    is_nccl_grouped_ = true;
  }
  return *nccl_;
}

void CommunicatorState::begin_group(Call call) {
  enter(call);
  ++group_depth_;
}

void CommunicatorState::end_group(bool is_abandoned) {
  if (group_depth_ > 1) {
    --group_depth_;
    leave();
    return;
  }
  struct End {
    CommunicatorState& state;
    ~End() {
      state.group_depth_ = 0;
      state.letters_.clear();
      state.leave();
    }
  } const end{*this};
  std::exception_ptr wrong;
  try {
    if (!is_abandoned && !letters_.empty()) {
      const Use use(*this, Call::send);
      run(letters_);
    }
  } catch (...) {
    wrong = std::current_exception();
  }
  try {
    end_nccl_group({Call::send, rank_, size()});
  } catch (...) {
    if (!wrong) wrong = std::current_exception();
  }
  if (wrong && !is_abandoned) std::rethrow_exception(wrong);
}

void CommunicatorState::end_nccl_group(const CallNote& note) {
  if (std::exchange(is_nccl_grouped_, false)) NcclChannel::group_end(note);
}

void CommunicatorState::exchange_by_tags(std::span<const Letter> letters, std::uint32_t first_slot,
                                         const std::function<Parcel(std::size_t)>& parcel) const {
  // A tag is a channel, in which messages have an order.
  std::map<int, std::pair<std::vector<Outgoing>, std::vector<Incoming>>> by_tag;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Parcel what = parcel(i);
    if (what.data == nullptr) continue;
    const int peer = world_rank(letters[i].peer);
    auto& [sends, receives] = by_tag[letters[i].tag];
    if (letters[i].is_send) {
      sends.push_back({peer, what.data, what.nbytes});
    } else {
      receives.push_back({peer, what.data, what.nbytes});
    }
  }
  for (const auto& [tag, both] : by_tag) {
    const CallNote note{both.second.empty() ? Call::send : Call::recv, rank_, size()};
    const std::uint32_t slot = first_slot + static_cast<std::uint32_t>(tag);
    world_->transport()->exchange(note, {context_, slot}, both.first, both.second);
  }
}

void CommunicatorState::run(std::span<Letter> letters) {
  const std::size_t count = letters.size();
  std::vector<Header> own(count), theirs(count);
  for (std::size_t i = 0; i < count; ++i) {
    own[i].call = letters[i].is_send ? Call::send : Call::recv;
    own[i].set_array(letters[i].array);
  }
  // Nothing has been taken where the one message that a receive waits for does not come.
  is_between_ranks_ = count > 1 || letters[0].is_send;
  exchange_by_tags(letters, 0, [&](std::size_t i) {
    return Parcel{letters[i].is_send ? &own[i] : &theirs[i], sizeof(Header)};
  });
  is_between_ranks_ = true;
  // What moves are contiguous arrays. The others have been told that they do: so they do, whatever
  // is wrong with one of them, and the messages behind them are not taken for these.
  std::vector<ndarray> moved(count);
  std::vector<bool> is_refused(count);
  std::exception_ptr wrong;
  for (std::size_t i = 0; i < count; ++i) {
    Letter& letter = letters[i];
    if (letter.is_send) {
      moved[i] = ascontiguousarray(letter.array);
      continue;
    }
    try {
      check_message({Call::recv, rank_, size(), &own[i]}, theirs[i], letter.peer);
      moved[i] = place_for(letter, theirs[i]);
    } catch (const Error&) {
      if (!wrong) wrong = std::current_exception();
      is_refused[i] = true;
      moved[i] = place_for_refused(theirs[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (moved[i].device().is_cpu()) continue;
    const CallNote note{own[i].call, rank_, size(), &own[i]};
    NcclChannel& channel = nccl(note, moved[i].device());
    if (letters[i].is_send) {
      channel.send(note, moved[i], letters[i].peer);
    } else {
      channel.recv(note, moved[i], letters[i].peer);
    }
  }
  end_nccl_group({Call::send, rank_, size()});
  exchange_by_tags(letters, Channel::kDataSlots, [&](std::size_t i) {
    if (moved[i].device().is_cuda() || moved[i].nbytes() == 0) return Parcel{};
    if (!letters[i].is_send && !is_refused[i]) extension::note_write(letters[i].array);
    return Parcel{moved[i].elements(), static_cast<std::size_t>(moved[i].nbytes())};
  });
  for (std::size_t i = 0; i < count; ++i) {
    const ndarray& target = letters[i].array;
    if (letters[i].is_send || is_refused[i]) continue;
    if (moved[i].body() != target.body()) target.set(moved[i]);
  }
  is_between_ranks_ = false;
  if (wrong) std::rethrow_exception(wrong);
}

}  // namespace cupyxx::comm::internal
