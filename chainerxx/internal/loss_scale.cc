// SPDX-License-Identifier: MIT
#include "chainerxx/internal/loss_scale.h"

#include <string>
#include <vector>

#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/loss_scale.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/indexing.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::LossScaleArgs> kAdvance{kLibrary, "advance_loss_scale", "loss_scale.h",
                                              "advance_loss_scale", 32};

}  // namespace

LossScale::LossScale(const LossScaling& options, cupyxx::Device device) : options_(options) {
  const auto first = static_cast<float>(options.initial);
  std::vector<float> numbers(kernels::kLossScaleSize);
  numbers[kernels::kScale] = first;
  numbers[kernels::kInverseOfScale] = 1 / first;
  const cupyxx::DeviceScope scope(device);
  state_ = cupyxx::array(numbers);
}

const ndarray& LossScale::checked_state() const {
  const bool fits = !state_.is_none() && state_.ndim() == 1 &&
                    state_.size() == kernels::kLossScaleSize && state_.dtype() == cupyxx::float32 &&
                    state_.flags().c_contiguous && state_.flags().writeable;
  if (fits) return state_;
  throw cupyxx::ValueError(cupyxx::message(
      "Optimizer: the state loss_scale is not ", int{kernels::kLossScaleSize},
      " writeable numbers of float32; ",
      state_.is_none() ? std::string("None")
                       : cupyxx::message(state_.shape(), " ", state_.dtype().name())));
}

double LossScale::number(int at) const {
  return checked_state().to_vector<double>()[static_cast<std::size_t>(at)];
}
double LossScale::scale() const { return number(kernels::kScale); }
double LossScale::skipped() const { return number(kernels::kSkipped); }
bool LossScale::is_overflown() const { return number(kernels::kNotFinite) != 0; }

ndarray LossScale::gradient_of(const ndarray& loss) const {
  if (loss.size() != 1) {
    throw cupyxx::ValueError(
        cupyxx::message("Optimizer.backward: the loss has several elements; shape ", loss.shape()));
  }
  if (loss.device() != state_.device()) {
    throw cupyxx::ValueError(
        cupyxx::message("Optimizer.backward: the loss is on another device than the parameters; ",
                        loss.device().name(), " and ", state_.device().name()));
  }
  const ndarray scale = checked_state()(cupyxx::slice(kernels::kScale, kernels::kScale + 1));
  return scale.astype(loss.dtype()).reshape(loss.shape());
}

void LossScale::advance() {
  cupyxx::extension::note_write(checked_state());
  const kernels::LossScaleArgs args{numbers(), static_cast<float>(options_.growth),
                                    static_cast<float>(options_.backoff),
                                    static_cast<float>(options_.interval)};
  if (state_.device().is_cpu()) {
    kernels::advance_loss_scale(args);
  } else {
    kAdvance.launch(cupyxx::float32, {.block_x = 1}, args, {&state_});
  }
}

void LossScale::follow(cupyxx::Device device) { state_ = checked_state().to(device); }

}  // namespace chainerxx::internal
