// SPDX-License-Identifier: MIT
#include "chainerxx/training/trainer.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training {
namespace {

namespace cp = cupyxx;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void serialize_random(const Serializer& s, std::string_view name, cp::Device device) {
  const cp::DeviceScope there(device);
  const cp::random::RandomState now = cp::random::get_state();
  cp::random::State state = {now.seed(), now.offset()};
  s(name, state);
  if (s.commits()) cp::random::set_state(cp::random::RandomState(state));
}

}  // namespace

Extension::~Extension() = default;
void Extension::set_name(const std::string& /*name*/) {}
void Extension::initialize(Trainer& /*trainer*/) {}
void Extension::on_error(Trainer& /*trainer*/, const std::exception_ptr& /*error*/) {}
void Extension::finalize(Trainer& /*trainer*/) {}
void Extension::serialize(const Serializer& /*s*/) {}

Trainer::Trainer(Updater& updater, TriggerArg stop_trigger, std::string out)
    : updater_(updater),
      stop_trigger_(std::move(stop_trigger)),
      out_(out.empty() ? std::string(".") : std::move(out)) {
  updater_.connect_trainer(*this);
}

Trainer::~Trainer() = default;

void Trainer::insert(std::unique_ptr<Extension> extension, const ExtendOptions& options) {
  const std::string wanted = options.name.empty() ? extension->default_name() : options.name;
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.name == name; });
  };
  std::string name = wanted;
  for (int i = 1; is_taken(name); ++i) name = cp::message(wanted, "_", i);
  extension->set_name(name);
  const TriggerArg trigger =
      options.trigger.is_given() ? options.trigger : extension->default_trigger();
  const int priority = options.priority.value_or(extension->default_priority());
  const bool before = options.call_before_training.value_or(extension->calls_before_training());
  const auto behind = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& entry) { return entry.priority < priority; });
  entries_.insert(behind, Entry{name, std::move(extension), trigger, priority, before});
}

