// SPDX-License-Identifier: MIT
// Every function of chainerxx::functions that has a gradient, with all its options, as rows that
// tests walk: finite differences, other dtypes and layouts, empty batches, refused inputs.
// coverage_test.cc compares them with the public headers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace chainerxx::testing {

using Variables = std::vector<Variable>;

/// What tests must know about a row.
enum RowTraits : unsigned {
  kPlain = 0,
  kAnyDtype = 1,         ///< takes integers
  kMixedDtypes = 2,      ///< takes inputs of several dtypes beside each other
  kMixedDevices = 4,     ///< and of several devices
  kOwnNoise = 8,         ///< draws numbers that depend on the dtype
  kOptionalStates = 32,  ///< inputs of three axes may be None
  kFirstInputOnly = 64,  ///< the second input gives its shape, and gets no gradient
  kOptionalBias = 16,    ///< the third input may be None
};

/// A function of variables; each input is drawn from [low, high).
struct FunctionRow {
  std::string name;
  std::string covers;  ///< the public names that it calls: "SplitAxis split_axis"
  std::vector<cupyxx::Shape> shapes;
  std::function<Variables(const Variables&)> call;
  double low = -1;
  double high = 1;
  unsigned traits = kPlain;
};

/// A function with parameters.
struct Layer {
  std::vector<ndarray> parameters;
  std::vector<ndarray> gradients;
  std::function<Variables(const Variables&)> call;
  std::vector<NamedField> fields;  ///< where its arrays stand, which live as long as `call`
};
struct LayerRow {
  std::string name;
  std::string covers;
  std::vector<cupyxx::Shape> shapes;
  std::function<Layer(cupyxx::dtype)> make;  ///< with parameters of a dtype
};

/// All rows, those of the families below in their order.
const std::vector<FunctionRow>& function_rows();
/// Functions that own parameters, and sets of them.
const std::vector<LayerRow>& layer_rows();

std::vector<FunctionRow> activation_rows();
std::vector<FunctionRow> array_rows();
std::vector<FunctionRow> math_rows();
std::vector<FunctionRow> connection_rows();
std::vector<FunctionRow> loss_rows();
std::vector<FunctionRow> image_rows();

/// A call of a function with one result, as a row has it.
template <class F>
std::function<Variables(const Variables&)> one(F f) {
  return [f](const Variables& x) { return Variables{f(x)}; };
}

/// Labels of three classes for four samples, on the current device.
ndarray four_labels();

}  // namespace chainerxx::testing
