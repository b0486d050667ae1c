// SPDX-License-Identifier: MIT
// The bundle of chainerxx, with its kernels for every element type: make_bundle OUTPUT sm_90 ...
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/ops/activation.h"
#include "cupyxx/extension/bundle_maker.h"

int main(int argc, char** argv) {
  namespace extension = cupyxx::extension;
  return extension::make_bundle(argc, argv, chainerxx::internal::kLibrary,
                                extension::ufuncs_of(chainerxx::ops::ActivationOps{}));
}
