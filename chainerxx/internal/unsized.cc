// SPDX-License-Identifier: MIT
#include "chainerxx/internal/unsized.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <unordered_set>

#include "cupyxx/creation.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/none_reason.h"

namespace chainerxx::internal {
namespace {

// First calls of one layer may come from several threads.
std::mutex& first_calls() {
  static std::mutex mutex;
  return mutex;
}

/// The layers that wait. Copies come and go while programs are made; one that nobody has noted, for
/// want of memory, has no name in errors.
struct Waiting {
  std::mutex mutex;
  std::unordered_set<const Function*> layers;
};
Waiting& waiting() {
  static auto* const all = new Waiting;  // layers may outlive static objects
  return *all;
}

/// What errors say of a null array: whether it is one of a layer that waits.
std::string reason(const ndarray& handle) {
  const std::lock_guard lock(waiting().mutex);
  for (const Function* layer : waiting().layers) {
    for (const Field& field : const_cast<Function*>(layer)->fields()) {
      if (field.array != &handle && field.gradient != &handle) continue;
      return cupyxx::message(field.array == &handle ? "" : "g", field.name, " of ", layer->label(),
                             " has no size yet, which its first call gives");
    }
  }
  return {};
}

/// All arrays of a layer, each followed by its gradient if it has any.
std::vector<ndarray*> handles(Function& layer) {
  std::vector<ndarray*> all;
  for (const Field& field : layer.fields()) {
    all.push_back(field.array);
    if (field.gradient != nullptr) all.push_back(field.gradient);
  }
  return all;
}

/// Puts arrays that were assigned before the first call, in the order of handles(), in the place of
/// those that it made. Throws ShapeError for other shapes.
void take_given(Function& layer, const std::vector<ndarray>& given) {
  std::size_t next = 0;
  for (const Field& field : layer.fields()) {
    for (ndarray* array : {field.array, field.gradient}) {
      if (array == nullptr) continue;
      const ndarray& own = given[next++];
      if (own.is_none()) {
        const bool beside =
            array == field.gradient && !array->is_none() &&
            (field.array->dtype() != array->dtype() || field.array->device() != array->device());
        if (beside) *array = cupyxx::zeros_like(*field.array);
        continue;
      }
      if (!array->is_none() && own.shape() != array->shape()) {
        throw cupyxx::ShapeError(cupyxx::message(
            layer.label(), ": ", array == field.gradient ? "g" : "", field.name, " of shape ",
            own.shape(), " was assigned before the first call, which needs ", array->shape()));
      }
      *array = own;
    }
  }
}

}  // namespace

Unsized::Unsized() : device_(cupyxx::current_device()) {}
Unsized::Unsized(const Unsized& other) : device_(other.device_) {}
Unsized::~Unsized() = default;

void Unsized::note(const Function& layer) noexcept {
  try {
    cupyxx::extension::set_none_reason(&reason);
    const std::lock_guard lock(waiting().mutex);
    waiting().layers.insert(&layer);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): see above
  }
}

void Unsized::forget(const Function& layer) noexcept {
  const std::lock_guard lock(waiting().mutex);
  waiting().layers.erase(&layer);
}

void Unsized::begin(Function& layer, std::shared_ptr<Unsized> how) {
  note(layer);
  layer.unsized_ = std::move(how);
  layer.is_unsized_ = true;
}

void Unsized::size(const Function& layer, VariableSpan inputs) {
  const auto is_missing = [](const Variable& x) { return x.is_none(); };
  if (inputs.empty() || std::any_of(inputs.begin(), inputs.end(), is_missing)) return;
  const std::lock_guard lock(first_calls());
  if (layer.is_initialized()) return;
  cupyxx::extension::refuse_in_capture(
      "a layer without a size, whose first call would draw its parameters in each run");
  give(const_cast<Function&>(layer), layer.unsized_->of_inputs(inputs));
}

bool Unsized::size(Function& layer, const cupyxx::Shape& first_array) {
  const std::lock_guard lock(first_calls());
  if (layer.is_initialized()) return true;
  const std::optional<cupyxx::Shape> sizes = layer.unsized_->of_array(first_array);
  if (sizes) give(layer, *sizes);
  return sizes.has_value();
}

void Unsized::give(Function& layer, const cupyxx::Shape& sizes) {
  const std::shared_ptr<Unsized> how = layer.unsized_;
  const std::vector<ndarray*> own = handles(layer);
  std::vector<ndarray> given;  // what the user has assigned already
  for (const ndarray* array : own) given.push_back(*array);
  const auto restore = [&] {
    for (std::size_t i = 0; i < own.size(); ++i) *own[i] = given[i];
  };
  if (how->arrays_.empty()) {
    const cupyxx::DeviceScope device(how->device_);
    try {
      how->make(layer, sizes);
      take_given(layer, given);
    } catch (...) {
      restore();
      throw;
    }
    constexpr long kOwn = 2;  // the layer's and the one above; others are those of copies
    if (how.use_count() > kOwn) {
      for (const ndarray* array : own) how->arrays_.push_back(*array);
    }
  } else {
    for (std::size_t i = 0; i < own.size(); ++i) *own[i] = how->arrays_[i];
    try {
      take_given(layer, given);
    } catch (...) {
      restore();
      throw;
    }
  }
  end(layer);
  if (!how->arrays_.empty()) give_copies(*how);
}

/// Copies need no call of their own: a model may have one of a layer that is called elsewhere.
void Unsized::give_copies(const Unsized& how) {
  std::vector<Function*> copies;
  const std::lock_guard lock(waiting().mutex);
  for (const Function* layer : waiting().layers) {
    if (layer->unsized_.get() == &how) copies.push_back(const_cast<Function*>(layer));
  }
  for (Function* layer : copies) {
    const std::vector<ndarray*> own = handles(*layer);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i]->is_none()) *own[i] = how.arrays_[i];
    }
    waiting().layers.erase(layer);
    layer->unsized_.reset();
    layer->is_unsized_.store(false, std::memory_order_release);
  }
}

void Unsized::end(Function& layer) {
  forget(layer);
  layer.unsized_.reset();
  layer.is_unsized_.store(false, std::memory_order_release);
}

}  // namespace chainerxx::internal
