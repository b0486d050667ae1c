// SPDX-License-Identifier: MIT
// The bundle of chainerxx, with its kernels for every element type: make_bundle OUTPUT sm_90 ...
#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/extension/bundle_maker.h"

int main(int argc, char** argv) {
  return cupyxx::extension::make_bundle(argc, argv, chainerxx::internal::kLibrary);
}
