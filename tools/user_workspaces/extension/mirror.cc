// SPDX-License-Identifier: MIT
#include "extension/mirror.h"

#include <atomic>

#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/device_text.h"
#include "cupyxx/extension/kernel.h"
#include "cupyxx/extension/parallel.h"
#include "cupyxx/extension/storage.h"
#include "extension/mirror_text.h"

namespace mine {
namespace {

using namespace cupyxx::extension;

constinit const KernelLibrary kLibrary = {
    .name = "mine",
    .folder = "extension/",
    .scope = "mine",
    .types = {cupyxx::float32, cupyxx::float64},
    .add_texts = [] { add_device_texts(texts::kFiles, texts::kFilesCount); }};

const Kernel<MirrorArgs> kMirror{kLibrary, "mirror", "mirror.h", "mirror<T>"};

template <class T>
void mirror_on_host(const MirrorArgs& args) {
  std::atomic<bool> is_right = true;
  parallel_for(args.size / 2, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (!exchange<T>(args, i)) is_right = false;
    }
  });
  if (!is_right) throw cupyxx::ValueError("mirror: a number is not finite");
}

}  // namespace

void mirror(const cupyxx::ndarray& x) {
  if (!x.flags().c_contiguous) throw cupyxx::ValueError("mirror: the array is not contiguous");
  if (!kLibrary.has(x.dtype())) throw cupyxx::DtypeError("mirror: float32 and float64 alone");
  note_write(x);
  MirrorArgs args{x.elements(), x.size(), nullptr, 0};
  if (x.device().is_cpu()) {
    return x.dtype() == cupyxx::float32 ? mirror_on_host<float>(args)
                                        : mirror_on_host<double>(args);
  }
  static const unsigned operation = operation_number("mirror");
  args.error = error_word(x.device().index);
  args.operation = operation;
  const auto blocks = static_cast<unsigned>((x.size() / 2 + 255) / 256);
  if (blocks != 0) kMirror.launch(x.dtype(), {.grid_x = blocks, .block_x = 256}, args, {&x});
}

bool mirror_compiles() {
  if (!kMirror.can_compile()) return true;
  return !kMirror.compile(cupyxx::float32, "compute_90").empty() &&
         !kMirror.compile(cupyxx::float64, "compute_90").empty();
}

}  // namespace mine
