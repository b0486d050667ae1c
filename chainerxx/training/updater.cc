// SPDX-License-Identifier: MIT
#include "chainerxx/training/updater.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chainerxx/capture.h"
#include "chainerxx/datasets/batch.h"
#include "chainerxx/training/reporter.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training {

namespace cp = cupyxx;

Updater::~Updater() = default;
void Updater::connect_trainer(Trainer& /*trainer*/) {}
iterators::Iterator* Updater::iterator(std::string_view /*name*/) { return nullptr; }
Optimizer* Updater::optimizer(std::string_view /*name*/) { return nullptr; }
FunctionSet* Updater::model(std::string_view /*name*/) { return nullptr; }
const NamedRate* Updater::rate(std::string_view /*optimizer*/, std::string_view /*name*/) {
  return nullptr;
}
std::vector<std::string> Updater::names() const { return {}; }
std::vector<std::string> Updater::iterator_names() const { return {}; }

namespace {
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}
}  // namespace

iterators::Iterator& Updater::get_iterator(std::string_view name) {
  if (iterators::Iterator* const found = iterator(name)) return *found;
  throw cp::IndexError(cp::message("get_iterator: there is no iterator of this name; \"", name,
                                   "\"; there is ", listed(iterator_names())));
}
Optimizer& Updater::get_optimizer(std::string_view name) {
  if (Optimizer* const found = optimizer(name)) return *found;
  throw cp::IndexError(cp::message("get_optimizer: there is no optimizer of this name; \"", name,
                                   "\"; there is ", listed(names())));
}
void Updater::finalize() {}

void internal::refuse_arrays(const char* operation, std::size_t count) {
  throw cp::ValueError(cp::message(operation, ": a batch has ", count,
                                   count == 1 ? " array" : " arrays",
                                   ", and the model is called with another number of variables; "
                                   "a function of so many may stand behind the model"));
}

/// The next batch on its way to the device.
struct StandardUpdater::Staging {
  cp::cuda::Stream stream{{.non_blocking = true}};
  iterators::Batch batch;  // of which the arrays are
  std::vector<std::uint64_t> versions;
  std::vector<ndarray> pinned, arrays;

  bool holds(const iterators::Batch& next) const;
};

namespace {

/// All arrays of a batch.
std::vector<ndarray> parts_of(const iterators::Batch& batch) {
  if (batch.is_joined()) return batch.columns();
  std::vector<ndarray> parts;
  for (const datasets::Example& example : batch.examples()) {
    parts.insert(parts.end(), example.begin(), example.end());
  }
  return parts;
}

std::vector<std::uint64_t> versions_of(const iterators::Batch& batch) {
  std::vector<std::uint64_t> versions;
  for (const ndarray& part : parts_of(batch)) {
    versions.push_back(part.is_none() ? 0 : part.version());
  }
  return versions;
}

}  // namespace

/// Whether the iterator gave what it had shown: it may have begun again, and a batch may have been
/// changed since.
bool StandardUpdater::Staging::holds(const iterators::Batch& next) const {
  const std::vector<ndarray> shown = parts_of(batch), given = parts_of(next);
  return !arrays.empty() && batch.size() == next.size() &&
         std::equal(shown.begin(), shown.end(), given.begin(), given.end(),
                    [](const ndarray& a, const ndarray& b) {
                      if (a.is_none() || b.is_none()) return a.is_none() && b.is_none();
                      return a.body() == b.body();
                    }) &&
         versions == versions_of(next);
}

/// The step as a record, and what it reports.
struct StandardUpdater::Recording {
  chainerxx::internal::StepRecorder recorder{CaptureOptions{}};
  Reporter* reporter = nullptr;
};

StandardUpdater::StandardUpdater(iterators::Iterator& iterator,
                                 const StandardUpdaterOptions& options)
    : iterator_(iterator),
      options_(options),
      device_(options.device.value_or(cp::current_device())) {}