Extension& Trainer::get_extension(std::string_view name) const {
  std::string names;
  for (const Entry& entry : entries_) {
    if (entry.name == name) return *entry.extension;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  throw cp::IndexError(cp::message("Trainer: there is no extension ", name, "; there is ",
                                   names.empty() ? std::string("none") : names));
}

std::vector<Extension*> Trainer::extensions() const {
  std::vector<Extension*> all;
  for (const Entry& entry : entries_) all.push_back(entry.extension.get());
  return all;
}

double Trainer::elapsed_time() const { return elapsed_before_ + (runs_ ? now() - start_ : 0); }

void Trainer::make_folder() const {
  std::error_code error;
  std::filesystem::create_directories(out_, error);
  if (!error && ::access(out_.c_str(), W_OK | X_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  if (error) {
    throw cp::IOError(
        cp::message("Trainer: cannot write to the folder ", out_, "; ", error.message()));
  }
}

/// Before hours have passed.
void Trainer::check_iterator() const {
  const std::optional<TrainingLength> length = training_length();
  const iterators::Iterator* const iterator = updater_.iterator("main");
  if (!length || length->unit != Unit::epoch || iterator == nullptr || iterator->repeats()) return;
  if (length->count <= 1) return;
  throw cp::ValueError(cp::message("Trainer: the iterator ends after one epoch of ",
                                   cp::Scalar(length->count),
                                   "; {.repeat = true} begins again after each"));
}

/// Whether it has been trained as long as the stop trigger says, or longer: asked for that, an
/// interval would let it go on to its next multiple.
bool Trainer::is_over() const {
  const std::optional<TrainingLength> length = training_length();
  if (!length || is_before_training()) return false;
  const double at = length->unit == Unit::epoch ? updater_.epoch_detail()
                                                : static_cast<double>(updater_.iteration());
  return at >= length->count - 1e-9;
}

void Trainer::run() {
  if (done_) throw cp::ValueError("Trainer: cannot run a second time");
  check_iterator();
  make_folder();
  runs_ = true;
  start_ = now();
  std::exception_ptr first;  // what it ends with, whatever is thrown behind it
  const auto keep = [&first](auto&& call) {
    try {
      call();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  };
  keep([&] {
    for (const Entry& entry : entries_) entry.extension->initialize(*this);
    loop();
  });
  if (const std::exception_ptr error = first; error != nullptr) {
    for (const Entry& entry : entries_) keep([&] { entry.extension->on_error(*this, error); });
  }
  for (const Entry& entry : entries_) keep([&] { entry.extension->finalize(*this); });
  keep([&] { updater_.finalize(); });
  elapsed_before_ = elapsed_time();
  runs_ = false;
  done_ = true;
  if (first != nullptr) std::rethrow_exception(first);
}

void Trainer::loop() {
  start_epoch_ = updater_.epoch_detail();
  start_iteration_ = static_cast<double>(updater_.iteration());
  {
    const ReportScope scope(reporter_, observation_);
    for (const Entry& entry : entries_) {
      if (entry.call_before_training) (*entry.extension)(*this);
    }
  }
  // The stop trigger of an earlier run had not seen what its last step reported.
  for (const auto& [name, value] : resumed_.entries()) {
    if (!observation_.contains(name)) observation_.set(name, value);
  }
  resumed_.clear();
  {
    const ReportScope scope(reporter_, observation_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (std::erase(pending_, entries_[i].name) > 0) call(i);
    }
    pending_.clear();
  }
  if (is_over()) return;
  while (!stops_ && !stop_trigger_(*this)) {
    observation_.clear();
    const ReportScope scope(reporter_, observation_);
    updater_.update();
    for (std::size_t i = 0; i < entries_.size(); ++i) call(i);
  }
}

/// Calls an extension if it is time.
void Trainer::call(std::size_t at) {
  const Entry& entry = entries_[at];
  if (!entry.trigger(*this)) return;
  struct Calling {
    std::optional<std::size_t>& place;
    ~Calling() { place.reset(); }
  } const calling{calling_};
  calling_ = at;
  (*entry.extension)(*this);
}

/// The names of the extensions behind the one that writes: their triggers have not seen this step.
void Trainer::serialize_pending(const Serializer& s) {
  std::string names;
  for (std::size_t i = calling_ ? *calling_ + 1 : entries_.size(); i < entries_.size(); ++i) {
    names += entries_[i].name + "\n";
  }
  s("pending", names);
  if (!s.commits()) return;
  pending_.clear();
  for (std::size_t end; (end = names.find('\n')) != names.npos; names.erase(0, end + 1)) {
    pending_.push_back(names.substr(0, end));
  }
}

/// What the last step reported.
void Trainer::serialize_observation(const Serializer& s) {
  DictSummary reported;
  for (const auto& [name, value] : observation_.entries()) {
    if (!value.is_none()) reported.add(name, value);
  }
  reported.serialize(s);
  if (!s.commits()) return;
  resumed_.clear();
  for (const auto& [name, number] : reported.compute_mean()) resumed_.set(name, number);
}

void Trainer::serialize(const Serializer& s) {
  updater_.serialize(s["updater"]);
  if (s.contains("observation/names")) serialize_observation(s["observation"]);
  if (s.contains("pending")) serialize_pending(s);
  if (stop_trigger_.is_given()) stop_trigger_.serialize(s["stop_trigger"]);
  for (const Entry& entry : entries_) {
    // What was added since the file was written begins anew.
    if (s.contains("extensions/" + entry.name)) {
      entry.extension->serialize(s["extensions"][entry.name]);
    }
    if (s.contains("extension_triggers/" + entry.name)) {
      entry.trigger.serialize(s["extension_triggers"][entry.name]);
    }
  }
  serialize_random(s["random"], "cpu", cp::Device::cpu());
  const cp::Device device = cp::current_device();
  if (device.is_cuda() && s.contains("random/cuda")) serialize_random(s["random"], "cuda", device);
  double elapsed = elapsed_time();
  s("_snapshot_elapsed_time", elapsed);
  if (!(elapsed >= 0 && std::isfinite(elapsed))) {
    s.refuse("_snapshot_elapsed_time", cp::message("is ", cp::Scalar(elapsed)));
  }
  if (!s.commits()) return;
  elapsed_before_ = elapsed;
  start_ = now();
}

}  // namespace chainerxx::training

namespace chainerxx {

void save_npz(const std::string& path, training::Trainer& trainer) {
  training::save_state(path, [&](training::Serializer& s) { trainer.serialize(s); });
}

void load_npz(const std::string& path, training::Trainer& trainer) {
  training::load_state(path, [&](training::Serializer& s) { trainer.serialize(s); });
}

}  // namespace chainerxx
