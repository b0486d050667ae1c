// SPDX-License-Identifier: MIT
#include "cupyxx/comm/world.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "cupyxx/comm/host.h"
#include "cupyxx/comm/machine.h"
#include "cupyxx/comm/mpi_transport.h"
#include "cupyxx/comm/state.h"
#include "cupyxx/comm/tcp_transport.h"
#include "cupyxx/error.h"

namespace cupyxx::comm::internal {
namespace {

thread_local std::shared_ptr<World> t_world;

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

int number_of(const char* name, int least, int most) {
  const char* const text = variable(name);
  if (text == nullptr) {
    throw ValueError(message("Communicator: ", name, " is missing beside CUPYXX_COMM_ADDRESS"));
  }
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error == std::errc() && stop == end && number >= least && number <= most) return number;
  throw ValueError(message("Communicator: ", name, " is not a number between ", least, " and ",
                           most, "; \"", text, "\""));
}

std::unique_ptr<Transport> start_by_address(const char* address) {
  constexpr int kMost = 65536;
  TcpPlace place;
  place.address = TcpAddress::parse("CUPYXX_COMM_ADDRESS", address);
  place.size = number_of("CUPYXX_COMM_SIZE", 1, kMost);
  place.rank = number_of("CUPYXX_COMM_RANK", 0, place.size - 1);
  place.timeout = World::timeout();
  if (place.size == 1) return nullptr;
  return std::make_unique<TcpTransport>(place);
}

std::unique_ptr<Transport> start_transport() {
  if (const char* address = variable("CUPYXX_COMM_ADDRESS")) return start_by_address(address);
  const char* const size = variable("OMPI_COMM_WORLD_SIZE");
  if (size == nullptr || std::strcmp(size, "1") == 0) return nullptr;
  return std::unique_ptr<Transport>(MpiTransport::start(World::timeout()));
}

/// The process's world, for ever: threads may use it while the process ends.
struct OfProcess {
  std::mutex mutex;
  std::shared_ptr<World> world;
};

OfProcess& of_process() {
  static OfProcess& one = *new OfProcess;
  return one;
}

/// A program that ends with an error has failed its world.
void end_with_process(int status, void*) {
  Transport* const transport = of_process().world->transport();
  if (status != 0) transport->fail(message("the program ended with status ", status));
  transport->leave();
}

}  // namespace

World::World(std::shared_ptr<Transport> transport) : transport_(std::move(transport)) {
  machines_.resize(static_cast<std::size_t>(size()));
  if (transport_ == nullptr) return;
  using Name = std::array<char, 320>;
  Name mine{};
  const std::string name = machine_name();
  name.copy(mine.data(), mine.size() - 1);
  std::vector<Name> names(machines_.size());
  std::vector<int> members;
  members.reserve(static_cast<std::size_t>(size()));
  for (int i = 0; i < size(); ++i) members.push_back(i);
  const CallNote note{Call::start, rank(), size()};
  host::all_gather({*transport_, members, rank(), 1, note}, mine.data(), names.data(), mine.size());
  int count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto same =
        std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) -
        names.begin();
    machines_[i] =
        static_cast<std::size_t>(same) == i ? count++ : machines_[static_cast<std::size_t>(same)];
  }
}

std::shared_ptr<World> World::current() {
  if (t_world != nullptr) return t_world;
  OfProcess& process = of_process();
  const std::lock_guard lock(process.mutex);
  if (process.world == nullptr) {
    process.world = std::make_shared<World>(start_transport());
    if (process.world->transport() != nullptr) ::on_exit(end_with_process, nullptr);
  }
  return process.world;
}

void World::set_of_thread(std::shared_ptr<World> world) { t_world = std::move(world); }

double World::timeout() {
  constexpr double kUsual = 600, kMost = 1e9;
  const char* const text = variable("CUPYXX_COMM_TIMEOUT");
  if (text == nullptr) return kUsual;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end == '\0' && seconds > 0 && seconds <= kMost) return seconds;
  throw ValueError(
      message("Communicator: CUPYXX_COMM_TIMEOUT is not a number of seconds; \"", text, "\""));
}

Communicator World::communicator() {
  std::shared_ptr<CommunicatorState> state = communicator_.lock();
  if (state == nullptr || state->is_closed()) {
    std::vector<int> members;
    members.reserve(static_cast<std::size_t>(size()));
    for (int i = 0; i < size(); ++i) members.push_back(i);
    state = std::make_shared<CommunicatorState>(current(), std::move(members), rank(), 1);
    communicator_ = state;
  }
  return Communicator(std::move(state));
}

}  // namespace cupyxx::comm::internal