StandardUpdater::~StandardUpdater() = default;

namespace {

/// Throws ValueError where an optimizer was given another model, layer or arrays, of which this
/// model has no part: it would learn nothing.
void check_target(const std::string& name, Optimizer& optimizer, FunctionSet& model) {
  std::vector<const void*> updated, used;  // bodies: a model may share them by handles
  const auto note = [](const NamedField& field, std::vector<const void*>* places) {
    places->push_back(field.array);
    if (!field.array->is_none()) places->push_back(field.array->body());
  };
  for (const NamedField& field : optimizer.parameters()) note(field, &updated);
  for (const NamedField& field : model.fields()) note(field, &used);
  const bool is_shared =
      std::find_first_of(used.begin(), used.end(), updated.begin(), updated.end()) != used.end();
  if (is_shared || used.empty() || updated.empty()) return;
  throw cp::ValueError(cp::message("StandardUpdater: the optimizer ", name,
                                   " was set up with another model than the one that is called; "
                                   "optimizer.setup(model)"));
}

}  // namespace

void StandardUpdater::add_target(const std::string& name, Optimizer& optimizer, FunctionSet& model,
                                 std::vector<NamedRate> rates) {
  if (optimizer.groups().empty()) {
    throw cp::ValueError(cp::message("StandardUpdater: the optimizer ", name,
                                     " has no parameters; setup(model) comes first"));
  }
  check_target(name, optimizer, model);
  targets_.push_back(
      {name, &optimizer, &model, std::move(rates), chainerxx::internal::place_of(model)});
}

