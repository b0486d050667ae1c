// SPDX-License-Identifier: MIT
// What a program of wild calls is told about its calls as a whole.
#pragma once

namespace cupyxx::testing::wild {

struct Settings {
  /// No infinite, huge, tiny or invalid numbers in arrays and in arguments that are real numbers:
  /// what remains can be compared to the last bits that matter.
  bool usual_values = false;
  /// Whether results are compared by their strides, too. Functions of variables choose layouts by
  /// device.
  bool strides = true;
};

Settings& settings();

}  // namespace cupyxx::testing::wild
