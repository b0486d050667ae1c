// SPDX-License-Identifier: MIT
#include "cupyxx/device.h"

#include <charconv>
#include <ostream>

#include "cupyxx/error.h"

namespace cupyxx {

Device Device::parse(std::string_view text) {
  constexpr std::string_view kCuda = "cuda";
  if (text == "cpu") return cpu();
  if (text == kCuda) return cuda(0);
  if (text.substr(0, kCuda.size() + 1) == "cuda:") {
    const std::string_view digits = text.substr(kCuda.size() + 1);
    int index = -1;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, index);
    if (error == std::errc() && rest == end && index >= 0 && digits[0] != '-') return cuda(index);
  }
  throw ValueError(message("device: not 'cpu', 'cuda' or 'cuda:N'; '", text, "'"));
}

std::string Device::name() const { return is_cpu() ? "cpu" : "cuda:" + std::to_string(index); }

std::ostream& operator<<(std::ostream& os, Device device) {
  if (device.is_cpu()) return os << "<CPU>";
  return os << "<CUDA Device " << device.index << '>';
}

}  // namespace cupyxx
