// SPDX-License-Identifier: MIT
//   bazel run //conformance/shapes -- cuda 1000 1
// compares what a device computes for a thousand turns of drawn shapes, seed 1, with the host in
// float64. Prints a line for each result that differs, and how many were compared.
#include <cstdlib>
#include <iostream>
#include <string>

#include "conformance/shapes/beside.h"
#include "cupyxx/device.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: shapes cpu|cuda TURNS SEED\n";
    return 2;
  }
  const bool on_cuda = std::string(argv[1]) == "cuda";
  conformance::Beside beside(on_cuda ? cupyxx::Device::cuda(0) : cupyxx::Device::cpu(),
                             std::strtoull(argv[3], nullptr, 10), std::cout);
  conformance::compare_shapes(beside, std::strtoll(argv[2], nullptr, 10));
  std::cout << beside.compared() << " compared, " << beside.differing() << " differ\n";
  return beside.differing() == 0 ? 0 : 1;
}
