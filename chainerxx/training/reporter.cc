// SPDX-License-Identifier: MIT
#include "chainerxx/training/reporter.h"

#include <limits>

#include "chainerxx/training/serializer.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx {

namespace cp = cupyxx;

namespace {

thread_local const ReportScope* current_scope = nullptr;

}  // namespace

double ReportedValue::value() const {
  if (is_none_) throw cp::TypeError("report: the value is None");
  return array_.is_none() ? number_ : array_.item<double>();
}

const ReportedValue* Observation::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

std::string Observation::listed() const {
  std::string names;
  for (const Entry& entry : entries_) names += (names.empty() ? "" : ", ") + entry.name;
  return names.empty() ? "nothing" : names;
}

double Observation::operator[](std::string_view name) const {
  const ReportedValue* found = find(name);
  if (found == nullptr) {
    throw cp::IndexError(
        cp::message("observation: nothing was reported as ", name, "; there is ", listed()));
  }
  return found->value();
}

void Observation::set(std::string_view name, ReportedValue value) {
  for (Entry& entry : entries_) {
    if (entry.name != name) continue;
    entry.value = std::move(value);
    return;
  }
  entries_.push_back({std::string(name), std::move(value)});
}

void Reporter::add(const std::string& name, const void* observer) {
  for (const auto& [known, its_name] : names_) {
    if (known == observer && its_name == name) return;
    if (its_name == name) {
      throw cp::ValueError(cp::message("add_observer: the name ", name, " is taken"));
    }
  }
  names_.emplace_back(observer, name);
}

void Reporter::add_observer(const std::string& name, FunctionSet& observer) {
  add(name, &observer);
  for (const std::string& child : observer.names()) {
    const std::string path = cp::message(name, "/", child);
    const Function* function = nullptr;
    try {
      function = &observer[child];
    } catch (const cp::IndexError&) {
      add_observer(path, observer.set(child));  // a set, not a function
    }
    if (function != nullptr) add(path, function);
  }
}

std::string_view Reporter::name_of(const void* observer) const {
  for (const auto& [known, name] : names_) {
    if (known == observer) return name;
  }
  return {};
}

ReportScope::ReportScope(const Reporter& reporter, Observation& observation,
                         std::string_view prefix)
    : previous_(current_scope), reporter_(&reporter), observation_(&observation), prefix_(prefix) {
  current_scope = this;
}

ReportScope::~ReportScope() { current_scope = previous_; }

/// Where reports go.
class ReportTarget {
 public:
  static void add(const ReportScope& scope, std::string_view observer, std::string_view name,
                  ReportedValue value) {
    if (!scope.reporter_->keeps_graphs()) value.drop_graph();
    std::string full;
    full.reserve(scope.prefix_.size() + observer.size() + name.size() + 1);
    full += scope.prefix_;
    full += observer;
    if (!observer.empty()) full += '/';
    full += name;
    if (value.is_none()) throw cp::TypeError(cp::message("report: ", full, " is None"));
    if (const ndarray& array = value.array(); !array.is_none() && array.size() != 1) {
      throw cp::ValueError(cp::message("report: ", full, " has the shape ", array.shape(),
                                       "; one number is reported, its mean() say"));
    }
    scope.observation_->set(full, std::move(value));
  }

  static void add(std::initializer_list<Report> values, const void* observer) {
    if (current_scope == nullptr) return;
    const std::string_view who = current_scope->reporter_->name_of(observer);
    for (const Report& one : values) {
      if (who.empty()) {
        throw cp::ValueError(cp::message("report: ", one.name,
                                         " comes from an object that the reporter does not know; "
                                         "add_observer names it"));
      }
      add(*current_scope, who, one.name, one.value);
    }
  }
};

void report(std::initializer_list<Report> values) {
  if (current_scope == nullptr) return;
  for (const Report& one : values) ReportTarget::add(*current_scope, {}, one.name, one.value);
}

void report(std::initializer_list<Report> values, const FunctionSet& observer) {
  ReportTarget::add(values, &observer);
}

void report(std::initializer_list<Report> values, const Function& observer) {
  ReportTarget::add(values, &observer);
}

void report(const Observation& values) {
  if (current_scope == nullptr) return;
  for (const auto& [name, value] : values.entries()) {
    ReportTarget::add(*current_scope, {}, name, value);
  }
}

double DictSummary::Sum::value() const {
  return (number + (array.is_none() ? 0 : array.item<double>())) / static_cast<double>(count);
}

DictSummary::Sum& DictSummary::at(std::string_view name) {
  for (Sum& sum : sums_) {
    if (sum.name == name) return sum;
  }
  sums_.push_back({std::string(name), 0, ndarray(), 0});
  return sums_.back();
}

void DictSummary::add(std::string_view name, const ReportedValue& value) {
  Sum& sum = at(name);
  const ndarray& array = value.array();
  if (array.is_none() || array.device().is_cpu()) {
    sum.number += value.value();
  } else if (sum.array.is_none() || sum.array.device() != array.device()) {
    if (!sum.array.is_none()) sum.number += sum.array.item<double>();
    sum.array = array.astype(cp::float64).reshape(cp::Shape{});
  } else {
    sum.array += array.ndim() == 0 ? array : array.reshape(cp::Shape{});
  }
  ++sum.count;
}

void DictSummary::add(const Observation& observation) {
  for (const auto& [name, value] : observation.entries()) add(name, value);
}

void DictSummary::add(const Observation& observation, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (const ReportedValue* value = observation.find(key)) add(key, *value);
  }
}

std::vector<std::pair<std::string, double>> DictSummary::compute_mean() const {
  std::vector<std::pair<std::string, double>> means;
  for (const Sum& sum : sums_) means.emplace_back(sum.name, sum.value());
  return means;
}

bool DictSummary::contains(std::string_view name) const {
  for (const Sum& sum : sums_) {
    if (sum.name == name) return true;
  }
  return false;
}

double DictSummary::mean(std::string_view name) const {
  for (const Sum& sum : sums_) {
    if (sum.name == name) return sum.value();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void DictSummary::serialize(const training::Serializer& s) {
  std::string names;
  std::vector<double> totals;
  std::vector<std::int64_t> counts;
  for (Sum& sum : sums_) {
    // What goes on and what starts from the file must add in the same order.
    if (!sum.array.is_none()) sum.number += sum.array.item<double>();
    sum.array = ndarray();
    names += sum.name + "\n";
    totals.push_back(sum.number);
    counts.push_back(sum.count);
  }
  s("names", names);
  s("sums", totals);
  s("counts", counts);
  if (s.is_saving()) return;
  std::vector<Sum> sums;
  for (std::size_t begin = 0, end; (end = names.find('\n', begin)) != names.npos; begin = end + 1) {
    sums.push_back({names.substr(begin, end - begin), 0, ndarray(), 0});
  }
  if (sums.size() != totals.size() || sums.size() != counts.size()) {
    s.refuse("sums", cp::message("has ", totals.size(), " values for ", sums.size(), " names and ",
                                 counts.size(), " counts"));
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (counts[i] < 1 || counts[i] > (std::int64_t{1} << 53))
      s.refuse("counts", cp::message("has ", counts[i]));
    sums[i].number = totals[i];
    sums[i].count = counts[i];
  }
  if (s.commits()) sums_ = std::move(sums);
}

}  // namespace chainerxx
