// SPDX-License-Identifier: MIT
#include "chainerxx/sequential.h"

#include <algorithm>
#include <string>
#include <utility>

#include "chainerxx/chain_list.h"
#include "chainerxx/functions/activation/activation_arg.h"
#include "chainerxx/internal/initialize.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

/// The place of a number that may count from the end.
std::size_t checked_place(const char* set, std::int64_t index, std::int64_t size) {
  if (index >= -size && index < size) {
    return static_cast<std::size_t>(index < 0 ? index + size : index);
  }
  throw cupyxx::IndexError(
      cupyxx::message(set, ": there is no layer of this number; ", index, " of ", size));
}

/// Lets the arrays of a set be those of another one of its type.
void share_arrays(FunctionSet& set, FunctionSet& source) {
  const std::vector<NamedField> from = source.fields(), to = set.fields();
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    *to[i].array = *from[i].array;
    if (to[i].gradient != nullptr && from[i].gradient != nullptr) {
      *to[i].gradient = *from[i].gradient;
    }
  }
  const auto waiting = internal::unsized_layers(source), copies = internal::unsized_layers(set);
  for (std::size_t i = 0; i < std::min(waiting.size(), copies.size()); ++i) {
    *copies[i].layer = *waiting[i].layer;  // which ties what they will get
  }
}

}  // namespace

std::string ChainList::name_at(std::int64_t index) const {
  return std::to_string(checked_place("ChainList", index, size()));
}
Function& ChainList::operator[](std::int64_t index) {
  return FunctionSet::operator[](name_at(index));
}
FunctionSet& ChainList::set(std::int64_t index) { return FunctionSet::set(name_at(index)); }

SequentialLayer::SequentialLayer(Variable (*function)(const Variable& x, bool))
    : SequentialLayer(ActivationArg(function)) {}
SequentialLayer::SequentialLayer(Variable (*function)(const Variable& x, double))
    : SequentialLayer(ActivationArg(function)) {}

Sequential::Sequential(const SequentialLayer& first, const SequentialLayer& second,
                       const SequentialLayer& third, const SequentialLayer& fourth,
                       const SequentialLayer& fifth, const SequentialLayer& sixth,
                       const SequentialLayer& seventh, const SequentialLayer& eighth,
                       const SequentialLayer& ninth, const SequentialLayer& tenth,
                       const SequentialLayer& eleventh, const SequentialLayer& twelfth) {
  for (const SequentialLayer* layer : {&first, &second, &third, &fourth, &fifth, &sixth, &seventh,
                                       &eighth, &ninth, &tenth, &eleventh, &twelfth}) {
    if (layer->type_ != nullptr) append(*layer);
  }
}

SequentialLayer::SequentialLayer(const Sequential& layers)
    : type_(&typeid(Sequential)), call_(caller<Sequential, FunctionSet>()) {
  const std::shared_ptr<const Sequential> kept(new Sequential(layers.copy(CopyMode::share)));
  make_ = [kept] {
    return Made{nullptr, std::unique_ptr<FunctionSet>(new Sequential(kept->copy(CopyMode::share)))};
  };
}

Sequential::Sequential(const Repeated& how) {
  for (std::int64_t i = 0; i < how.count; ++i) {
    SequentialLayer layer;
    layer.type_ = &typeid(Sequential);
    layer.call_ = SequentialLayer::caller<Sequential, FunctionSet>();
    place(entries_.size(), layer,
          {nullptr, std::unique_ptr<FunctionSet>(new Sequential(how.source.copy(how.mode)))});
  }
}

Sequential::Sequential(const Copied& how) { take_layers(how.source, how.mode); }
Sequential::Sequential(const Flattened& how) { append_flat(how.source); }

Variable Sequential::operator()(const Variable& x) {
  Variable h = x;
  for (const Entry& entry : entries_) h = entry.layer.call_(entry.function, entry.set, h);
  return h;
}

Sequential& Sequential::append(const SequentialLayer& layer) {
  if (internal::skips_initialization()) return *this;  // complete_copy() brings the layers
  place(entries_.size(), layer, layer.make_ == nullptr ? SequentialLayer::Made{} : layer.make_());
  return *this;
}

Sequential& Sequential::insert(std::int64_t index, const SequentialLayer& layer) {
  if (internal::skips_initialization()) return *this;
  const std::size_t before =
      index == size() ? entries_.size() : checked_place("Sequential", index, size());
  place(before, layer, layer.make_ == nullptr ? SequentialLayer::Made{} : layer.make_());
  return *this;
}

Sequential& Sequential::replace(std::int64_t index, const SequentialLayer& layer) {
  if (internal::skips_initialization()) return *this;
  const std::size_t at = checked_place("Sequential", index, size());
  SequentialLayer::Made made = layer.make_ == nullptr ? SequentialLayer::Made{} : layer.make_();
  remove(at);
  place(at, layer, std::move(made));
  return *this;
}

void Sequential::pop(std::int64_t index) {
  if (internal::skips_initialization()) return;
  remove(checked_place("Sequential", index, size()));
}

void Sequential::clear() {
  while (!entries_.empty()) remove(entries_.size() - 1);
}

