// SPDX-License-Identifier: MIT
// The arguments of a raw kernel's call against its parameters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/internal/jit/module.h"
#include "cupyxx/kernel.h"
#include "cupyxx/kernel/raw_kernel/signature.h"

namespace cupyxx::internal::raw_kernel {

/// What is known of a kernel's parameters.
struct Parameters {
  std::optional<std::vector<Parameter>> types;             // by the source or the mangled name
  std::optional<std::vector<jit::ParameterPlace>> places;  // by the driver
};

/// Arguments as a launch takes them: the address of each value.
class Packed {
 public:
  /// Checks and converts; `kernel` is for messages, `device` is where it will run. Without
  /// `any_layout` arrays must be C-contiguous.
  Packed(const std::string& kernel, const Parameters& parameters,
         std::span<const KernelArgument> arguments, Device device, bool any_layout = false);
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  void** data() { return addresses_.data(); }

 private:
  struct Value {
    alignas(16) unsigned char bytes[16];
  };
  std::vector<Value> values_;
  std::vector<void*> addresses_;
};

/// The device of the arrays among arguments, else the current CUDA device. Throws TypeError for an
/// array on the host and DeviceError for two devices, naming the parameter.
Device device_of(const std::string& kernel, const std::optional<std::vector<Parameter>>& types,
                 std::span<const KernelArgument> arguments);

}  // namespace cupyxx::internal::raw_kernel
