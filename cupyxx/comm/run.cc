// SPDX-License-Identifier: MIT
#include <exception>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/comm/thread_transport.h"
#include "cupyxx/comm/world.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace cupyxx::comm {
namespace {

using internal::ThreadTransport;
using internal::World;

/// What the threads of one run leave behind.
struct Outcome {
  std::mutex mutex;
  std::exception_ptr first;  // that was thrown
};

void run_rank(const std::shared_ptr<ThreadTransport>& transport, std::optional<Device> device,
              const std::function<void(const Communicator&)>& f, Outcome& outcome) {
  try {
    std::optional<DeviceScope> scope;
    if (device) scope.emplace(*device);
    const auto world = std::make_shared<World>(transport);
    World::set_of_thread(world);
    const Communicator communicator = world->communicator();
    f(communicator);
    communicator.close();
  } catch (...) {
    const std::exception_ptr thrown = std::current_exception();
    {
      const std::lock_guard lock(outcome.mutex);
      if (!outcome.first) outcome.first = thrown;
    }
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      transport->fail(error.what());
    } catch (...) {
      transport->fail("an exception of an unknown type");
    }
  }
  transport->leave();
  World::set_of_thread(nullptr);
}

/// When the system has no more threads, those that run are told so.
void start_ranks(const std::vector<std::shared_ptr<ThreadTransport>>& transports,
                 std::span<const Device> devices, const std::function<void(const Communicator&)>& f,
                 Outcome& outcome, std::vector<std::thread>& threads) {
  try {
    threads.reserve(transports.size());
    for (std::size_t i = 0; i < transports.size(); ++i) {
      const std::optional<Device> device =
          devices.empty() ? std::optional<Device>() : std::optional<Device>(devices[i]);
      threads.emplace_back([&, i, device] { run_rank(transports[i], device, f, outcome); });
    }
  } catch (const std::exception& error) {
    const std::size_t started = threads.size();
    const std::string why = message("run_threads: only ", started, " of ", transports.size(),
                                    " threads could be started; ", std::string_view(error.what()));
    const std::lock_guard lock(outcome.mutex);
    outcome.first = std::make_exception_ptr(Error(why));
    for (std::size_t i = started; i < transports.size(); ++i) {
      if (i == started) transports[i]->fail(why);
      transports[i]->leave();
    }
  }
}

void run_ranks(int count, std::span<const Device> devices,
               const std::function<void(const Communicator&)>& f) {
  const auto transports = ThreadTransport::make(count, World::timeout());
  Outcome outcome;
  std::vector<std::thread> threads;
  start_ranks(transports, devices, f, outcome, threads);
  for (std::thread& thread : threads) thread.join();
  if (outcome.first) std::rethrow_exception(outcome.first);
}

}  // namespace

void run_threads(int count, const std::function<void(const Communicator&)>& f) {
  constexpr int kMost = 65536;
  if (count < 1) {
    throw ValueError(message("run_threads: the number of threads is below 1; ", count));
  }
  if (count > kMost) {
    throw ValueError(message("run_threads: at most ", kMost, " threads; ", count));
  }
  run_ranks(count, {}, f);
}

void run_threads(std::span<const Device> devices,
                 const std::function<void(const Communicator&)>& f) {
  if (devices.empty()) throw ValueError("run_threads: there are no devices");
  run_ranks(static_cast<int>(devices.size()), devices, f);
}

int run(const std::function<void(const Communicator&)>& f) {
  std::optional<Communicator> world;
  try {
    world.emplace(Communicator::world());
    f(*world);
    return 0;
  } catch (const std::exception& error) {
    if (world && world->size() > 1) {
      std::cerr << "rank " << world->rank() << " of " << world->size() << ": ";
      world->fail(error.what());
    }
    std::cerr << error.what() << std::endl;
    return 1;
  }
}

}  // namespace cupyxx::comm
