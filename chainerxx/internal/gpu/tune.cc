// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/tune.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/kept_text.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal::gpu {
namespace {

namespace extension = cupyxx::extension;

/// All that the choice depends on.
std::string key_of(const ConvolutionShape& s, cupyxx::dtype dtype, Pass pass, int device) {
  std::string key = cupyxx::message("chainerxx convolution 1; cuDNN ", cudnn().GetVersion(), "; ",
                                    cupyxx::cuda::Device(device).product_name(), "; ", dtype.name(),
                                    "; ", static_cast<int>(pass));
  for (const std::int64_t number : s.numbers()) key += " " + std::to_string(number);
  return key;
}

/// The engine and its place among the proposals, which tell it apart.
std::string text_of(const GraphPlan& plan) {
  return std::to_string(plan.rank) + " " + std::to_string(plan.engine);
}

void keep_only(Plan& plan, std::size_t chosen) {
  if (chosen != 0) std::swap(plan.graphs[0], plan.graphs[chosen]);
  plan.graphs.erase(plan.graphs.begin() + 1, plan.graphs.end());
  plan.workspace = plan.graphs[0].workspace;
}

/// Milliseconds of some runs; infinity for an engine that does not run.
float time_of(cudnnHandle_t handle, const GraphPlan& plan, Pass pass, const GraphArrays& arrays,
              int device) {
  constexpr int kWarm = 2, kRuns = 5;
  constexpr float kNever = std::numeric_limits<float>::infinity();
  try {
    const extension::Workspace workspace(device, plan.workspace);
    const cupyxx::cuda::Event begin, end;
    for (int run = 0; run < kWarm + kRuns; ++run) {
      if (run == kWarm) begin.record();
      const auto status = run_convolution_plan(handle, plan, pass, arrays, workspace.data());
      if (status != CUDNN_STATUS_SUCCESS) return kNever;
    }
    end.record();
    end.synchronize();
    return cupyxx::cuda::get_elapsed_time(begin, end);
  } catch (const cupyxx::OutOfMemoryError&) {
    return kNever;
  }
}

}  // namespace

bool tunes() {
  static const bool wanted = [] {
    const char* const text = std::getenv("CHAINERXX_TUNE");
    return text != nullptr && std::strcmp(text, "1") == 0;
  }();
  return wanted;
}

void tune(cudnnHandle_t handle, Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype,
          Pass pass, const GraphArrays& arrays, int device) {
  const std::string key = key_of(s, dtype, pass, device);
  if (const auto earlier = extension::find_kept_text(key)) {
    for (std::size_t i = 0; i < plan.graphs.size(); ++i) {
      if (text_of(plan.graphs[i]) == *earlier) return keep_only(plan, i);
    }
  }
  if (extension::Capture::current()) return;
  const cupyxx::DeviceScope scope(cupyxx::Device::cuda(device));
  std::size_t best = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < plan.graphs.size(); ++i) {
    const float time = time_of(handle, plan.graphs[i], pass, arrays, device);
    if (time >= least) continue;
    least = time;
    best = i;
  }
  extension::keep_text(key, text_of(plan.graphs[best]));
  keep_only(plan, best);
}

}  // namespace chainerxx::internal::gpu
