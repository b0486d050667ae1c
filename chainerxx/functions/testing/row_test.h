// SPDX-License-Identifier: MIT
// GoogleTest fixtures over the rows of functions, on the devices of the environment.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {

/// A row by its number, and where it runs.
struct RowParam {
  cupyxx::Device device;
  std::size_t row;
};
struct LayerParam {
  cupyxx::Device device;
  std::size_t row;
};
std::vector<RowParam> row_params();
std::vector<LayerParam> layer_params();
std::ostream& operator<<(std::ostream& os, const RowParam& param);
std::ostream& operator<<(std::ostream& os, const LayerParam& param);
std::string row_name(const ::testing::TestParamInfo<RowParam>& info);
std::string layer_name(const ::testing::TestParamInfo<LayerParam>& info);

/// Arrays as root variables.
Variables as_variables(const std::vector<ndarray>& arrays);
/// Calls backward() for all variables, once for all that are results of the same function.
void go_backward(const Variables& y);
/// Fails unless a row covers what it is known to cover; for the few that a test leaves out.
void expect_only(const std::string& covers, const std::string& known);

/// One row of function_rows() with its device as the current one.
class RowTest : public ::testing::TestWithParam<RowParam> {
 protected:
  RowTest() : scope_(GetParam().device), random_(5) {}

  const FunctionRow& row() const { return function_rows()[GetParam().row]; }
  bool has(RowTraits trait) const { return (row().traits & trait) != 0; }
  ndarray draw(const cupyxx::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1});
  }
  /// float64 from the row's range.
  std::vector<ndarray> draw_inputs() { return draw_inputs(row().shapes); }
  std::vector<ndarray> draw_inputs(const std::vector<cupyxx::Shape>& shapes);

 private:
  cupyxx::DeviceScope scope_;
  cupyxx::random::RandomState random_;
};

/// One row of layer_rows().
class LayerTest : public ::testing::TestWithParam<LayerParam> {
 protected:
  LayerTest() : scope_(GetParam().device), random_(5) {}

  const LayerRow& row() const { return layer_rows()[GetParam().row]; }
  ndarray draw(const cupyxx::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1});
  }
  std::vector<ndarray> draw_inputs();
  /// The layer with parameters from [-1, 1) of a dtype, each time the same ones; in a 16-bit
  /// `rounded_to` they are exact.
  Layer make(cupyxx::dtype type = cupyxx::float64, cupyxx::dtype rounded_to = cupyxx::float64);

 private:
  cupyxx::DeviceScope scope_;
  cupyxx::random::RandomState random_;
};

}  // namespace chainerxx::testing

#define CHAINERXX_TEST_ON_ROWS(Suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::ValuesIn(::chainerxx::testing::row_params()), \
                           ::chainerxx::testing::row_name)
#define CHAINERXX_TEST_ON_LAYERS(Suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::ValuesIn(::chainerxx::testing::layer_params()), \
                           ::chainerxx::testing::layer_name)
