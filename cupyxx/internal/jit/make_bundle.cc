// SPDX-License-Identifier: MIT
// The bundle of cupyxx: make_bundle OUTPUT sm_90 [sm_100 ...]
#include "cupyxx/internal/jit/bundle_maker.h"
#include "cupyxx/internal/jit/bundled_programs.h"

int main(int argc, char** argv) {
  namespace jit = cupyxx::internal::jit;
  return jit::make_bundle(argc, argv, jit::bundled_programs());
}
