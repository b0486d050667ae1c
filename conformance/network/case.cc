// SPDX-License-Identifier: MIT
#include "conformance/network/case.h"

#include <algorithm>
#include <stdexcept>

#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"

namespace conformance {
namespace {

/// The same elements in another layout.
ndarray in_layout(const ndarray& a, const std::string& layout) {
  if (layout == "contiguous") return a;
  if (layout == "transposed" || layout == "fortran") return a.T().copy().T();
  if (layout == "step2" || layout == "reversed") {
    if (a.ndim() == 0) return a;
    cupyxx::Shape wide = a.shape();
    const int last = a.ndim() - 1;
    const bool is_reversed = layout == "reversed";
    if (!is_reversed) wide[last] *= 2;
    const ndarray memory = cupyxx::zeros(wide, a.dtype());
    const ndarray view =
        memory(cupyxx::ellipsis, cupyxx::slice(cupyxx::none, cupyxx::none, is_reversed ? -1 : 2));
    cupyxx::copyto(view, a);
    return view;
  }
  throw std::runtime_error(cupyxx::message("unknown layout ", layout));
}

}  // namespace

std::string field_name(std::string path) {
  std::replace(path.begin(), path.end(), '/', '_');
  return path;
}

NetworkCase::NetworkCase(const Json& description, const std::string& folder)
    : description_(description),
      name_(description["name"]),
      file_(cupyxx::load_npz(folder + "/" + name_ + ".npz")) {
  for (const std::string& key : keys("in_")) {
    const std::string input = key.substr(3);
    ndarray a = get(key);
    if (description.contains("layouts") && description["layouts"].contains(input)) {
      a = in_layout(a, description["layouts"][input]);
    }
    inputs_.emplace_back(input, Variable(a));
  }
}

bool NetworkCase::has_tag(const char* tag) const {
  const Json& tags = description_["tags"];
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

double NetworkCase::oracle_error() const {
  const char* key = "oracle_error_vs_float64";
  if (!description_.contains(key) || !description_[key].is_object()) return 0;
  return description_[key].value("max_rel_to_scale", 0.0);
}

std::vector<std::string> NetworkCase::keys(const std::string& prefix) const {
  std::vector<std::string> found;
  for (const auto& [key, type] : description_["members"].items()) {
    if (key.starts_with(prefix)) found.push_back(key);
  }
  return found;
}

std::pair<int, int> NetworkCase::pair_attr(const char* key, int otherwise) const {
  if (!attrs().contains(key) || attrs()[key].is_null()) return {otherwise, otherwise};
  const Json& value = attrs()[key];
  if (value.is_array()) return {value[0], value[1]};
  return {value, value};
}

Variable NetworkCase::in(const std::string& name) const {
  for (const auto& [key, variable] : inputs_) {
    if (key == name) return variable;
  }
  throw std::runtime_error(cupyxx::message("there is no input ", name));
}

std::vector<Variable> NetworkCase::variables() const {
  std::vector<Variable> list;
  for (const auto& [key, variable] : inputs_) list.push_back(variable);
  return list;
}

std::vector<Variable> NetworkCase::numbered(const std::string& prefix) const {
  std::vector<Variable> list;
  for (int i = 0; has("in_" + prefix + std::to_string(i)); ++i) {
    list.push_back(in(prefix + std::to_string(i)));
  }
  return list;
}

void NetworkCase::fill(chainerxx::Function& function) const {
  for (const chainerxx::Field& field : function.fields()) {
    const std::string key = "param_" + field_name(field.name);
    if (!has(key)) continue;
    *field.array = get(key);
    if (field.gradient != nullptr) *field.gradient = cupyxx::zeros_like(*field.array);
  }
}

void NetworkCase::fill(chainerxx::FunctionSet& set) const {
  for (const chainerxx::NamedField& field : set.fields()) {
    const std::string key = "param_" + field_name(field.name);
    if (!has(key)) continue;
    *field.array = get(key);
    if (field.gradient != nullptr) *field.gradient = cupyxx::zeros_like(*field.array);
  }
}

}  // namespace conformance
