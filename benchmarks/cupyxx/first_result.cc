// SPDX-License-Identifier: MIT
// The shortest program that computes: from its start to its first result. first_result.sh takes
// the time beside that of cuda_free_zero, which is what any CUDA program must pay.
#include <iostream>
#include <string_view>

#include "cupyxx/cupyxx.h"

namespace cp = cupyxx;

int main(int argc, char** argv) try {
  std::string_view device = argc > 1 ? argv[1] : "--device=cuda";
  device.remove_prefix(device.find('=') + 1);  // "cpu" will do
  const cp::DeviceScope scope(cp::Device::parse(device));
  const auto x = cp::arange(10, cp::float32);
  std::cout << ((x - 1) * 2 + cp::exp(x)).sum() << "\n";
} catch (const cp::Error& error) {
  std::cerr << "first_result: " << error.what() << "\n";
  return 1;
}
