// SPDX-License-Identifier: MIT
#include "chainerxx/function_set.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <ostream>
#include <utility>

#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

thread_local DeepCopyScope* t_copy = nullptr;
std::atomic<std::uint64_t> g_layer_changes{0};

// Layers are tied when one handle was copied into several fields.
bool same_array(const ndarray& a, const ndarray& b) {
  return a.is_none() || b.is_none() ? a.is_none() && b.is_none() : a.body() == b.body();
}

bool same_arrays(const NamedField& a, const NamedField& b) {
  const bool both_trained = a.gradient != nullptr && b.gradient != nullptr;
  return same_array(*a.array, *b.array) && both_trained && same_array(*a.gradient, *b.gradient);
}

/// The trained fields; those that are tied count once.
std::vector<NamedField> trained_fields(FunctionSet& set) {
  std::vector<NamedField> trained;
  for (const NamedField& field : set.fields()) {
    const auto is_same = [&](const NamedField& other) { return same_arrays(field, other); };
    if (field.gradient == nullptr || std::any_of(trained.begin(), trained.end(), is_same)) continue;
    trained.push_back(field);
  }
  return trained;
}

/// Which of the fields are tied to an earlier one: (first, later).
std::vector<std::pair<std::string, std::string>> ties_of(const std::vector<NamedField>& fields) {
  std::vector<std::pair<std::string, std::string>> ties;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t first = 0; first < i; ++first) {
      if (!same_array(*fields[first].array, *fields[i].array)) continue;
      ties.emplace_back(fields[first].name, fields[i].name);
      break;
    }
  }
  return ties;
}

/// Ties fields that were copied one by one.
void tie(FunctionSet& set, const std::vector<std::pair<std::string, std::string>>& ties) {
  if (ties.empty()) return;
  const std::vector<NamedField> fields = set.fields();
  const auto field = [&](const std::string& name) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const NamedField& f) { return f.name == name; });
  };
  for (const auto& [first_name, later_name] : ties) {
    const auto first = field(first_name), later = field(later_name);
    if (first == fields.end() || later == fields.end()) continue;
    *later->array = *first->array;
    if (later->gradient != nullptr && first->gradient != nullptr) {
      *later->gradient = *first->gradient;
    }
  }
}

/// The same for layers that wait for their sizes.
void tie_unsized(FunctionSet& set, FunctionSet& source) {
  const auto waiting = internal::unsized_layers(source), copies = internal::unsized_layers(set);
  if (waiting.size() != copies.size()) return;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    for (std::size_t first = 0; first < i; ++first) {
      if (!internal::Unsized::are_tied(*waiting[first].layer, *waiting[i].layer)) continue;
      *copies[i].layer = *copies[first].layer;
      break;
    }
  }
}

}  // namespace

DeepCopyScope::DeepCopyScope(const FunctionSet& source)
    : pending_(&source), outer_(t_copy), exceptions_(std::uncaught_exceptions()) {
  t_copy = this;
  internal::set_skips_initialization(true);
}

DeepCopyScope::~DeepCopyScope() noexcept(false) {
  t_copy = outer_;
  internal::set_skips_initialization(outer_ != nullptr);
  // The copy is complete but for what was added to the source from outside of its type.
  if (made_ == nullptr || std::uncaught_exceptions() != exceptions_) return;
  auto* const source = const_cast<FunctionSet*>(made_->source_);  // fields() only reads here
  made_->finish_copy();
  if (outer_ != nullptr) return;
  tie(*made_, ties_of(source->fields()));
  tie_unsized(*made_, *source);
}

FunctionSet::FunctionSet() : source_(nullptr) {
  if (t_copy == nullptr || t_copy->pending_ == nullptr) return;
  source_ = std::exchange(t_copy->pending_, nullptr);
  t_copy->made_ = this;
}

FunctionSet::FunctionSet(FunctionSet&& other)  // NOLINT(performance-noexcept-move-constructor)
    : children_(std::move(other.children_)),
      replaced_(std::move(other.replaced_)),
      place_(std::move(other.place_)),
      source_(std::exchange(other.source_, nullptr)) {
  other.children_.clear();
  other.replaced_.clear();
  if (place_ != nullptr) *place_ = this;
  for (DeepCopyScope* scope = t_copy; scope != nullptr; scope = scope->outer_) {
    if (scope->made_ == &other) scope->made_ = this;
  }
  if (t_copy == nullptr || t_copy->pending_ == nullptr) return;
  // Its children were made before anybody could know that they are copies.
  source_ = std::exchange(t_copy->pending_, nullptr);
  t_copy->made_ = this;
  takes_arrays_ = true;
}

