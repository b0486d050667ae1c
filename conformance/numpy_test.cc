// SPDX-License-Identifier: MIT
// The reference cases of NumPy as tests. What a pattern leaves out does not pass yet.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "conformance/array/runner.h"
#include "cupyxx/testing/devices.h"

namespace conformance {
namespace {

class NumpyTest : public cupyxx::testing::DeviceTest {
 protected:
  /// Every case whose name matches passes, and there are at least `least` of them.
  void expect_all_pass(const std::string& only, int least) {
    std::ostringstream defects;
    const RunOptions options{"conformance/cases/numpy", device(), std::regex(only), false};
    const Count count = run_folder(options, defects);
    EXPECT_EQ(count.failed, 0) << defects.str();
    EXPECT_GE(count.passed, least) << only;
  }
};
CUPYXX_TEST_ON_DEVICES(NumpyTest);

TEST_P(NumpyTest, ReadsItsFiles) { expect_all_pass("^files/", 100); }

TEST_P(NumpyTest, PrintsAlike) { expect_all_pass("^repr/", 81); }

TEST_P(NumpyTest, HasTheSameTypes) {
  expect_all_pass("^types/(?!add_array_pyscalar/.*/[?]$)", 6400);
}

TEST_P(NumpyTest, CreatesTheSameArrays) {
  expect_all_pass("^creation/(?!linspace/|arange/93$)", 250);
}

TEST_P(NumpyTest, ManipulatesShapesAlike) { expect_all_pass("^manipulation/(?!copyto/584$)", 300); }

TEST_P(NumpyTest, IndexesAlike) {
  expect_all_pass("^(indexing|astype_view|where_take_clip)/(?!clip/|where/14[456]$)", 260);
}

TEST_P(NumpyTest, MultipliesMatricesAlike) {
  expect_all_pass("^linalg/(?!linalg.norm/|trace/208$)", 90);
}

TEST_P(NumpyTest, ReducesAlike) { expect_all_pass("^reductions/", 720); }

TEST_P(NumpyTest, ComputesElementsAlike) {
  expect_all_pass(
      "^ufunc_(?!add/|bitwise_|floor_divide/|fmax/|fmin/|fmod/|logical_|maximum/|minimum/|mod/|"
      "multiply/|nextafter/|power/|remainder/|right_shift/|subtract/)",
      2500);
}

}  // namespace
}  // namespace conformance
