// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "cupyxx/comm.h"
#include "cupyxx/comm/state.h"

namespace cupyxx::comm {

using internal::Call;
using internal::CallNote;
using internal::CommunicatorState;
using internal::Header;
namespace host = internal::host;

Communicator::Communicator(std::shared_ptr<CommunicatorState> state) : state_(std::move(state)) {}

Communicator Communicator::world() { return internal::World::current()->communicator(); }

int Communicator::rank() const { return state_->rank(); }
int Communicator::size() const { return state_->size(); }

int Communicator::intra_rank() const {
  int before = 0;
  for (int i = 0; i < rank(); ++i) before += state_->machine_of(i) == state_->machine_of(rank());
  return before;
}

int Communicator::intra_size() const {
  int count = 0;
  for (int i = 0; i < size(); ++i) count += state_->machine_of(i) == state_->machine_of(rank());
  return count;
}

namespace {

/// The machines of a communicator, in the order in which its ranks meet them.
std::vector<int> machines(const CommunicatorState& state) {
  std::vector<int> found;
  for (int i = 0; i < state.size(); ++i) {
    const int machine = state.machine_of(i);
    if (std::find(found.begin(), found.end(), machine) == found.end()) found.push_back(machine);
  }
  return found;
}

}  // namespace

int Communicator::inter_rank() const {
  const std::vector<int> all = machines(*state_);
  const auto at = std::find(all.begin(), all.end(), state_->machine_of(rank()));
  return static_cast<int>(at - all.begin());
}

int Communicator::inter_size() const { return static_cast<int>(machines(*state_).size()); }

Communicator Communicator::split(int color, int key) const {
  struct Choice {
    int color, key;
    std::uint32_t next_context;
  };
  const Choice mine{color, key, state_->world().next_context()};
  std::vector<Choice> all(static_cast<std::size_t>(size()), mine);
  Header header{Call::split};
  const CallNote note{Call::split, rank(), size()};
  const CommunicatorState::Use use(*state_, Call::split);
  state_->agree(note, header, state_->compares(false), [&] {
    if (color < 0) throw ValueError(message(note.str(), ": the color is negative; ", color));
  });
  if (!state_->is_alone()) {
    host::all_gather(state_->port(note), &mine, all.data(), sizeof mine);
  }
  std::uint32_t context = 0;  // a number that none of these ranks has used
  std::vector<int> chosen;    // ranks here
  for (int i = 0; i < size(); ++i) {
    const Choice& choice = all[static_cast<std::size_t>(i)];
    context = std::max(context, choice.next_context);
    if (choice.color == color) chosen.push_back(i);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) {
    return all[static_cast<std::size_t>(a)].key < all[static_cast<std::size_t>(b)].key;
  });
  state_->world().note_context(context);
  std::vector<int> members;
  int rank_there = 0;
  for (const int i : chosen) {
    if (i == rank()) rank_there = static_cast<int>(members.size());
    members.push_back(state_->world_rank(i));
  }
  return Communicator(std::make_shared<CommunicatorState>(state_->shared_world(),
                                                          std::move(members), rank_there, context));
}

void Communicator::close() const { state_->close(); }
bool Communicator::is_closed() const { return state_->is_closed(); }
void Communicator::set_device_checks(DeviceChecks checks) const {
  state_->set_device_checks(checks);
}

void Communicator::barrier() const {
  const CommunicatorState::Use use(*state_, Call::barrier);
  Header header{Call::barrier};
  const CallNote note{Call::barrier, rank(), size()};
  state_->agree(note, header, state_->compares(false), [] {});
}

void Communicator::fail(std::string_view why) const {
  if (internal::Transport* const transport = state_->world().transport()) {
    transport->fail(std::string(why));
  }
}

std::string Communicator::broadcast_bytes(std::string_view bytes, int root) const {
  const CommunicatorState::Use use(*state_, Call::broadcast_bytes);
  Header header{.call = Call::broadcast_bytes, .root = root};
  header.dims[0] = rank() == root ? static_cast<std::int64_t>(bytes.size()) : 0;
  const CallNote note{Call::broadcast_bytes, rank(), size()};
  const std::vector<Header> all = state_->agree(note, header, state_->compares(false), [&] {
    state_->check_rank(Call::broadcast_bytes, "root", root);
  });
  std::string result(rank() == root ? bytes : std::string_view());
  if (state_->is_alone()) return result;
  result.resize(static_cast<std::size_t>(all[static_cast<std::size_t>(root)].dims[0]));
  host::broadcast(state_->port(note), result.data(), result.size(), root);
  return result;
}

std::vector<std::string> Communicator::all_gather_bytes(std::string_view bytes) const {
  const CommunicatorState::Use use(*state_, Call::all_gather_bytes);
  Header header{Call::all_gather_bytes};
  header.dims[0] = static_cast<std::int64_t>(bytes.size());
  const CallNote note{Call::all_gather_bytes, rank(), size()};
  const std::vector<Header> all = state_->agree(note, header, state_->compares(false), [] {});
  if (state_->is_alone()) return {std::string(bytes)};
  std::size_t longest = 0;
  for (const Header& h : all) longest = std::max(longest, static_cast<std::size_t>(h.dims[0]));
  std::string mine(bytes), everything(longest * all.size(), '\0');
  mine.resize(longest);
  host::all_gather(state_->port(note), mine.data(), everything.data(), longest);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    result.push_back(everything.substr(i * longest, static_cast<std::size_t>(all[i].dims[0])));
  }
  return result;
}

Group::Group(const Communicator& communicator)
    : state_(communicator.state_), exceptions_(std::uncaught_exceptions()) {
  state_->begin_group(Call::send);
}

Group::~Group() noexcept(false) { state_->end_group(std::uncaught_exceptions() > exceptions_); }

}  // namespace cupyxx::comm
