// SPDX-License-Identifier: MIT
#include "chainerxx/capture.h"

#include <algorithm>
#include <vector>

#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

// What a record is for.
struct Key {
  cupyxx::Device device;
  bool records = false;
  bool trains = false;
  Precision precision = Precision::float32;
  Precision compute = Precision::float32;
  Layout layout = Layout::automatic;
  struct Argument {
    cupyxx::dtype dtype;
    cupyxx::Shape shape;
    bool operator==(const Argument&) const = default;
  };
  std::vector<Argument> arguments;

  bool operator==(const Key&) const = default;
};

Key key_of(std::span<const ndarray> arguments) {
  Key key{cupyxx::current_device(),
          is_recording(),
          is_training(),
          current_precision(),
          cupyxx::compute_precision(),
          current_layout(),
          {}};
  for (const ndarray& argument : arguments) {
    if (argument.is_none()) throw cupyxx::ValueError("capture: an argument is None");
    key.arguments.push_back({argument.dtype(), argument.shape()});
  }
  return key;
}

}  // namespace

struct StepRecorder::Form {
  Key key;
  std::vector<ndarray> inputs;  // what the function reads
  int calls = 0;
  cupyxx::cuda::Graph graph;
  std::shared_ptr<void> result;

  void copy_in(std::span<const ndarray> arguments);
  std::shared_ptr<void> record(const Body& body);
};

// Arrays of these shapes may be large; a loop needs one form, its last batch and an evaluation
// more.
constexpr std::size_t kMostForms = 8;

StepRecorder::StepRecorder(const CaptureOptions& options)
    : options_(options), forms_(std::make_unique<std::vector<std::unique_ptr<Form>>>()) {
  if (options.warm_up >= 1) return;
  throw cupyxx::ValueError(cupyxx::message(
      "capture: the function has to run once before it is recorded; warm_up ", options.warm_up));
}

StepRecorder::StepRecorder(StepRecorder&&) noexcept = default;
StepRecorder& StepRecorder::operator=(StepRecorder&&) noexcept = default;
StepRecorder::~StepRecorder() = default;

StepRecorder::Form& StepRecorder::form_of(std::span<const ndarray> arguments) {
  Key key = key_of(arguments);
  std::vector<std::unique_ptr<Form>>& forms = *forms_;
  const auto at =
      std::find_if(forms.begin(), forms.end(), [&](const auto& form) { return form->key == key; });
  if (at != forms.end()) return **at;
  if (forms.size() == kMostForms) forms.erase(forms.begin());
  auto form = std::make_unique<Form>();
  form->key = std::move(key);
  for (const ndarray& argument : arguments) {
    form->inputs.push_back(cupyxx::empty(argument.shape(), argument.dtype()));
  }
  forms.push_back(std::move(form));
  return *forms.back();
}

void StepRecorder::Form::copy_in(std::span<const ndarray> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) inputs[i].set(arguments[i]);
}

std::shared_ptr<void> StepRecorder::Form::record(const Body& body) {
  cupyxx::cuda::GraphCapture capture;
  std::shared_ptr<void> recorded = body(inputs);
  graph = capture.end();
  return recorded;
}

std::shared_ptr<void> StepRecorder::run(std::span<const ndarray> arguments, const Body& body) {
  is_replaying_ = false;
  if (cupyxx::current_device().is_cpu()) return body(arguments);
  Form& form = form_of(arguments);
  form.copy_in(arguments);
  if (!form.graph.is_none() && !form.graph.is_current()) {
    form.graph = {};
    form.result.reset();
    form.calls = 0;
  }
  if (form.graph.is_none()) {
    if (form.calls < options_.warm_up) {
      std::shared_ptr<void> result = body(form.inputs);
      ++form.calls;  // a call that threw has not warmed up
      return result;
    }
    form.result = form.record(body);
    // The host's part of this step has been done by the recording.
    form.graph.launch_recorded();
  } else {
    form.graph.launch();
    is_replaying_ = true;
  }
  return form.result;
}

}  // namespace chainerxx::internal
