// SPDX-License-Identifier: MIT
#include "examples/program/ranks.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <ostream>

#include "chainerxx/parallel/communicator.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/message.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

using cupyxx::Device;
using cupyxx::message;
using cupyxx::comm::Communicator;

/// One number from each rank, combined.
double combined(const Communicator& comm, double own, cupyxx::comm::Op op) {
  const cupyxx::DeviceScope on_host(Device::cpu());
  return comm.all_reduce(cupyxx::full({1}, own), {.op = op}).item<double>();
}

/// A GPU for each process of a machine.
Device own_device(const std::string& name, const Communicator& comm) {
  const int gpus = cupyxx::cuda::device_count(), processes = comm.intra_size();
  const Device named = choose_device(name, gpus);
  if (named.is_cpu()) return named;
  if (name != "auto" && name != "cuda" && processes > 1) {
    throw UsageError(message("--device=", name, ": with --parallel=yes each of the ", processes,
                             " processes of a machine has a GPU of its own; see --device=cuda"));
  }
  if (processes > gpus) {
    throw UsageError(message("--parallel=yes: ", processes, " processes on a machine with ", gpus,
                             " CUDA devices; see --device=cpu"));
  }
  return processes > 1 ? Device::cuda(comm.intra_rank()) : named;
}

/// The devices of threads, no GPU twice.
std::vector<Device> thread_devices(const RankFlags& flags) {
  const int gpus = cupyxx::cuda::device_count();
  std::vector<Device> devices = flags.devices;
  if (flags.device != "auto") {
    throw UsageError(message("--device=", flags.device,
                             ": --parallel=threads computes on all GPUs, or on --devices"));
  }
  if (devices.empty()) {
    for (int i = 0; i < gpus; ++i) devices.push_back(Device::cuda(i));
  }
  if (devices.empty()) {
    throw UsageError(
        "--parallel=threads: this machine has no CUDA device; --devices=cpu,cpu runs anywhere");
  }
  check_devices(devices, gpus);
  for (auto device = devices.begin(); device != devices.end(); ++device) {
    if (device->is_cpu() == devices[0].is_cpu() &&
        (device->is_cpu() || std::find(devices.begin(), device, *device) == device)) {
      continue;
    }
    throw UsageError(message("--devices: each thread has a GPU of its own, or all have the host; ",
                             device->name()));
  }
  return devices;
}

int run_threads(const RankFlags& flags, const std::function<int(const Ranks&)>& train) {
  int code = 0;
  cupyxx::comm::run_threads(thread_devices(flags), [&](const Communicator& comm) {
    const int own = train(Ranks(cupyxx::current_device(), comm));
    if (comm.rank() == 0) code = own;
  });
  return code;
}

int run_process(const RankFlags& flags, const Communicator& world,
                const std::function<int(const Ranks&)>& train) {
  try {
    return train(Ranks(own_device(flags.device, world), world));
  } catch (const std::exception& error) {
    if (world.size() > 1) world.fail(error.what());
    throw;
  }
}

}  // namespace

std::vector<Flag> rank_flags(RankFlags& target) {
  return {device_flag(target.device),
          {"parallel", &target.parallel, "no|yes|threads", "with others: processes, or threads"},
          {"devices", &target.devices, "A,B", "those of threads; by default all GPUs"}};
}

std::string Ranks::others() const {
  return size() == 1 ? "" : message(" with ", size() - 1, size() == 2 ? " other" : " others");
}

std::ostream& Ranks::out() const {
  static std::ostream nowhere(nullptr);
  return is_first() ? std::cout : nowhere;
}

void Ranks::check_batch(const char* flag, std::int64_t batch) const {
  if (batch % size() == 0) return;
  throw UsageError(
      message("--", flag, "=", batch, ": not a multiple of the ", size(), " that train together"));
}

cupyxx::slice Ranks::part(std::int64_t count) const {
  return {count * rank() / size(), count * (rank() + 1) / size()};
}

double Ranks::mean(double own) const {
  return communicator_ ? combined(*communicator_, own, cupyxx::comm::Op::average) : own;
}

bool Ranks::any(bool requested) const {
  if (!communicator_) return requested;
  return combined(*communicator_, requested ? 1 : 0, cupyxx::comm::Op::max) != 0;
}

void Ranks::barrier() const {
  if (communicator_) communicator_->barrier();
}

std::unique_lock<std::mutex> Ranks::turn() {
  static std::mutex one;
  return std::unique_lock(one);
}

int run_ranks(const RankFlags& flags, const std::function<int(const Ranks&)>& train) {
  if (flags.parallel != "threads" && !flags.devices.empty()) {
    throw UsageError(message("--devices: goes with --parallel=threads, not --parallel=",
                             std::string_view(flags.parallel)));
  }
  const Communicator world = chainerxx::create_communicator();
  if (flags.parallel == "yes") return run_process(flags, world, train);
  if (world.size() > 1) {
    throw UsageError(message("--parallel=", flags.parallel, ": ", world.size(),
                             " processes were started; see --parallel=yes"));
  }
  if (flags.parallel == "threads") return run_threads(flags, train);
  return train(Ranks(choose_device(flags.device, cupyxx::cuda::device_count())));
}

}  // namespace examples