const StandardUpdater::Target* StandardUpdater::find(std::string_view name) const {
  for (const Target& target : targets_) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

iterators::Iterator* StandardUpdater::iterator(std::string_view name) {
  if (name == "main") return &iterator_;
  for (const auto& [its_name, other] : others_) {
    if (its_name == name) return other;
  }
  return nullptr;
}

std::vector<std::string> StandardUpdater::iterator_names() const {
  std::vector<std::string> names = {"main"};
  for (const auto& [name, other] : others_) names.push_back(name);
  return names;
}

void StandardUpdater::add_iterator(const std::string& name, iterators::Iterator& iterator) {
  if (this->iterator(name) != nullptr) {
    throw cp::ValueError(cp::message("add_iterator: the name ", name, " is taken"));
  }
  others_.emplace_back(name, &iterator);
}

Optimizer* StandardUpdater::optimizer(std::string_view name) {
  const Target* target = find(name);
  return target == nullptr ? nullptr : target->optimizer;
}

FunctionSet* StandardUpdater::model(std::string_view name) {
  const Target* target = find(name);
  return target == nullptr ? nullptr : target->model;
}

std::vector<std::string> StandardUpdater::names() const {
  std::vector<std::string> names;
  for (const Target& target : targets_) names.push_back(target.name);
  return names;
}

const NamedRate* StandardUpdater::rate(std::string_view optimizer, std::string_view name) {
  const Target* target = find(optimizer);
  if (target == nullptr) return nullptr;
  for (const NamedRate& rate : target->rates) {
    if (rate.name == name) return &rate;
  }
  return nullptr;
}

void StandardUpdater::check_models() const {
  for (const Target& target : targets_) {
    if (*target.place == target.model) continue;
    throw cp::ValueError(cp::message(
        "StandardUpdater: the model \"", target.name, "\" ",
        *target.place == nullptr ? "lives no longer" : "has moved",
        "; the updater calls it where it was: make both where they stay, as members of one class"));
  }
}

void StandardUpdater::connect_trainer(Trainer& trainer) {
  check_models();
  for (const Target& target : targets_) {
    trainer.reporter().add_observer(target.name, *target.model);
  }
  if (!options_.capture) return;
  recording_ = std::make_unique<Recording>();
  recording_->reporter = &trainer.reporter();
}

namespace {

/// A number that a program may change while it trains.
struct Number {
  std::string name;
  Hyperparameter* setting;  // or
  double* factor;

  double get() const { return setting != nullptr ? (*setting)() : *factor; }
  void set(double value) const {
    if (setting != nullptr) {
      *setting = value;
    } else {
      *factor = value;
    }
  }
};

/// Those of an optimizer and of its groups.
std::vector<Number> numbers_of(const std::vector<NamedRate>& rates, const Optimizer& optimizer) {
  std::vector<Number> numbers;
  for (const NamedRate& rate : rates) {
    if (rate.setting != nullptr) numbers.push_back({rate.name, rate.setting, nullptr});
  }
  for (ParameterGroup* const group : optimizer.groups()) {
    numbers.push_back({group->name + "/rate", nullptr, &group->rate});
    numbers.push_back({group->name + "/decay", nullptr, &group->decay});
  }
  return numbers;
}

std::vector<double> values_of(const std::vector<Number>& numbers) {
  std::vector<double> values;
  for (const Number& number : numbers) values.push_back(number.get());
  return values;
}

/// Throws the file's error for a value that cannot be.
void check_number(const Serializer& s, const Number& number, double value) {
  const double now = number.get();
  try {
    if (!(value >= 0 && std::isfinite(value)) && number.factor != nullptr) {
      throw cp::ValueError("a factor is at least 0");
    }
    number.set(value);
    number.set(now);
  } catch (const cp::ValueError& error) {
    s.refuse("now", cp::message("has ", cp::Scalar(value), " for ", number.name, "; ",
                                std::string_view(error.what())));
  }
}

}  // namespace

void StandardUpdater::serialize_numbers(const Serializer& s, Target& target) {
  const std::vector<Number> numbers = numbers_of(target.rates, *target.optimizer);
  std::vector<double> now = values_of(numbers), first = target.first;
  if (first.size() != now.size()) first = now;  // before the first step
  std::string names;
  for (const Number& number : numbers) names += number.name + "\n";
  s("names", names);
  s("first", first);
  s("now", now);
  const auto count = static_cast<std::size_t>(std::count(names.begin(), names.end(), '\n'));
  if (first.size() != count || now.size() != count) {
    s.refuse("now", cp::message("has ", now.size(), " values for ", count, " names"));
  }
  if (s.is_saving()) return;
  std::vector<double> begins = values_of(numbers);
  for (std::size_t i = 0, end; (end = names.find('\n')) != names.npos; names.erase(0, end + 1)) {
    const std::string name = names.substr(0, end);
    const double then = first[i], latest = now[i];
    ++i;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k].name != name || numbers[k].get() != then) continue;
      if (s.commits()) {
        begins[k] = then;
        numbers[k].set(latest);
      } else {
        check_number(s, numbers[k], latest);
      }
    }
  }
  if (s.commits()) target.first = std::move(begins);
}

void StandardUpdater::update() {
  check_models();
  for (Target& target : targets_) {
    if (target.first.empty()) {
      target.first = values_of(numbers_of(target.rates, *target.optimizer));
    }
  }
  const cp::DeviceScope there(device_);
  if (options_.precision) {
    const PrecisionScope narrow(*options_.precision);
    update_core();
  } else {
    update_core();
  }
  if (iteration_ == 0) {  // layers that waited for their size have parameters by now
    for (const Target& target : targets_) {
      check_target(target.name, *target.optimizer, *target.model);
    }
  }
  ++iteration_;
}

std::vector<ndarray> StandardUpdater::next_arrays() {
  const iterators::Batch batch = iterator_.next();
  if (staging_ == nullptr) return arrays_of(batch);
  const bool holds = staging_->holds(batch);
  staging_->batch = {};
  std::vector<ndarray> staged = std::exchange(staging_->arrays, {});
  return holds ? std::move(staged) : arrays_of(batch);
}

