// SPDX-License-Identifier: MIT
// Which parameters an optimizer has, and in which groups.
#include <algorithm>
#include <string_view>
#include <typeinfo>
#include <unordered_map>

#include "chainerxx/internal/gradient_exchange.h"
#include "chainerxx/internal/loss_scale.h"
#include "chainerxx/internal/optimizer_entries.h"
#include "chainerxx/internal/tensor_table.h"
#include "chainerxx/optimizer.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx {
namespace {

using internal::check_entry, internal::check_has_kernel, internal::check_one_device;
using internal::in_order, internal::is_tied;
using internal::OptimizerEntry;

/// Whether a name fits a pattern, in which '*' stands for any text.
bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  for (name.remove_prefix(star); !fits(pattern, name); name.remove_prefix(1)) {
    if (name.empty()) return false;
  }
  return true;
}

/// A name stands for everything below it, too.
bool names(const std::string& pattern, std::string_view parameter) {
  return fits(pattern, parameter) || fits(pattern + "/*", parameter);
}

void check_factor(const char* operation, const char* what, double factor) {
  if (factor >= 0) return;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": the ", what, " is negative or NaN; ", cupyxx::Scalar(factor)));
}

}  // namespace

void Optimizer::setup(FunctionSet& model) {
  const std::uint64_t changes = internal::layer_changes();
  setup_fields(internal::fields_with_unsized(model));
  target_ = internal::place_of(model);
  layer_changes_ = changes;
}

void Optimizer::setup(Function& layer) {
  std::vector<NamedField> fields;
  for (const Field& field : layer.fields()) {
    if (field.array->is_none() && layer.is_initialized()) continue;
    fields.push_back({field.name, field.array, field.gradient});
  }
  setup_fields(fields);
  layer_ = internal::place_of(layer);
  layer_was_ = &layer;
}

void Optimizer::refuse_null(const char* operation) {
  throw cupyxx::ValueError(cupyxx::message(operation, ": the pointer to the model is null"));
}

FunctionSet& Optimizer::target() const {
  if (target_ == nullptr) {
    throw cupyxx::ValueError("Optimizer.target: setup() has not been given a set");
  }
  if (*target_ == nullptr) {
    throw cupyxx::ValueError("Optimizer: the model given to setup() lives no longer");
  }
  return **target_;
}

/// Throws ValueError for a user's model without parameters, which would learn nothing: layers that
/// are members of a struct and were not added. A plain set may be empty, as that of a rank without
/// a part of the states, and so may the model of a rank whose stage of the computation has none.
void Optimizer::check_has_parameters() {
  take_up_new();
  if (!entries_.empty() || !waiting_.empty() || target_ == nullptr) return;
  if (internal::GradientExchangeScope::is_open()) return;
  const FunctionSet& model = target();
  if (typeid(model) == typeid(FunctionSet)) return;
  throw cupyxx::ValueError(
      "update: the model has no parameters; a layer is part of it where it is added, `L::Linear& "
      "l1 = add(\"l1\", L::Linear(3, 4));`, and not as a member `L::Linear l1{3, 4};`");
}

std::vector<NamedField> Optimizer::parameters() {
  take_up_new();
  std::vector<NamedField> fields;
  for (const internal::OptimizerEntry& entry : entries_) {
    fields.push_back({entry.name, entry.param, entry.grad});
  }
  return fields;
}

void Optimizer::setup_fields(const std::vector<NamedField>& fields) {
  std::vector<OptimizerEntry> entries, waiting;
  std::size_t place = 0;
  for (const NamedField& field : fields) {
    if (field.gradient == nullptr) continue;
    OptimizerEntry entry{
        .name = field.name, .param = field.array, .grad = field.gradient, .place = place++};
    if (field.array->is_none()) {
      waiting.push_back(std::move(entry));
    } else if (!is_tied(entries, entry)) {
      entries.push_back(std::move(entry));
    }
  }
  start(std::move(entries), std::move(waiting));
  owned_.clear();
}

void Optimizer::setup(const ParametersAndGradients& arrays) {
  setup(arrays.parameters, arrays.gradients);
}