FunctionSet::~FunctionSet() {
  if (place_ != nullptr) *place_ = nullptr;
  // Sets within sets die one after the other, not each in the destructor of the one around it: they
  // may be deeper than the stack.
  std::vector<Child> dying;
  dying.swap(children_);
  for (Child& child : replaced_) dying.push_back(std::move(child));
  replaced_.clear();
  while (!dying.empty()) {
    const Child child = std::move(dying.back());
    dying.pop_back();
    if (child.set == nullptr) continue;
    for (std::vector<Child>* all : {&child.set->children_, &child.set->replaced_}) {
      for (Child& inner : *all) dying.push_back(std::move(inner));
      all->clear();
    }
  }
}

FunctionSet::NestedScope::NestedScope(FunctionSet& parent, const std::string& name) {
  if (parent.source_ == nullptr) return;
  const Child& child = parent.source_->at(name);
  if (child.set == nullptr) {
    throw cupyxx::ValueError(
        cupyxx::message("deep_copy: the source has a function where the copy has a set; ", name));
  }
  scope_.emplace(*child.set);
}

std::unique_ptr<Function> FunctionSet::clone_of_source(const std::string& name,
                                                       const std::type_info& type) const {
  if (source_ == nullptr) return nullptr;
  const Child& child = source_->at(name);
  const Function* const function = child.function.get();
  if (function == nullptr || typeid(*function) != type) {
    throw cupyxx::ValueError(
        cupyxx::message("deep_copy: the source has a child of another type; ", name));
  }
  return function->deep_copy();
}

void FunctionSet::finish_copy() {
  const FunctionSet& source = *std::exchange(source_, nullptr);
  if (std::exchange(takes_arrays_, false)) take_arrays_of(source);
  complete_copy(source);
}

void FunctionSet::take_arrays_of(const FunctionSet& source) {
  for (Child& child : children_) {
    const Child& from = source.at(child.name);
    if (child.set != nullptr && from.set != nullptr) {
      child.set->take_arrays_of(*from.set);
      child.set->complete_copy(*from.set);
      continue;
    }
    Function* const mine = child.function.get();
    const Function* const theirs = from.function.get();
    if (mine == nullptr || theirs == nullptr || typeid(*mine) != typeid(*theirs)) {
      throw cupyxx::ValueError(
          cupyxx::message("deep_copy: the source has a child of another type; ", child.name));
    }
    const std::unique_ptr<Function> copy = theirs->deep_copy();
    *mine = *copy;  // whether it has its sizes
    const std::vector<Field> to = mine->fields(), fields = copy->fields();
    for (std::size_t i = 0; i < std::min(to.size(), fields.size()); ++i) {
      *to[i].array = *fields[i].array;
      if (to[i].gradient != nullptr) *to[i].gradient = *fields[i].gradient;
    }
  }
}

void FunctionSet::complete_copy(const FunctionSet& source) {
  for (const Child& child : source.children_) {
    if (find(child.name) != nullptr) continue;
    if (child.function != nullptr) {
      insert(child.name, child.function->deep_copy(), nullptr);
      continue;
    }
    if (child.make == nullptr) {
      throw cupyxx::ValueError(cupyxx::message(
          "deep_copy: a set added from outside cannot be made again with the same arguments; ",
          child.name));
    }
    std::unique_ptr<FunctionSet> set;
    {
      const DeepCopyScope scope(*child.set);
      set = child.make();
    }
    insert(child.name, nullptr, std::move(set), child.make);
  }
}

FunctionSet::Child& FunctionSet::own(const std::string& name) {
  for (Child& child : children_) {
    if (child.name == name) return child;
  }
  throw cupyxx::IndexError(
      cupyxx::message("replace: there is no child of this name; \"", name, "\""));
}

