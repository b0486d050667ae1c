// SPDX-License-Identifier: MIT
// Checks cupyxx against results of NumPy.
#include "conformance/array/runner.h"
#include "conformance/command_line.h"

int main(int argc, char** argv) {
  return conformance::run_main(argc, argv, "numpy", "conformance/cases/numpy",
                               conformance::run_folder);
}