void Optimizer::setup(std::span<const ndarray> parameters, std::span<const ndarray> gradients) {
  if (parameters.size() != gradients.size()) {
    throw cupyxx::ValueError(
        cupyxx::message("setup: the numbers of parameters and gradients differ; ",
                        parameters.size(), " and ", gradients.size()));
  }
  std::vector<std::unique_ptr<ndarray>> owned;
  std::vector<OptimizerEntry> entries;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    owned.push_back(std::make_unique<ndarray>(parameters[i]));
    owned.push_back(std::make_unique<ndarray>(gradients[i]));
    entries.push_back({std::to_string(i), owned[2 * i].get(), owned[2 * i + 1].get()});
  }
  start(std::move(entries), {});
  owned_ = std::move(owned);
}

void Optimizer::start(std::vector<OptimizerEntry> entries, std::vector<OptimizerEntry> waiting) {
  if (internal::UpdateOfUser::runs_in(this)) {
    throw cupyxx::ValueError("setup: update_one calls it, which runs over the parameters");
  }
  for (OptimizerEntry& entry : entries) {
    check_entry("setup", entry);
    if (rule()) check_has_kernel("setup", entry);
    entry.state = init_state(*entry.param, *entry.grad);
  }
  std::vector<std::unique_ptr<ParameterGroup>> groups;
  groups.push_back(std::make_unique<ParameterGroup>(ParameterGroup{.name = "default"}));
  for (OptimizerEntry* entry : in_order(entries, waiting)) {
    entry->group = groups[0].get();
    groups[0]->parameters.push_back(entry->name);
  }
  groups_ = std::move(groups);
  patterns_.assign(1, {});
  entries_ = std::move(entries);
  waiting_ = std::move(waiting);
  target_.reset();
  layer_.reset();
  loss_scale_.reset();
  gradients_are_scaled_ = false;
  table_.reset();
  moving_.reset();
  t_ = 0;
}

bool Optimizer::has_newly_sized() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const OptimizerEntry& entry) { return !entry.param->is_none(); });
}

void Optimizer::place_in_group(OptimizerEntry& entry) {
  entry.group = groups_[0].get();
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    const bool fit = std::any_of(patterns_[i].begin(), patterns_[i].end(),
                                 [&](const std::string& each) { return names(each, entry.name); });
    if (fit) entry.group = groups_[i].get();
  }
}

/// A single layer that has moved has its handles elsewhere.
void Optimizer::follow_layer() {
  Function* const layer = *layer_;
  if (layer == nullptr) {
    throw cupyxx::ValueError(
        "Optimizer: the layer given to setup() lives no longer: call setup() with the one that "
        "takes its place");
  }
  if (layer == layer_was_) return;
  for (const Field& field : layer->fields()) {
    for (OptimizerEntry* entry : in_order(entries_, waiting_)) {
      if (entry->name != field.name) continue;
      entry->param = field.array;
      entry->grad = field.gradient;
    }
  }
  layer_was_ = layer;
}

/// Parameters of layers that the model has got join the others, those of layers it has lost leave.
void Optimizer::follow_model() {
  if (layer_ != nullptr) follow_layer();
  if (target_ == nullptr) return;
  FunctionSet& model = target();
  const std::uint64_t changes = internal::layer_changes();
  if (changes == layer_changes_) return;
  std::unordered_map<const ndarray*, std::size_t> numbers;  // those that wait behind the others
  for (const OptimizerEntry& entry : entries_) numbers.emplace(entry.param, numbers.size());
  for (const OptimizerEntry& entry : waiting_) numbers.emplace(entry.param, numbers.size());
  std::vector<OptimizerEntry> entries, waiting, fresh;
  std::size_t place = 0;
  for (const NamedField& field : internal::fields_with_unsized(model)) {
    if (field.gradient == nullptr) continue;
    OptimizerEntry entry{
        .name = field.name, .param = field.array, .grad = field.gradient, .place = place++};
    const auto found = numbers.find(field.array);
    const std::size_t number = found == numbers.end() ? numbers.size() : found->second;
    const OptimizerEntry* known = number < entries_.size()  ? &entries_[number]
                                  : number < numbers.size() ? &waiting_[number - entries_.size()]
                                                            : nullptr;
    const bool is_moved = number < entries_.size();
    // A layer may have been made where one that is gone has been.
    if (known != nullptr && is_moved && table_ != nullptr && table_->has_lost(number, *known)) {
      known = nullptr;
    }
    if (known == nullptr) {
      place_in_group(entry);
    } else {
      entry.group = known->group;
      entry.state = known->state;
    }
    auto& part = field.array->is_none() ? waiting : known != nullptr && is_moved ? entries : fresh;
    part.push_back(std::move(entry));
  }
  for (OptimizerEntry& entry : fresh) {
    if (is_tied(entries, entry)) continue;
    check_entry("Optimizer", entry);
    if (rule()) check_has_kernel("Optimizer", entry);
    entry.state = init_state(*entry.param, *entry.grad);
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const OptimizerEntry& a, const OptimizerEntry& b) { return a.place < b.place; });
  if (loss_scale_ != nullptr) check_one_device(entries);
  std::vector<std::vector<std::string>> members(groups_.size());
  for (const OptimizerEntry* entry : in_order(entries, waiting)) {
    const auto own = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const auto& group) { return group.get() == entry->group; });
    members[static_cast<std::size_t>(own - groups_.begin())].push_back(entry->name);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) groups_[i]->parameters = std::move(members[i]);
  entries_ = std::move(entries);
  waiting_ = std::move(waiting);
  layer_changes_ = changes;
}

