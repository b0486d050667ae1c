// SPDX-License-Identifier: MIT
#include "chainerxx/functions/testing/row_test.h"

#include "chainerxx/function.h"

namespace chainerxx::testing {
namespace {

template <class Param>
std::vector<Param> params(std::size_t rows) {
  std::vector<Param> list;
  for (const cupyxx::Device device : cupyxx::testing::devices()) {
    for (std::size_t i = 0; i < rows; ++i) list.push_back({device, i});
  }
  return list;
}

std::string with_device(const std::string& name, cupyxx::Device device) {
  return name + (device.is_cpu() ? "_cpu" : "_cuda");
}

}  // namespace

std::vector<RowParam> row_params() { return params<RowParam>(function_rows().size()); }
std::vector<LayerParam> layer_params() { return params<LayerParam>(layer_rows().size()); }

std::ostream& operator<<(std::ostream& os, const RowParam& param) {
  return os << function_rows()[param.row].name << " on " << param.device;
}
std::ostream& operator<<(std::ostream& os, const LayerParam& param) {
  return os << layer_rows()[param.row].name << " on " << param.device;
}
std::string row_name(const ::testing::TestParamInfo<RowParam>& info) {
  return with_device(function_rows()[info.param.row].name, info.param.device);
}
std::string layer_name(const ::testing::TestParamInfo<LayerParam>& info) {
  return with_device(layer_rows()[info.param.row].name, info.param.device);
}

Variables as_variables(const std::vector<ndarray>& arrays) {
  Variables list;
  for (const ndarray& a : arrays) list.emplace_back(a);
  return list;
}

void go_backward(const Variables& y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    bool is_done = false;
    for (std::size_t j = 0; j < i; ++j) is_done = is_done || y[j].creator() == y[i].creator();
    if (!is_done) y[i].backward();
  }
}

void expect_only(const std::string& covers, const std::string& known) { EXPECT_EQ(covers, known); }

std::vector<ndarray> RowTest::draw_inputs(const std::vector<cupyxx::Shape>& shapes) {
  std::vector<ndarray> arrays;
  for (const cupyxx::Shape& shape : shapes) {
    arrays.push_back(random_.uniform(shape, {.low = row().low, .high = row().high}));
  }
  return arrays;
}

std::vector<ndarray> LayerTest::draw_inputs() {
  std::vector<ndarray> arrays;
  for (const cupyxx::Shape& shape : row().shapes) arrays.push_back(draw(shape));
  return arrays;
}

Layer LayerTest::make(cupyxx::dtype type, cupyxx::dtype rounded_to) {
  cupyxx::random::seed(5);
  Layer layer = row().make(type);
  cupyxx::random::RandomState random(7);
  for (const ndarray& p : layer.parameters) {
    p.set(random.uniform(p.shape(), {.low = -1, .high = 1}).astype(rounded_to));
  }
  for (const ndarray& g : layer.gradients) g.fill(0);
  return layer;
}

}  // namespace chainerxx::testing
