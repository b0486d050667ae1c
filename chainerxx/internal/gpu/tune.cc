// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/tune.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/extension/kept_text.h"
#include "cupyxx/extension/measured_choice.h"
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

}  // namespace

bool tunes() {
  static const bool wanted =
      extension::environment_switch("CHAINERXX_TUNE", false) || extension::tunes();
  return wanted;
}

void tune(cudnnHandle_t handle, Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype,
          Pass pass, const GraphArrays& arrays, int device) {
  const std::string key = key_of(s, dtype, pass, device);
  // Without an earlier choice a captured plan stays as it is, and is looked at again.
  if (extension::Capture::current() && !extension::find_kept_text(key)) return;
  std::vector<std::string> names;
  for (const GraphPlan& graph : plan.graphs) names.push_back(text_of(graph));
  const auto run = [&](std::size_t i) {
    try {
      const extension::Workspace workspace(device, plan.graphs[i].workspace);
      return run_convolution_plan(handle, plan.graphs[i], pass, arrays, workspace.data()) ==
             CUDNN_STATUS_SUCCESS;
    } catch (const cupyxx::OutOfMemoryError&) {
      return false;
    }
  };
  keep_only(plan, extension::measured_choice(key, names, device, run));
}

}  // namespace chainerxx::internal::gpu
