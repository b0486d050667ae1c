// SPDX-License-Identifier: MIT
// cuFFT, opened on first use. Plans are kept: making one takes longer than most transforms.
#include <cufft.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/internal/fft.h"
#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/launcher.h"

namespace cupyxx::internal::gpu {

namespace {

struct CuFft {
  extension::DynamicLibrary library{"cuFFT", {"libcufft.so.12", "libcufft.so.11", "libcufft.so"}};
#define CUPYXX_FFT(name) \
  decltype(&::cufft##name) name = library.symbol<decltype(&::cufft##name)>("cufft" #name)
  CUPYXX_FFT(Create);
  CUPYXX_FFT(Destroy);
  CUPYXX_FFT(SetAutoAllocation);
  CUPYXX_FFT(MakePlanMany64);
  CUPYXX_FFT(SetWorkArea);
  CUPYXX_FFT(SetStream);
  CUPYXX_FFT(ExecC2C);
  CUPYXX_FFT(ExecZ2Z);
#undef CUPYXX_FFT
};

const CuFft& cufft() {
  static const CuFft& functions = *new CuFft;
  return functions;
}

void check(const char* operation, cufftResult status, const char* function) {
  if (status == CUFFT_SUCCESS) return;
  throw CudaError(message(operation, ": ", function, " failed; status ", static_cast<int>(status)));
}

struct Plan {
  int device;
  cufftType type;
  std::int64_t count, n;
  cufftHandle handle;
  std::size_t workspace;

  bool is_for(int on, cufftType of, std::int64_t rows, std::int64_t length) const {
    return device == on && type == of && count == rows && n == length;
  }
};

// The plans that were used last, of all devices; the last one comes last.
struct Plans {
  static constexpr std::size_t kKept = 16;
  std::mutex mutex;
  std::vector<Plan> plans;

  const Plan& find(const char* operation, int device, cufftType type, std::int64_t count,
                   std::int64_t n) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!plans[i].is_for(device, type, count, n)) continue;
      const Plan found = plans[i];
      plans.erase(plans.begin() + static_cast<std::ptrdiff_t>(i));
      plans.push_back(found);
      return plans.back();
    }
    if (plans.size() == kKept) {
      cufft().Destroy(plans.front().handle);
      plans.erase(plans.begin());
    }
    plans.push_back(make(operation, device, type, count, n));
    return plans.back();
  }

 private:
  static Plan make(const char* operation, int device, cufftType type, std::int64_t count,
                   std::int64_t n) {
    Plan plan{device, type, count, n, 0, 0};
    check(operation, cufft().Create(&plan.handle), "cufftCreate");
    try {
      // The workspace comes from our pool.
      check(operation, cufft().SetAutoAllocation(plan.handle, 0), "cufftSetAutoAllocation");
      long long length = n;
      check(operation,
            cufft().MakePlanMany64(plan.handle, 1, &length, nullptr, 1, n, nullptr, 1, n, type,
                                   count, &plan.workspace),
            "cufftMakePlanMany64");
    } catch (...) {
      cufft().Destroy(plan.handle);
      throw;
    }
    return plan;
  }
};

}  // namespace

void fft(const char* operation, const ndarray& a, bool inverse) {
  const Launcher launcher(a.device());
  const Shape shape = a.shape();
  const cufftType type = a.dtype() == complex64 ? CUFFT_C2C : CUFFT_Z2Z;
  static Plans& plans = *new Plans;  // never destroyed: arrays may outlive main()
  const std::lock_guard lock(plans.mutex);
  const Plan& plan = plans.find(operation, launcher.device(), type, shape[0], shape[1]);
  const ndarray workspace =
      make_array(operation, {static_cast<std::int64_t>(plan.workspace)}, uint8, a.device());
  check(operation, cufft().SetStream(plan.handle, as_stream(launcher.stream())), "cufftSetStream");
  check(operation, cufft().SetWorkArea(plan.handle, launcher.use(&workspace)), "cufftSetWorkArea");
  void* data = launcher.use(&a);
  const int direction = inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  if (type == CUFFT_C2C) {
    auto* x = static_cast<cufftComplex*>(data);
    check(operation, cufft().ExecC2C(plan.handle, x, x, direction), "cufftExecC2C");
    await_library("cufftExecC2C", launcher.device(), launcher.stream());
  } else {
    auto* x = static_cast<cufftDoubleComplex*>(data);
    check(operation, cufft().ExecZ2Z(plan.handle, x, x, direction), "cufftExecZ2Z");
    await_library("cufftExecZ2Z", launcher.device(), launcher.stream());
  }
}

}  // namespace cupyxx::internal::gpu
