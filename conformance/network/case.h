// SPDX-License-Identifier: MIT
// One reference case of a network function: its description and its arrays.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/function_set.h"
#include "cupyxx/io.h"
#include "cupyxx/ndarray.h"

namespace conformance {

/// Keeps the members of objects in the order of the file, which is that of the arguments.
using Json = nlohmann::ordered_json;
using chainerxx::Variable;
using cupyxx::ndarray;

/// The path of a field as the names of arrays have it: "l1/W" is "l1_W".
std::string field_name(std::string path);

class NetworkCase {
 public:
  /// `folder` holds NAME.npz. Arrays are read to the current device.
  NetworkCase(const Json& description, const std::string& folder);

  const std::string& name() const { return name_; }
  std::string function() const { return description_["function"]; }
  const Json& attrs() const { return description_["attrs"]; }
  bool has_tag(const char* tag) const;
  /// The largest distance of the oracle's results from float64's, relative to their scale.
  double oracle_error() const;

  bool has(const std::string& key) const { return file_.contains(key); }
  ndarray get(const std::string& key) const { return file_[key]; }
  /// The keys with a prefix, in the order of the file.
  std::vector<std::string> keys(const std::string& prefix) const;

  /// An attribute, or what it is by default.
  template <class T>
  T attr(const char* key, const T& otherwise) const {
    const Json& a = attrs();
    return a.contains(key) && !a[key].is_null() ? a[key].get<T>() : otherwise;
  }
  /// One number for both axes, or two.
  std::pair<int, int> pair_attr(const char* key, int otherwise) const;

  /// The input "in_NAME" in the layout of the case, as the variable whose gradient is "gin_NAME".
  Variable in(const std::string& name) const;
  /// All inputs in the order of the file.
  const std::vector<std::pair<std::string, Variable>>& inputs() const { return inputs_; }
  std::vector<Variable> variables() const;
  /// Those whose names are `prefix` and a number, in the order of the numbers.
  std::vector<Variable> numbered(const std::string& prefix) const;
  /// The label of Chainer's function that made the first result; empty where the case has none.
  std::string creator_label() const { return description_.value("creator_label", std::string()); }

  /// Gives the fields of a function or set their arrays "param_NAME" ('/' becomes '_'), with zeros
  /// as gradients. Fields without an array stay.
  void fill(chainerxx::Function& function) const;
  void fill(chainerxx::FunctionSet& set) const;

 private:
  const Json& description_;
  std::string name_;
  cupyxx::NpzFile file_;
  std::vector<std::pair<std::string, Variable>> inputs_;
};

/// What a case gave, to be compared with the arrays of the file.
struct NetworkResult {
  std::vector<Variable> outputs{};
  /// Parameters' gradients and other results by their names in the file; read after backward.
  std::vector<std::pair<std::string, ndarray>> others{};
  /// Parameters that are variables; their gradients go by "gparam_" and these names.
  std::vector<std::pair<std::string, Variable>> parameters{};
  /// Keeps functions alive until then.
  std::shared_ptr<void> owner{};
};

}  // namespace conformance