void FunctionSet::put(Child& child, std::unique_ptr<Function> function,
                      std::unique_ptr<FunctionSet> set, const SetMaker& make) {
  if (function != nullptr) function->fields();
  Child fresh{child.name, std::move(function), std::move(set), make};
  replaced_.push_back(std::move(child));
  child = std::move(fresh);
  internal::note_layer_change();
}

void FunctionSet::insert(const std::string& name, std::unique_ptr<Function> function,
                         std::unique_ptr<FunctionSet> set, const SetMaker& make) {
  if (name.empty() || name.find('/') != std::string::npos) {
    throw cupyxx::ValueError(
        cupyxx::message("FunctionSet: a name is empty or contains '/'; \"", name, "\""));
  }
  if (find(name) != nullptr) {
    throw cupyxx::ValueError(cupyxx::message("FunctionSet: the name is taken; \"", name, "\""));
  }
  if (function != nullptr) function->fields();  // its parameters learn where their gradients are
  children_.push_back({name, std::move(function), std::move(set), make});
  internal::note_layer_change();
}

const FunctionSet::Child* FunctionSet::find(std::string_view path) const {
  const std::size_t slash = path.find('/');
  for (const Child& child : children_) {
    if (child.name != path.substr(0, slash)) continue;
    if (slash == std::string_view::npos) return &child;
    return child.set != nullptr ? child.set->find(path.substr(slash + 1)) : nullptr;
  }
  return nullptr;
}

const FunctionSet::Child& FunctionSet::at(std::string_view path) const {
  if (const Child* child = find(path)) return *child;
  throw cupyxx::IndexError(
      cupyxx::message("FunctionSet: there is no child of this name; \"", path, "\""));
}

const Function& FunctionSet::operator[](std::string_view path) const {
  const Child& child = at(path);
  if (child.function == nullptr) {
    throw cupyxx::IndexError(cupyxx::message("FunctionSet: the child is a set; \"", path, "\""));
  }
  return *child.function;
}

Function& FunctionSet::operator[](std::string_view path) {
  return const_cast<Function&>(std::as_const(*this)[path]);
}

FunctionSet& FunctionSet::set(std::string_view path) {
  const Child& child = at(path);
  if (child.set == nullptr) {
    throw cupyxx::IndexError(
        cupyxx::message("FunctionSet: the child is a function; \"", path, "\""));
  }
  return *child.set;
}

bool FunctionSet::contains(std::string_view path) const { return find(path) != nullptr; }

std::vector<std::string> FunctionSet::names() const {
  std::vector<std::string> names;
  for (const Child& child : children_) names.push_back(child.name);
  return names;
}

void FunctionSet::append_fields(const std::string& prefix, bool with_unsized,
                                std::vector<NamedField>& out) {
  for (Child& child : children_) {
    const std::string path = prefix + child.name + "/";
    if (child.set != nullptr) {
      child.set->append_fields(path, with_unsized, out);
      continue;
    }
    const bool takes_null = with_unsized && !child.function->is_initialized();
    for (const Field& field : child.function->fields()) {
      if (takes_null || !field.array->is_none()) {
        out.push_back({path + field.name, field.array, field.gradient});
      }
    }
  }
}

void FunctionSet::append_unsized(const std::string& prefix,
                                 std::vector<internal::UnsizedLayer>& out) {
  for (Child& child : children_) {
    const std::string path = prefix + child.name;
    if (child.set != nullptr) {
      child.set->append_unsized(path + "/", out);
    } else if (!child.function->is_initialized()) {
      out.push_back({path + "/" + child.function->fields()[0].name, child.function.get()});
    }
  }
}

std::vector<NamedField> FunctionSet::fields() {
  std::vector<NamedField> fields;
  append_fields("", false, fields);
  return fields;
}

// fields() is not const because it hands out pointers; these only read.
std::vector<ndarray> FunctionSet::parameters() const {
  internal::check_sized("FunctionSet.parameters", *this);
  std::vector<ndarray> arrays;
  for (const NamedField& field : trained_fields(const_cast<FunctionSet&>(*this))) {
    arrays.push_back(*field.array);
  }
  return arrays;
}

std::vector<ndarray> FunctionSet::gradients() const {
  internal::check_sized("FunctionSet.gradients", *this);
  std::vector<ndarray> arrays;
  for (const NamedField& field : trained_fields(const_cast<FunctionSet&>(*this))) {
    arrays.push_back(*field.gradient);
  }
  return arrays;
}

