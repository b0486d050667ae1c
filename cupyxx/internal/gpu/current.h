// SPDX-License-Identifier: MIT
// What is current in a thread: the device on which it makes arrays, and the CUDA device that it has
// chosen. One state: Device::use(), DeviceScope and what stands for them in chainerxx change both.
//
// CUDA has a current device of its own, which anybody may change (cudaSetDevice). Ours does not
// follow it once the program has chosen a device through us, and the two do not disturb each other:
// each of our calls of CUDA goes to the device of its arrays (OnDevice in runtime.h) and leaves
// CUDA's device as it found it.
#pragma once

#include "cupyxx/device.h"

namespace cupyxx::internal::gpu {

/// A thread's own.
struct Current {
  Device arrays;  // where new arrays are made
  int cuda = -1;  // the CUDA device chosen last; -1: none, so that CUDA's own counts
  int own = 0;    // what CUDA's own was at the first choice
};

extern constinit thread_local Current t_current;

/// The device; throws ValueError, which begins with `operation`, where a number that is none was
/// made its kind.
Device known(Device device, const char* operation);

/// Makes a device current. CUDA's device follows; it stays what it was for the host, and nothing of
/// CUDA is called. Throws DeviceError, naming the operation, when there is no such device.
void make_current(const char* operation, Device device);
/// Goes back to what t_current was.
void restore_current(Device arrays, int cuda) noexcept;

/// Makes a CUDA device current until the end of the scope for what follows it (streams, events,
/// memory); arrays are made there, too, unless they are made on the host.
class ChosenDevice {
 public:
  ChosenDevice(const char* operation, int device) : saved_(t_current) {
    make_current(operation, Device::cuda(device));
    if (saved_.arrays.is_cpu()) t_current.arrays = Device::cpu();
  }
  ~ChosenDevice() { restore_current(saved_.arrays, saved_.cuda); }
  ChosenDevice(const ChosenDevice&) = delete;
  ChosenDevice& operator=(const ChosenDevice&) = delete;

 private:
  Current saved_;
};

}  // namespace cupyxx::internal::gpu
