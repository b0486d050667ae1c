// SPDX-License-Identifier: MIT
// Checks networks of Caffe against what Caffe's rules give.
#include "conformance/command_line.h"
#include "conformance/network/caffe_runner.h"

int main(int argc, char** argv) {
  return conformance::run_main(argc, argv, "caffe", "conformance/cases/caffe",
                               conformance::run_caffe);
}
