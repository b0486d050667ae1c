// SPDX-License-Identifier: MIT
// Where an array lives: the host, or one CUDA device. A plain value, without CUDA.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx {

/// The host or a CUDA device, by number.
struct Device {
  enum class Kind : std::uint8_t { cpu, cuda };

  Kind kind = Kind::cpu;
  int index = 0;

  static constexpr Device cpu() { return {}; }
  static constexpr Device cuda(int index) { return {Kind::cuda, index}; }
  /// Reads "cpu", "cuda" or "cuda:N"; throws ValueError for anything else.
  CUPYXX_API static Device parse(std::string_view text);

  constexpr bool is_cpu() const { return kind == Kind::cpu; }
  constexpr bool is_cuda() const { return kind == Kind::cuda; }

  /// "cpu" or "cuda:N".
  CUPYXX_API std::string name() const;

  friend constexpr bool operator==(Device a, Device b) {
    return a.kind == b.kind && a.index == b.index;
  }
};

/// Prints `<CPU>` or `<CUDA Device 0>`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, Device device);

}  // namespace cupyxx
