// SPDX-License-Identifier: MIT
#include "cupyxx/extension/take_rows.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::extension {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class TakeRowsTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(TakeRowsTest);

TEST_P(TakeRowsTest, RowsAreThoseOfTake) {
  const ndarray table = arange(24.0).reshape({4, 3, 2});
  for (const dtype type : {int32, int64, uint8}) {
    const ndarray rows = array({{3, 0, 1}, {1, 1, 2}}).astype(type);
    expect_array_equal(take_rows("lookup", table, rows), take(table, rows, 0));
    expect_array_equal(take_rows("lookup", table.T(), rows(0).astype(type) % 2),
                       take(table.T(), rows(0) % 2, 0));
  }
  EXPECT_EQ(take_rows("lookup", table, zeros({0}, int32)).shape(), Shape({0, 3, 2}));
}

// In routines a negative one counts from the end.
TEST_P(TakeRowsTest, NumbersOutsideAreNamed) {
  const ndarray table = arange(10.0).reshape({5, 2});
  for (const dtype type : {int32, int64}) {
    for (const std::int64_t bad : {-1, -5, -6, 5}) {
      ndarray rows = zeros({3000}, type);
      rows(2999) = bad;
      expect_error<IndexError>([&] { take_rows("lookup", table, rows).to_vector<double>(); },
                               message("lookup: index ", bad, " is out of bounds for ",
                                       device().is_cpu() ? "axis 0 with size 5" : "size 5"));
    }
  }
}

}  // namespace
}  // namespace cupyxx::extension
