// SPDX-License-Identifier: MIT
// The same network on every device, each of which learns from its share of a batch.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/variable.h"
#include "cupyxx/device.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/random.h"

namespace examples {

/// Copies of a model, one on each device. The first is the one that an optimizer is set up with.
template <std::derived_from<chainerxx::FunctionSet> Model>
class DataParallel {
 public:
  /// What a copy learns from its share: the mean loss over that.
  using Loss = std::function<chainerxx::Variable(Model&, const chainerxx::Variable& x,
                                                 const chainerxx::Variable& t)>;

  /// `make` returns a model each time; all begin with the parameters of the first. Random numbers
  /// go on as behind the first, so that a run does not depend on the number of devices.
  DataParallel(std::span<const cupyxx::Device> devices,
               const std::function<std::unique_ptr<Model>()>& make)
      : devices_(devices.begin(), devices.end()) {
    cupyxx::random::RandomState behind_first = cupyxx::random::get_state();
    for (const cupyxx::Device device : devices_) {
      models_.push_back(make());
      if (models_.size() == 1) behind_first = cupyxx::random::get_state();
      Model& model = *models_.back();
      device.is_cuda() ? model.to_gpu(device.index) : model.to_cpu();
      model.copy_parameters_from(models_[0]->parameters());
    }
    cupyxx::random::set_state(behind_first);
  }

  Model& first() { return *models_[0]; }

  /// One step with a batch on the first device: gradients are added up there, where `optimizer`
  /// updates the parameters, and handed on to the others. Returns the mean loss of the batch, a
  /// single element on the first device.
  cupyxx::ndarray update(chainerxx::Optimizer& optimizer, const Loss& loss,
                         const cupyxx::ndarray& x, const cupyxx::ndarray& t) {
    const std::int64_t rows = x.shape()[0];
    const auto count = static_cast<std::int64_t>(models_.size());
    optimizer.zero_grads();
    cupyxx::ndarray total;
    // A device has its work in its queue when its turn ends, so the devices compute at once.
    for (std::int64_t i = 0; i < count; ++i) {
      if (i != 0) models_[i]->zero_grads();
      const cupyxx::slice share(i * rows / count, (i + 1) * rows / count);
      const chainerxx::Variable xi(x(share).to(devices_[i])), ti(t(share).to(devices_[i]));
      if (xi.shape()[0] == 0) continue;
      // The loss is the mean over a share: it counts by how many rows that has.
      const double weight = static_cast<double>(xi.shape()[0]) / static_cast<double>(rows);
      const chainerxx::Variable part = loss(*models_[i], xi, ti) * weight;
      part.backward();
      const cupyxx::ndarray value = part.data().to(devices_[0]);
      total = total.is_none() ? value : total + value;
    }
    for (std::int64_t i = 1; i < count; ++i) optimizer.accumulate_grads(models_[i]->gradients());
    optimizer.update();
    for (std::int64_t i = 1; i < count; ++i) {
      models_[i]->copy_parameters_from(models_[0]->parameters());
    }
    return total;
  }

 private:
  std::vector<cupyxx::Device> devices_;
  std::vector<std::unique_ptr<Model>> models_;
};

}  // namespace examples
