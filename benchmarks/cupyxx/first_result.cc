// SPDX-License-Identifier: MIT
// The shortest program that computes: from its start to its first result. first_result.sh takes
// the time beside that of cuda_free_zero, which is what any CUDA program must pay.
//   first_result [--device=cuda] [--one-rare]
// --one-rare: one operation on a dtype that the kernel bundle leaves out.
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cp = cupyxx;

int main(int argc, char** argv) try {
  std::string_view device = "cuda";
  bool one_rare = false;
  for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (argument == "--one-rare") one_rare = true;
    if (argument.starts_with("--device=")) device = argument.substr(9);
  }
  const cp::DeviceScope scope(cp::Device::parse(device));
  if (one_rare) {
    const auto x = cp::array(std::vector<std::uint16_t>{1, 2, 3});
    std::cout << cp::bitwise_xor(x, x) << "\n";
    return 0;
  }
  const auto x = cp::arange(10, cp::float32);
  std::cout << ((x - 1) * 2 + cp::exp(x)).sum() << "\n";
} catch (const cp::Error& error) {
  std::cerr << "first_result: " << error.what() << "\n";
  return 1;
}