void FunctionSet::zero_grads() {
  for (const NamedField& field : trained_fields(*this)) {
    if (!field.gradient->is_none()) field.gradient->fill(0);
  }
}

void FunctionSet::copy_parameters_from(std::span<const ndarray> sources) {
  internal::check_sized("copy_parameters_from", *this);
  const std::vector<ndarray> targets = parameters();
  if (targets.size() != sources.size()) {
    throw cupyxx::ValueError(cupyxx::message("copy_parameters_from: the number of arrays differs; ",
                                             sources.size(), " for ", targets.size(),
                                             " parameters"));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (sources[i].is_none()) {
      throw cupyxx::ValueError(cupyxx::message("copy_parameters_from: array ", i, " is None"));
    }
    if (targets[i].shape() == sources[i].shape()) continue;
    throw cupyxx::ShapeError(cupyxx::message("copy_parameters_from: array ", i,
                                             " has another shape; ", sources[i].shape(), " for ",
                                             targets[i].shape()));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i].set(sources[i]);
}

std::vector<SetParameter> FunctionSet::params() {
  internal::check_sized("FunctionSet.params", *this);
  std::vector<SetParameter> all;
  for (const NamedField& field : trained_fields(*this)) {
    all.emplace_back(field.name, field.array, field.gradient);
  }
  return all;
}

std::vector<std::pair<std::string, SetParameter>> FunctionSet::namedparams() {
  std::vector<std::pair<std::string, SetParameter>> all;
  for (const SetParameter& parameter : params()) all.emplace_back(parameter.name, parameter);
  return all;
}

std::int64_t FunctionSet::count_params() const {
  std::int64_t count = 0;
  for (const ndarray& array : parameters()) count += array.size();
  return count;
}

void FunctionSet::copyparams(const FunctionSet& source) {
  const std::vector<NamedField> from = const_cast<FunctionSet&>(source).fields();  // only reads
  const auto of_name = [&](const std::string& name) -> const ndarray& {
    for (const NamedField& field : from) {
      if (field.name == name) return *field.array;
    }
    throw cupyxx::ValueError(
        cupyxx::message("copyparams: the source has no array of this name; ", name));
  };
  for (const internal::UnsizedLayer& layer : internal::unsized_layers(*this)) {
    const cupyxx::Shape shape = of_name(layer.first_array).shape();
    if (layer.size(shape)) continue;
    throw cupyxx::ShapeError(cupyxx::message("copyparams: the array has another number of axes; ",
                                             layer.first_array, ", ", shape));
  }
  const std::vector<NamedField> to = fields();
  for (const NamedField& field : to) {
    const ndarray& array = of_name(field.name);
    if (array.shape() == field.array->shape()) continue;
    throw cupyxx::ShapeError(cupyxx::message("copyparams: ", field.name,
                                             " has another shape in the source; ", array.shape(),
                                             " for ", field.array->shape()));
  }
  for (const NamedField& field : to) field.array->set(of_name(field.name));
}

void FunctionSet::addgrads(const FunctionSet& source) {
  const std::vector<NamedField> from = const_cast<FunctionSet&>(source).fields();  // only reads
  const std::vector<SetParameter> to = params();  // what is tied once
  std::vector<ndarray> summands;
  for (const SetParameter& parameter : to) {
    const auto at = std::find_if(from.begin(), from.end(), [&](const NamedField& field) {
      return field.name == parameter.name && field.gradient != nullptr;
    });
    if (at == from.end() || at->gradient->is_none()) {
      throw cupyxx::ValueError(
          cupyxx::message("addgrads: the source has no gradient of this name; ", parameter.name));
    }
    if (at->gradient->shape() != parameter.shape()) {
      throw cupyxx::ShapeError(cupyxx::message("addgrads: ", parameter.name,
                                               " has another shape in the source; ",
                                               at->gradient->shape(), " for ", parameter.shape()));
    }
    summands.push_back(*at->gradient);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    const ndarray& sum = to[i].grad();
    const cupyxx::DeviceScope there(sum.device());
    sum += summands[i].to(sum.device());
  }
}