std::vector<ndarray> StandardUpdater::next_arrays(std::string_view iterator) {
  if (iterator == "main") return next_arrays();
  return arrays_of(get_iterator(iterator).next());
}

std::vector<ndarray> StandardUpdater::arrays_of(const iterators::Batch& batch) const {
  if (!options_.converter) {
    return concat_examples(batch, {.device = device_, .padding = options_.padding});
  }
  std::vector<ndarray> arrays = options_.converter(batch);
  for (ndarray& a : arrays) a = a.to(device_);
  return arrays;
}

void StandardUpdater::update_core() {
  const std::vector<ndarray> arrays = next_arrays();
  if (arrays.empty()) throw cp::ValueError("StandardUpdater: the converter gave no arrays");
  if (recording_ != nullptr) {
    run_recorded(arrays);
  } else {
    run_step(arrays);
  }
  if (!options_.overlap || !device_.is_cuda()) return;
  try {
    stage_next();
  } catch (const std::exception&) {  // this step is done; the next one meets it again
    if (staging_ != nullptr) staging_->arrays.clear();
  }
}

void StandardUpdater::run_step(std::span<const ndarray> arrays) {
  std::vector<Variable> variables;
  variables.reserve(arrays.size());
  for (const ndarray& a : arrays) variables.emplace_back(a);
  step_(variables);
}

void StandardUpdater::run_recorded(std::span<const ndarray> arrays) {
  // What the step reports is its result: arrays that a replay fills anew.
  const auto call = [](void* self, std::span<const ndarray> arguments) -> std::shared_ptr<void> {
    auto* updater = static_cast<StandardUpdater*>(self);
    const auto told = std::make_shared<Observation>();
    const ReportScope scope(*updater->recording_->reporter, *told);
    updater->run_step(arguments);
    return told;
  };
  const std::shared_ptr<void> told = recording_->recorder.run(arrays, {this, call});
  report(*static_cast<const Observation*>(told.get()));
}

void StandardUpdater::stage_next() {
  if (iterator_.is_done()) return;
  if (staging_ == nullptr) staging_ = std::make_unique<Staging>();
  staging_->batch = iterator_.peek();
  const iterators::Batch& batch = staging_->batch;
  const std::vector<ndarray> host = options_.converter
                                        ? options_.converter(batch)
                                        : concat_examples(batch, {.padding = options_.padding});
  staging_->versions = versions_of(batch);
  // The stream's latest copies are of the batch that the step before last was given.
  staging_->pinned.clear();
  staging_->arrays.clear();
  const cp::cuda::StreamScope on_its_stream(staging_->stream);
  for (const ndarray& a : host) {
    if (a.device() == device_) {
      staging_->arrays.push_back(a);
      continue;
    }
    const ndarray pinned = cp::empty_pinned(a.shape(), a.dtype());
    pinned.set(a.to_cpu());
    const ndarray there = cp::empty(a.shape(), a.dtype());
    cp::copy_async(there, pinned, staging_->stream);
    staging_->pinned.push_back(pinned);
    staging_->arrays.push_back(there);
  }
}

void StandardUpdater::finalize() {
  iterator_.finalize();
  for (const auto& [name, other] : others_) other->finalize();
}

void StandardUpdater::serialize(const Serializer& s) {
  check_models();
  iterator_.serialize(s["iterator:main"]);
  for (const auto& [name, other] : others_) other->serialize(s["iterator:" + name]);
  for (Target& target : targets_) {
    s("model:" + target.name, *target.model);
    s("optimizer:" + target.name, *target.optimizer);
    const std::string numbers = "numbers:" + target.name;
    if (s.contains(numbers)) serialize_numbers(s[numbers], target);
  }
  std::int64_t iteration = iteration_;
  s.count("iteration", iteration);
  if (!s.commits()) return;
  iteration_ = iteration;
  staging_.reset();
}

}  // namespace chainerxx::training