void Sequential::place(std::size_t index, const SequentialLayer& layer,
                       SequentialLayer::Made made) {
  Entry entry{layer, made.function.get(), made.set.get()};
  if (!layer.makes_anew_) entry.layer.make_ = nullptr;  // an object, which now is the child
  if (entry.function != nullptr || entry.set != nullptr) {
    std::size_t before = 0, ours = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const bool has_child = entries_[i].function != nullptr || entries_[i].set != nullptr;
      if (!has_child) continue;
      ++ours;
      if (i < index) ++before;
    }
    FunctionSet::insert(std::to_string(ours), std::move(made.function), std::move(made.set));
    // Behind the children of the layers before it, as parameters are in their order.
    if (before < ours) {
      const Function* next_function = nullptr;
      const FunctionSet* next_set = nullptr;
      for (std::size_t i = index;
           i < entries_.size() && next_function == nullptr && next_set == nullptr; ++i) {
        next_function = entries_[i].function;
        next_set = entries_[i].set;
      }
      const auto next = std::find_if(children_.begin(), children_.end(), [&](const Child& child) {
        return child.function.get() == next_function && child.set.get() == next_set;
      });
      std::rotate(next, children_.end() - 1, children_.end());
    }
  }
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(index), std::move(entry));
  rename_children();
}

void Sequential::remove(std::size_t index) {
  const Entry entry = std::move(entries_[index]);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
  if (entry.function == nullptr && entry.set == nullptr) return;
  const auto child = std::find_if(children_.begin(), children_.end(), [&](const Child& each) {
    return each.function.get() == entry.function && each.set.get() == entry.set;
  });
  children_.erase(child);
  internal::note_layer_change();
  rename_children();
}

void Sequential::rename_children() {
  std::int64_t number = 0;
  for (const Entry& entry : entries_) {
    if (entry.function == nullptr && entry.set == nullptr) continue;
    for (Child& child : children_) {
      const bool is_own = child.function.get() == entry.function && child.set.get() == entry.set;
      if (is_own) child.name = std::to_string(number);
    }
    ++number;
  }
}

const Sequential::Entry& Sequential::at(std::int64_t index) const {
  return entries_[checked_place("Sequential", index, size())];
}

void Sequential::check_type(const Entry& entry, std::int64_t index, const std::type_info& type) {
  const bool has_object = entry.function != nullptr || entry.set != nullptr;
  if (has_object && *entry.layer.type_ == type) return;
  throw cupyxx::TypeError(cupyxx::message("Sequential: layer ", index,
                                          has_object ? " is of another type" : " has no arrays"));
}

std::int64_t Sequential::count_of(const std::type_info& type) const {
  return std::count_if(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return *entry.layer.type_ == type; });
}

void Sequential::remove_all(const std::type_info& type) {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (*entries_[i].layer.type_ == type) remove(i);
  }
}

std::unique_ptr<FunctionSet> Sequential::copied_set(const Entry& entry, CopyMode mode) {
  if (const auto* const inner = dynamic_cast<const Sequential*>(entry.set)) {
    if (typeid(*entry.set) == typeid(Sequential)) {
      return std::unique_ptr<FunctionSet>(new Sequential(inner->copy(mode)));
    }
  }
  std::unique_ptr<FunctionSet> set;
  {
    const DeepCopyScope scope(*entry.set);
    set = entry.layer.make_().set;
  }
  if (mode == CopyMode::share) share_arrays(*set, *entry.set);
  return set;
}

SequentialLayer::Made Sequential::copied(const Entry& entry, std::size_t index, CopyMode mode) {
  if (entry.function == nullptr && entry.set == nullptr) return {};
  const bool is_sequential = entry.set != nullptr && typeid(*entry.set) == typeid(Sequential);
  if (mode == CopyMode::init && !is_sequential) {
    if (entry.layer.makes_anew_) return entry.layer.make_();
    throw cupyxx::ValueError(
        cupyxx::message("Sequential: layer ", index,
                        " was given as an object, whose starting values cannot be drawn again"));
  }
  if (entry.set != nullptr) return {nullptr, copied_set(entry, mode)};
  return {mode == CopyMode::share ? entry.function->clone() : entry.function->deep_copy(), nullptr};
}

void Sequential::take_layers(const Sequential& source, CopyMode mode) {
  for (std::size_t i = 0; i < source.entries_.size(); ++i) {
    const Entry& entry = source.entries_[i];
    place(entries_.size(), entry.layer, copied(entry, i, mode));
  }
}

void Sequential::complete_copy(const FunctionSet& source) {
  const auto* const layers = dynamic_cast<const Sequential*>(&source);
  if (layers == nullptr) {
    throw cupyxx::ValueError(
        "deep_copy: the source has another set where the copy is a Sequential");
  }
  take_layers(*layers, CopyMode::copy);
  FunctionSet::complete_copy(source);
  // Parameters in the order of the source.
  const std::vector<std::string> names = source.names();
  const auto number = [&](const Child& child) {
    return std::find(names.begin(), names.end(), child.name) - names.begin();
  };
  std::stable_sort(children_.begin(), children_.end(),
                   [&](const Child& a, const Child& b) { return number(a) < number(b); });
}

Sequential Sequential::copy(CopyMode mode) const { return Sequential(Copied{*this, mode}); }

Sequential Sequential::repeat(std::int64_t n_repeat, CopyMode mode) const {
  return Sequential(Repeated{*this, n_repeat, mode});
}

Sequential Sequential::flatten() const { return Sequential(Flattened{*this}); }

void Sequential::append_flat(const Sequential& source) {
  for (std::size_t i = 0; i < source.entries_.size(); ++i) {
    const Entry& entry = source.entries_[i];
    const bool is_sequential = entry.set != nullptr && typeid(*entry.set) == typeid(Sequential);
    if (is_sequential) {
      append_flat(static_cast<const Sequential&>(*entry.set));
    } else {
      place(entries_.size(), entry.layer, copied(entry, i, CopyMode::share));
    }
  }
}

}  // namespace chainerxx
