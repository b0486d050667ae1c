// SPDX-License-Identifier: MIT
// What --parallel=yes adds to a program: the processes that mpirun has started with it.
#pragma once

#include <cstdint>

#include "chainerxx/parallel/communicator.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"

namespace examples {

struct OtherProcesses {
  cupyxx::comm::Communicator comm = chainerxx::create_communicator();

  /// A device for each process of a machine.
  cupyxx::Device own(cupyxx::Device device, int devices) const {
    return device.is_cuda() ? cupyxx::Device::cuda(comm.intra_rank() % devices) : device;
  }
  /// This process's part of a batch; all of it where there are fewer samples than processes.
  cupyxx::ndarray share(const cupyxx::ndarray& batch) const {
    const std::int64_t count = batch.size(), rank = comm.rank(), size = comm.size();
    if (count < size) return batch;
    return batch(cupyxx::slice(count * rank / size, count * (rank + 1) / size));
  }
  /// Whether one of them is asked to stop: all stop at the same step.
  bool any(bool requested) const {
    const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
    return comm.all_reduce(cupyxx::full({1}, requested)).item<bool>();
  }
};

}  // namespace examples
