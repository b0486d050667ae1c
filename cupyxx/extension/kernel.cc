// SPDX-License-Identifier: MIT
#include "cupyxx/extension/kernel.h"

#include <algorithm>
#include <string>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::extension {

namespace gpu = internal::gpu;
namespace jit = internal::jit;

KernelFamily::KernelFamily(const KernelLibrary& library, const char* name, const char* file,
                           const char* call, std::string_view args, unsigned threads)
    : library_(&library),
      name_(name),
      file_(file),
      call_(call),
      args_(args),
      threads_(threads),
      next_(library.kernels) {
  library.kernels = this;
}

int KernelFamily::type_index(dtype type) const {
  if (library_ == nullptr) [[unlikely]] {
    throw Error("a device kernel cannot be launched before main() begins");
  }
  const dtype* const types = library_->types;
  const auto at = std::find(types, types + KernelLibrary::kMostTypes, type) - types;
  if (at < KernelLibrary::kMostTypes) [[likely]] {
    return static_cast<int>(at);
  }
  throw DtypeError(message(library_->name, ": there is no kernel for this dtype; ", type.name()));
}

std::string KernelFamily::name_of(dtype type) const {
  return std::string(name_) + "_" + std::string(type.name());
}

std::string KernelFamily::compile(dtype type, std::string_view architecture) const {
  return jit::compile_cached(program(type), architecture);
}

bool KernelFamily::can_compile() { return jit::nvrtc_available(); }

jit::Program KernelFamily::program(dtype type) const {
  (void)type_index(type);
  library_->add_texts();
  jit::Program program;
  program.name = name_of(type);
  program.text = "#include \"" + std::string(library_->folder) + file_ + "\"\nusing namespace " +
                 library_->scope + ";\nusing T = " + jit::device_type(type) +
                 ";\nextern \"C\" __global__ void ";
  if (threads_ != 0) {
    program.text += "__launch_bounds__(" + std::to_string(threads_) + ") ";
  }
  program.text += "kernel(" + std::string(args_) + " args) {\n" + jit::kWaitForKernelBefore + "  " +
                  call_ + "(args);\n}\n";
  return program;
}

void KernelFamily::launch_with(dtype type, const Grid& grid, const void* args,
                               std::initializer_list<const ndarray*> arrays) const {
  const int device = (*arrays.begin())->device().index;
  KernelSlot& slot = slots_[type_index(type)];
  const gpu::OnDevice on(device);
  const jit::Kernel* kernel = slot.get(device, [&] { return program(type); });
  void* const stream = gpu::current_stream(device);
  for (const ndarray* array : arrays) {
    if (!array->is_none()) gpu::record_use(array->body()->storage, stream);
  }
  jit::launch(kernel, grid, stream, args);
}

}  // namespace cupyxx::extension