SetParameter::operator Variable() const {
  if (!gradient_->is_none()) return internal::parameter(*array_, *gradient_);
  return *array_;  // a constant
}
void SetParameter::set_data(const ndarray& data) const { write("set_data", *array_, data); }
void SetParameter::set_grad(const ndarray& grad) const { write("set_grad", *gradient_, grad); }

void SetParameter::write(const char* operation, const ndarray& to, const ndarray& from) const {
  if (from.is_none()) {
    throw cupyxx::TypeError(cupyxx::message(operation, ": the array for ", name, " is None"));
  }
  if (from.shape() != to.shape()) {
    throw cupyxx::ShapeError(cupyxx::message(operation, ": the array for ", name,
                                             " has another shape; ", from.shape(), " for ",
                                             to.shape()));
  }
  to.set(from);
}

void FunctionSet::print(std::ostream& os, const std::string& indent) const {
  os << internal::short_name(typeid(*this)) << '(';
  for (const Child& child : children_) {
    os << '\n' << indent << "  (" << child.name << "): ";
    if (child.set != nullptr) {
      child.set->print(os, indent + "  ");
    } else {
      os << *child.function;
    }
  }
  if (!children_.empty()) os << '\n' << indent;
  os << ')';
}

std::ostream& operator<<(std::ostream& os, const FunctionSet& set) {
  set.print(os, "");
  return os;
}

void FunctionSet::move_to(cupyxx::Device device) {
  for (Child& child : children_) {
    if (child.set != nullptr) {
      child.set->move_to(device);
    } else {
      child.function->move_to(device);
    }
  }
}

FunctionSet& FunctionSet::to_cpu() {
  const auto ties = ties_of(fields());
  move_to(cupyxx::Device::cpu());
  tie(*this, ties);
  return *this;
}

FunctionSet& FunctionSet::to_gpu() { return to_gpu(cupyxx::internal::current_cuda()); }
FunctionSet& FunctionSet::to_gpu(int device) { return to_gpu(cupyxx::Device::cuda(device)); }
FunctionSet& FunctionSet::to_gpu(cupyxx::Device device) {
  const auto ties = ties_of(fields());
  move_to(cupyxx::internal::check_cuda("to_gpu", device));
  tie(*this, ties);
  return *this;
}

FunctionSet& FunctionSet::astype(cupyxx::dtype dtype) {
  if (!dtype.is_floating()) {
    throw cupyxx::DtypeError(
        cupyxx::message("FunctionSet.astype: the dtype is not floating; ", dtype.name()));
  }
  internal::check_sized("FunctionSet.astype", *this);
  const std::vector<NamedField> all = fields();
  const auto ties = ties_of(all);
  for (const NamedField& field : all) {
    for (ndarray* array : {field.array, field.gradient}) {
      if (array == nullptr || array->is_none() || !array->dtype().is_floating()) continue;
      *array = array->astype(dtype, false);
    }
  }
  tie(*this, ties);
  return *this;
}

namespace internal {

bool UnsizedLayer::size(const cupyxx::Shape& shape) const { return Unsized::size(*layer, shape); }

std::vector<UnsizedLayer> unsized_layers(FunctionSet& set) {
  std::vector<UnsizedLayer> layers;
  set.append_unsized("", layers);
  return layers;
}

std::vector<NamedField> fields_with_unsized(FunctionSet& set) {
  std::vector<NamedField> fields;
  set.append_fields("", true, fields);
  return fields;
}

CUPYXX_API void note_layer_change() noexcept {
  g_layer_changes.fetch_add(1, std::memory_order_relaxed);
}
std::uint64_t layer_changes() noexcept { return g_layer_changes.load(std::memory_order_relaxed); }

std::shared_ptr<FunctionSet* const> place_of(FunctionSet& set) {
  if (set.place_ == nullptr) set.place_ = std::make_shared<FunctionSet*>(&set);
  return set.place_;
}

void check_sized(const char* operation, const FunctionSet& set) {
  const auto waiting = unsized_layers(const_cast<FunctionSet&>(set));  // only read here
  if (waiting.empty()) return;
  throw cupyxx::ValueError(cupyxx::message(operation, ": the parameter ", waiting[0].first_array,
                                           " has no size yet, which the model's first call gives"));
}

}  // namespace internal
}  // namespace chainerxx
