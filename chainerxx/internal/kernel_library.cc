// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernel_library.h"

#include "chainerxx/internal/kernels/texts.h"
#include "cupyxx/extension/device_text.h"

namespace chainerxx::internal {

constinit const cupyxx::extension::KernelLibrary kLibrary = {
    .name = "chainerxx",
    .folder = "chainerxx/internal/kernels/",
    .scope = "chainerxx::internal::kernels",
    .types = {cupyxx::float16, cupyxx::bfloat16_, cupyxx::float32, cupyxx::float64},
    .add_texts = [] { cupyxx::extension::add_device_texts(texts::kFiles, texts::kFilesCount); }};

}  // namespace chainerxx::internal
