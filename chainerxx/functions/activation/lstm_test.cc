// SPDX-License-Identifier: MIT
// The cell where its gates are nearly closed, against NumPy's numbers for its formula.
#include "chainerxx/functions/activation/lstm.h"

#include <gtest/gtest.h>

#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;

class LSTMTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LSTMTest);

TEST_P(LSTMTest, SmallGatesKeepTheirDigits) {
  for (const auto& type : {cupyxx::float32, cupyxx::float64, cupyxx::bfloat16_}) {
    const double rtol = type == cupyxx::float64 ? 1e-12 : type == cupyxx::float32 ? 1e-5 : 1e-2;
    const Variable c_prev(cupyxx::ones({1, 1}, type));
    const Variable x(cupyxx::array({{2.0, -30.0, -25.0, -20.0}}).astype(type));
    const auto [c, h] = lstm(c_prev, x);
    expect_allclose(c.data().astype(cupyxx::float64), cupyxx::array({{1.3978153931030264e-11}}),
                    rtol);
    expect_allclose(h.data().astype(cupyxx::float64), cupyxx::array({{2.881112255056265e-20}}),
                    rtol);
    h.backward();
    expect_allclose(x.grad().astype(cupyxx::float64),
                    cupyxx::array({{1.3626776741318474e-23, 1.8593680446714646e-22,
                                    2.862518574569794e-20, 2.88111224911785e-20}}),
                    rtol);
    expect_allclose(c_prev.grad().astype(cupyxx::float64), cupyxx::array({{2.862518574609548e-20}}),
                    rtol);
  }
}

}  // namespace
}  // namespace chainerxx::functions
