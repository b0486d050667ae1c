// SPDX-License-Identifier: MIT
// Checks chainerxx, typecheck and gradcheck against results of Chainer.
#include "conformance/command_line.h"
#include "conformance/network/chainer_runner.h"

int main(int argc, char** argv) {
  return conformance::run_main(argc, argv, "chainer", "conformance/cases/chainer",
                               conformance::run_chainer);
}