/// Parameters that have got their sizes join the others, at their place in the model, and those of
/// new layers.
void Optimizer::take_up_new() {
  if (internal::UpdateOfUser::runs_in(this)) return;
  follow_model();
  if (!has_newly_sized()) return;
  std::vector<OptimizerEntry> entries = entries_, waiting;
  for (const OptimizerEntry& candidate : waiting_) {
    if (candidate.param->is_none()) {
      waiting.push_back(candidate);
      continue;
    }
    check_entry("Optimizer", candidate);
    if (rule()) check_has_kernel("Optimizer", candidate);
    if (is_tied(entries, candidate)) {
      for (const auto& each : groups_) std::erase(each->parameters, candidate.name);
      continue;
    }
    OptimizerEntry entry = candidate;
    entry.state = init_state(*entry.param, *entry.grad);
    const auto is_behind = [&](const OptimizerEntry& other) { return other.place > entry.place; };
    entries.insert(std::find_if(entries.begin(), entries.end(), is_behind), std::move(entry));
  }
  entries_ = std::move(entries);
  waiting_ = std::move(waiting);
}

ParameterGroup& Optimizer::add_group(const std::string& name,
                                     const std::vector<std::string>& parameters,
                                     const GroupOptions& options) {
  check_setup("add_group");
  if (!internal::UpdateOfUser::runs_in(this)) follow_model();
  for (const auto& other : groups_) {
    if (other->name == name) {
      throw cupyxx::ValueError(cupyxx::message("add_group: the name is taken; \"", name, "\""));
    }
  }
  check_factor("add_group", "rate", options.rate);
  check_factor("add_group", "decay", options.decay);
  std::vector<OptimizerEntry*> chosen;
  for (const std::string& pattern : parameters) {
    const std::size_t before = chosen.size();
    bool is_known = false;
    for (OptimizerEntry* entry : in_order(entries_, waiting_)) {
      if (!names(pattern, entry->name)) continue;
      is_known = true;
      if (entry->group != groups_[0].get()) {
        throw cupyxx::ValueError(cupyxx::message("add_group: a parameter is in another group; \"",
                                                 entry->name, "\" in \"", entry->group->name,
                                                 "\""));
      }
      const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(before);
      if (std::find(chosen.begin(), end, entry) == end) chosen.push_back(entry);
    }
    if (!is_known) {
      throw cupyxx::ValueError(
          cupyxx::message("add_group: there is no parameter of this name; \"", pattern, "\""));
    }
  }
  groups_.push_back(
      std::make_unique<ParameterGroup>(ParameterGroup{name, options.rate, options.decay, {}}));
  patterns_.push_back(parameters);
  ParameterGroup& group = *groups_.back();
  for (OptimizerEntry* entry : chosen) {
    entry->group = &group;
    group.parameters.push_back(entry->name);
    std::erase(groups_[0]->parameters, entry->name);
  }
  return group;
}

ParameterGroup& Optimizer::group(const std::string& name) {
  check_setup("group");
  for (const auto& group : groups_) {
    if (group->name == name) return *group;
  }
  throw cupyxx::IndexError(
      cupyxx::message("group: there is no group of this name; \"", name, "\""));
}

std::vector<ParameterGroup*> Optimizer::groups() const {
  std::vector<ParameterGroup*> all;
  for (const auto& group : groups_) all.push_back(group.get());
  return all;
}

}  // namespace chainerxx
