// SPDX-License-Identifier: MIT
#include <atomic>

#include "cupyxx/error.h"
#include "cupyxx/export.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/jit/find.h"
#include "cupyxx/internal/jit/kernel_table.h"
#include "cupyxx/internal/jit/loaded.h"
#include "cupyxx/internal/jit/nvrtc.h"

namespace cupyxx::internal::jit {
namespace {

struct Library {
  cudaLibrary_t handle = nullptr;
};

struct Tables {
  KernelTable<Kernel> kernels;
  KernelTable<Library> libraries;  // several entries of one text share theirs
};

// Never destroyed: kernels may be launched while static objects go.
Tables& tables() {
  static Tables& all = *new Tables;
  return all;
}

struct AddedBundles {
  static constexpr int kMost = 8;
  std::atomic<const Bundle*> bundles[kMost] = {};
};
constinit AddedBundles added;

std::string architecture_of(int device) {
  return "sm_" + std::to_string(gpu::device_info(device).compute_capability);
}

Library* load_library(int device, const Program& program, const Hash128& key) {
  if (Library* known = tables().libraries.find(key)) return known;
  std::string storage;
  const std::string architecture = architecture_of(device);
  const Bundle* bundle = find_bundle(bundle_key(program, architecture));
  const std::string_view cubin =
      find_cubin(program, architecture, bundle != nullptr ? *bundle : Bundle({}),
                 DiskCache::instance(), storage);
  const gpu::OnDevice on(device);
  auto* library = new Library;
  gpu::check(
      cudaLibraryLoadData(&library->handle, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      ("load: " + program.name + ": cudaLibraryLoadData").c_str());
  Library* kept = tables().libraries.insert(key, library);
  if (kept != library) {
    cudaLibraryUnload(library->handle);
    delete library;
  }
  return kept;
}

// The library's key is on the way to the kernel's; no headers are looked at, they do not change
// within a process.
Hash128 library_key(int device, const Program& program) {
  const int architecture = gpu::device_info(device).compute_capability;
  Hasher hasher;
  hasher.add(Hash128{static_cast<std::uint64_t>(architecture), program.options.size()});
  hasher.add(program.text);
  for (const std::string& option : program.options) hasher.add(option);
  return hasher.result();
}

}  // namespace

void add_bundle(const Bundle& bundle) {
  for (std::atomic<const Bundle*>& slot : added.bundles) {
    const Bundle* expected = nullptr;
    if (slot.compare_exchange_strong(expected, &bundle) || expected == &bundle) return;
  }
}

const Bundle* find_bundle(const Hash128& key) {
  if (Bundle::instance().contains(key)) return &Bundle::instance();
  for (const std::atomic<const Bundle*>& slot : added.bundles) {
    const Bundle* bundle = slot.load(std::memory_order_acquire);
    if (bundle == nullptr) break;
    if (bundle->contains(key)) return bundle;
  }
  return nullptr;
}

CUPYXX_API const Kernel* load(int device, const Program& program) {
  const Hash128 text_key = library_key(device, program);
  const Hash128 key = Hasher().add(text_key).add(program.entry).result();
  if (const Kernel* known = tables().kernels.find(key)) return known;

  Library* library = load_library(device, program, text_key);
  auto* kernel = new Kernel;
  kernel->library = library->handle;
  kernel->name = program.name;
  const auto& info = gpu::device_info(device);
  // Code for an older architecture, which a user's options may ask for, does not wait.
  const bool may_overlap =
      info.compute_capability >= 90 && runs_as_compiled_for(program, architecture_of(device));
  const bool waits = program.text.find(kWaitForKernelBefore) != std::string::npos;
  const bool overlaps = program.overlaps != 0;
  kernel->begins_early = may_overlap && (waits || overlaps);
  kernel->lets_next_begin = may_overlap && overlaps;
  kernel->uncrowded =
      static_cast<unsigned>((overlaps ? program.overlaps : 1) * info.multiprocessors);
  const cudaError_t result =
      cudaLibraryGetKernel(&kernel->handle, library->handle, program.entry.c_str());
  if (result != cudaSuccess) {
    delete kernel;
    cudaGetLastError();
    if (result == cudaErrorSymbolNotFound) {
      throw CompileError(message(
          program.name, ": the source has no extern \"C\" kernel of that name; ", program.entry));
    }
    gpu::throw_cuda_error(result, "cudaLibraryGetKernel");
  }
  Kernel* kept = tables().kernels.insert(key, kernel);
  if (kept != kernel) delete kernel;
  return kept;
}

CUPYXX_API bool slots_are_checked() { return launches_are_awaited(); }

CUPYXX_API void check_slot(int device, const Kernel* kept, const Program& meant) {
  if (load(device, meant) == kept) return;
  throw Error(
      message("KernelSlot: one slot is used for two kernels; ", kept->name, " and ", meant.name));
}

bool is_bundled(int device, const Program& program) {
  return find_bundle(bundle_key(program, architecture_of(device))) != nullptr;
}

void* find_global(int device, const Program& program, const char* name, std::size_t* nbytes) {
  const Library* library = load_library(device, program, library_key(device, program));
  const gpu::OnDevice on(device);
  void* address = nullptr;
  const cudaError_t result = cudaLibraryGetGlobal(&address, nbytes, library->handle, name);
  if (result != cudaSuccess) {
    cudaGetLastError();
    throw ValueError(
        message(program.name, ": the source has no global variable of that name; ", name));
  }
  return address;
}

}  // namespace cupyxx::internal::jit
