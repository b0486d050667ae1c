// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/curand.h"

#include <curand.h>

#include <map>
#include <mutex>
#include <optional>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {
namespace {

struct Library {
  extension::DynamicLibrary library{"cuRAND", {"libcurand.so.10", "libcurand.so"}};
#define CUPYXX_CURAND(name) \
  decltype(&::curand##name) name = library.symbol<decltype(&::curand##name)>("curand" #name)
  CUPYXX_CURAND(CreateGenerator);
  CUPYXX_CURAND(CreateGeneratorHost);
  CUPYXX_CURAND(DestroyGenerator);
  CUPYXX_CURAND(SetPseudoRandomGeneratorSeed);
  CUPYXX_CURAND(SetStream);
  CUPYXX_CURAND(Generate);
  CUPYXX_CURAND(GenerateUniform);
  CUPYXX_CURAND(GenerateUniformDouble);
  CUPYXX_CURAND(GenerateNormal);
  CUPYXX_CURAND(GenerateNormalDouble);
#undef CUPYXX_CURAND
};

const Library& library() {
  static const Library& functions = *new Library;  // never destroyed: states may outlive main()
  return functions;
}

void check(curandStatus_t status, const char* function) {
  if (status == CURAND_STATUS_SUCCESS) return;
  throw CudaError(message("random: ", function, " failed; status ", static_cast<int>(status)));
}

constexpr int kHost = -1;

}  // namespace

struct Curand::Impl {
  int kind;
  std::uint64_t seed;
  std::mutex mutex;
  std::map<int, curandGenerator_t> generators;

  curandGenerator_t create(int device) const {
    const auto type = static_cast<curandRngType_t>(kind);
    curandGenerator_t generator = nullptr;
    if (device == kHost) {
      check(library().CreateGeneratorHost(&generator, type), "curandCreateGeneratorHost");
    } else {
      check(library().CreateGenerator(&generator, type), "curandCreateGenerator");
    }
    check(library().SetPseudoRandomGeneratorSeed(generator, seed),
          "curandSetPseudoRandomGeneratorSeed");
    return generator;
  }

  /// Calls `use` with the generator of an array's device, on the current stream.
  template <class Use>
  void with(const ndarray& out, Use&& use) {
    if (out.size() == 0) return;
    const std::lock_guard lock(mutex);
    const int device = out.device().is_cpu() ? kHost : out.device().index;
    void* stream = nullptr;
    std::optional<gpu::OnDevice> on;
    if (device != kHost) {
      on.emplace(device);
      gpu::refuse_in_capture("cuRAND's generators would draw the same numbers in each run");
      stream = gpu::current_stream(device);
      gpu::record_use(out.body()->storage, stream);
    }
    curandGenerator_t& generator = generators[device];
    if (generator == nullptr) generator = create(device);
    if (device != kHost) {
      check(library().SetStream(generator, static_cast<cudaStream_t>(stream)), "curandSetStream");
    }
    const char* const function = use(generator, static_cast<std::size_t>(out.size()));
    if (device != kHost) gpu::await_library(function, device, stream);
  }
};

Curand::Curand(int kind, std::uint64_t seed) : impl_(std::make_unique<Impl>()) {
  impl_->kind = kind;
  impl_->seed = seed;
}

Curand::~Curand() {
  for (const auto& [device, generator] : impl_->generators) {
    if (generator == nullptr) continue;
    std::optional<gpu::OnDevice> on;
    if (device != kHost) on.emplace(device);
    library().DestroyGenerator(generator);
  }
}

void Curand::uniform(const ndarray& out) {
  impl_->with(out, [&](curandGenerator_t generator, std::size_t n) {
    const bool narrow = out.dtype() == float32;
    const char* const name = narrow ? "curandGenerateUniform" : "curandGenerateUniformDouble";
    check(narrow
              ? library().GenerateUniform(generator, static_cast<float*>(out.elements()), n)
              : library().GenerateUniformDouble(generator, static_cast<double*>(out.elements()), n),
          name);
    return name;
  });
}

void Curand::normal(const ndarray& out, double mean, double deviation) {
  impl_->with(out, [&](curandGenerator_t generator, std::size_t n) {
    const bool narrow = out.dtype() == float32;
    const char* const name = narrow ? "curandGenerateNormal" : "curandGenerateNormalDouble";
    check(narrow ? library().GenerateNormal(generator, static_cast<float*>(out.elements()), n,
                                            static_cast<float>(mean), static_cast<float>(deviation))
                 : library().GenerateNormalDouble(generator, static_cast<double*>(out.elements()),
                                                  n, mean, deviation),
          name);
    return name;
  });
}

void Curand::words(const ndarray& out) {
  impl_->with(out, [&](curandGenerator_t generator, std::size_t n) {
    check(library().Generate(generator, static_cast<unsigned*>(out.elements()), n),
          "curandGenerate");
    return "curandGenerate";
  });
}

}  // namespace cupyxx::internal
