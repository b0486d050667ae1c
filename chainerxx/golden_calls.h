// SPDX-License-Identifier: MIT
// How the functions of the reference cases are called: by the names of their inputs and parameters.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"

namespace chainerxx::golden {

using Json = nlohmann::json;
using Variables = std::vector<Variable>;

struct Arguments {
  const Json& attrs;
  std::map<std::string, Variable> in = {};     // "x" for in_x
  std::map<std::string, Variable> param = {};  // "W" for param_W
  /// What the call leaves beside its results, by name: "avg_mean" for extra_avg_mean.
  std::map<std::string, ndarray> extra = {};
  /// Where parameters live in a set: param_conv1_W is the field "conv1/W" of it.
  std::shared_ptr<FunctionSet> set = {};

  Variable bias() const { return param.contains("b") ? param.at("b") : Variable(); }
  double number(const char* name, double otherwise) const { return attrs.value(name, otherwise); }
  /// An int or a pair.
  Size2D size(const char* name, const Size2D& otherwise) const;
};

using Call = Variables (*)(Arguments& a);
/// The functions that are called by name; null for the others.
Call find_call(const std::string& function);

/// The parameter of a set that a case calls "conv1_W".
std::string field_key(const std::string& path);

}  // namespace chainerxx::golden
