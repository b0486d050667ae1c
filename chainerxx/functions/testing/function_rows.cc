// SPDX-License-Identifier: MIT
#include "chainerxx/functions/testing/function_rows.h"

#include "cupyxx/creation.h"

namespace chainerxx::testing {

const std::vector<FunctionRow>& function_rows() {
  static const std::vector<FunctionRow> rows = [] {
    std::vector<FunctionRow> all;
    for (const auto family :
         {activation_rows, array_rows, math_rows, connection_rows, loss_rows, image_rows}) {
      for (FunctionRow& row : family()) all.push_back(std::move(row));
    }
    return all;
  }();
  return rows;
}

ndarray four_labels() { return cupyxx::array({2, 0, 2, 1}); }

}  // namespace chainerxx::testing
